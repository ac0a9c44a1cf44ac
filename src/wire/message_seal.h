// MessageSeal: encrypts and authenticates messages so that only nodes of the same cluster, environment and secret can
// create or read them (SEC-1). docs/formats/wire.md has the byte table and the derivation of keys.
//
//   sealed = form | key id | salt | nonce | AES-256-GCM(id | plain) | tag
//
// Every message has its own key, derived from the secret and a random salt, and a random nonce. All bytes before the
// ciphertext are associated data, together with `bound_to`: bytes that both sides know and that are not transmitted,
// such as the address of the receiver. A message bound to one receiver does not open at another one.
//
// Thread rule: one thread at a time. A refusal has a one-word reason; the owner counts it. A failure of the cipher
// library itself is a CHECK.
#pragma once

#include "base/bytes.h"
#include "base/error.h"
#include "base/snowflake.h"
#include "wire/bug_switch.h"
#include "wire/entropy_source.h"
#include "wire/keyring.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <tl/expected.hpp>

namespace hyperscale::wire {

inline constexpr std::size_t kScopeNameBytesMax = 64;

// Which cluster a node belongs to. Part of every key, so that messages of another one do not open.
struct ClusterScope {
  std::string cluster;      // at most kScopeNameBytesMax
  std::string environment;  // at most kScopeNameBytesMax
  KeyDomain domain = KeyDomain::kGroup;

  bool operator==(const ClusterScope&) const = default;
};

// First byte of a sealed message. One kind never opens as the other.
enum class SealForm : std::uint8_t { kDatagram = 0xD1, kFrame = 0xF1 };

struct OpenedMessage {
  SnowflakeId id;
  SharedBytes plain;
  bool with_previous_key = false;
};

enum class OpenRefusal : std::uint8_t {
  kMalformed,   // not a sealed message of this form: too short, too long, another first byte
  kUnknownKey,  // no key of ours has this id: another cluster, environment or secret
  kForged,      // modified, bound to another receiver, or made without the secret
};
std::string_view name(OpenRefusal refusal);  // "malformed", "unknown_key", "forged"
using OpenResult = tl::expected<OpenedMessage, OpenRefusal>;

// For the simulator's own test: planted faults that a checker has to find. All false everywhere else.
struct SealMutations {
  BugSwitch reuse_nonce = {};  // every message has the salt and the nonce of the first one
};

class MessageSeal {
 public:
  MessageSeal(SealForm form, const Keyring& keys, ClusterScope scope, SealMutations mutations = {});
  ~MessageSeal();
  MessageSeal(MessageSeal&&) noexcept;
  MessageSeal& operator=(MessageSeal&&) noexcept;

  // Seals with the current secret.
  SharedBytes seal(ByteView plain, SnowflakeId id, EntropySource& entropy, ByteView bound_to = {});
  // Reason for which open() would refuse the head of the message: form, length and key id, by comparison only. Nothing
  // when the message must be deciphered to decide.
  std::optional<OpenRefusal> refusal_by_head(ByteView sealed) const;
  // Opens with the current secret or the one before (SEC-3).
  OpenResult open(ByteView sealed, ByteView bound_to = {});

  // Replaces the secrets.
  void rotate(const Keyring& keys);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace hyperscale::wire
