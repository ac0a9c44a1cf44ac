// DatagramSealer: turns the bytes of one message into a packet that only nodes of the same cluster, environment and
// secret can make or read (SEC-1). docs/formats/wire.md has the byte table and the derivation of keys.
//
//   packet = form | key id | salt | nonce | AES-256-GCM(id | plain) | tag
//
// Every packet has a key of its own, derived from the secret and the packet's random salt, and a random nonce. All
// bytes before the ciphertext are associated data, together with `bound_to`: bytes that both sides know and that do not
// travel, such as the address of the receiver. A packet bound to one receiver does not open at another one.
//
// Thread rule: one thread at a time. Opening refuses without allocating. A failure of the cipher library is a CHECK.
#pragma once

#include "base/bytes.h"
#include "base/error.h"
#include "base/snowflake.h"
#include "wire/entropy_source.h"
#include "wire/keyring.h"
#include "wire/limits.h"
#include "wire/node_identity.h"

#include <array>
#include <cstdint>
#include <memory>
#include <string>

#include <tl/expected.hpp>

namespace hyperscale::wire {

// Which cluster a node belongs to. Part of every key, so messages of another one do not open.
struct ClusterScope {
  std::string cluster;
  std::string environment;

  bool operator==(const ClusterScope&) const = default;
};

struct OpenedDatagram {
  SnowflakeId id;
  SharedBytes plain;
  bool with_previous_key = false;
};

enum class OpenRefusal : std::uint8_t {
  kMalformed,   // not a packet of this form: too short, too long, another first byte
  kUnknownKey,  // no key of ours has this id: another cluster, environment or secret
  kForged,      // changed on its way, bound to someone else, or made without the secret
};
std::string_view name(OpenRefusal refusal);

// How many packets a sealer turned away is for its owner to count.
using OpenResult = tl::expected<OpenedDatagram, OpenRefusal>;

// For the simulator's own test: planted faults that a checker has to find. All false everywhere else.
struct SealMutations {
  bool reuse_nonce = false;  // every packet has the salt and the nonce of the first one
};

class DatagramSealer {
 public:
  DatagramSealer(const Keyring& keys, const ClusterScope& scope, SealMutations mutations = {});
  ~DatagramSealer();
  DatagramSealer(DatagramSealer&&) noexcept;
  DatagramSealer& operator=(DatagramSealer&&) noexcept;

  // Seals with the current secret. REQUIRES: plain.size() <= kClusterMessageBytesMax.
  SharedBytes seal(ByteView plain, SnowflakeId id, EntropySource& entropy, ByteView bound_to = {});
  // Opens with the current secret or the one before (SEC-3).
  OpenResult open(ByteView packet, ByteView bound_to = {});

  // From now on these secrets count.
  void rotate(const Keyring& keys);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

// An address as bytes to bind a packet to.
using AddressBytes = std::array<std::uint8_t, 18>;
AddressBytes address_bytes(const NodeAddress& address);

}  // namespace hyperscale::wire
