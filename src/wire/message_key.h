// MessageKeys: the keys that follow from one secret, by HKDF-SHA256 (RFC 5869); private to this folder.
//
// The extract step depends on the secret only and is done once. The expand step makes the key of one message from that
// message's salt: one HMAC, because 32 bytes are one block. The salt stands in the info of the expansion and not in the
// extraction, which would double the work for each packet; keys are as independent either way, since HMAC under the
// extracted key is a pseudo-random function of the info. Thread rule: one thread at a time.
#pragma once

#include "base/bytes.h"
#include "wire/limits.h"
#include "wire/message_seal.h"

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include <openssl/evp.h>

namespace hyperscale::wire {

inline constexpr std::size_t kMessageKeyBytes = 32;
inline constexpr std::string_view kExtractSalt = "hyperscale cluster secret 1";
inline constexpr std::string_view kMessageKeyLabel = "hyperscale message key 1";
inline constexpr std::string_view kKeyIdLabel = "hyperscale key id 1";

using KeyBytes = std::array<std::uint8_t, kMessageKeyBytes>;
using KeyId = std::array<std::uint8_t, kSealKeyIdBytes>;

struct EvpMacFree {
  void operator()(EVP_MAC_CTX* context) const { EVP_MAC_CTX_free(context); }
};

class MessageKeys {
 public:
  MessageKeys(std::string_view secret, SealForm form, const ClusterScope& scope);

  // Identifies secret, form and scope without revealing them.
  const KeyId& id() const { return id_; }
  // The caller wipes the key. REQUIRES: salt.size() == kSealSaltBytes.
  void derive(ByteView salt, KeyBytes& key);

 private:
  void expand(std::string_view label, ByteView salt, KeyBytes& out);

  std::unique_ptr<EVP_MAC_CTX, EvpMacFree> mac_;  // keyed with what was extracted
  std::string scope_info_;
  KeyId id_{};
};

}  // namespace hyperscale::wire
