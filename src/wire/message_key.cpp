#include "wire/message_key.h"

#include "base/check.h"

#include <algorithm>

#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/params.h>

namespace hyperscale::wire {
namespace {

constexpr std::uint8_t kFirstBlock = 1;

std::unique_ptr<EVP_MAC_CTX, EvpMacFree> keyed_mac(ByteView key) {
  EVP_MAC* hmac = EVP_MAC_fetch(nullptr, "HMAC", nullptr);
  CHECK(hmac != nullptr, "no HMAC in the cipher library");
  std::unique_ptr<EVP_MAC_CTX, EvpMacFree> context(EVP_MAC_CTX_new(hmac));
  EVP_MAC_free(hmac);
  char digest[] = "SHA256";
  const OSSL_PARAM parameters[] = {OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, digest, 0),
                                   OSSL_PARAM_construct_end()};
  CHECK(context && EVP_MAC_init(context.get(), key.data(), key.size(), parameters) == 1);
  return context;
}

void add(EVP_MAC_CTX* mac, ByteView bytes) {
  CHECK(EVP_MAC_update(mac, bytes.data(), bytes.size()) == 1);
}

void finish(EVP_MAC_CTX* mac, KeyBytes& out) {
  std::size_t written = 0;
  CHECK(EVP_MAC_final(mac, out.data(), &written, out.size()) == 1 && written == out.size());
}

constexpr char kWorkersMark = 'W';

// Lengths in front, so that no two scopes read the same.
std::string info_of(SealForm form, const ClusterScope& scope) {
  std::string info(1, static_cast<char>(form));
  for (const std::string& name : {scope.cluster, scope.environment}) {
    CHECK(name.size() <= kScopeNameBytesMax, "a cluster or environment name of {} bytes", name.size());
    info.push_back(static_cast<char>(name.size()));
    info += name;
  }
  if (scope.domain == KeyDomain::kWorkers) info.push_back(kWorkersMark);
  return info;
}

}  // namespace

MessageKeys::MessageKeys(std::string_view secret, SealForm form, const ClusterScope& scope)
    : scope_info_(info_of(form, scope)) {
  KeyBytes extracted;
  const auto extract = keyed_mac(as_bytes(kExtractSalt));
  add(extract.get(), as_bytes(secret));
  finish(extract.get(), extracted);
  mac_ = keyed_mac(extracted);
  OPENSSL_cleanse(extracted.data(), extracted.size());
  KeyBytes id;
  expand(kKeyIdLabel, {}, id);
  std::copy_n(id.begin(), id_.size(), id_.begin());
}

void MessageKeys::derive(ByteView salt, KeyBytes& key) {
  CHECK(salt.size() == kSealSaltBytes);
  expand(kMessageKeyLabel, salt, key);
}

void MessageKeys::expand(std::string_view label, ByteView salt, KeyBytes& out) {
  EVP_MAC_CTX* mac = mac_.get();
  CHECK(EVP_MAC_init(mac, nullptr, 0, nullptr) == 1);  // begins again with the same key
  add(mac, as_bytes(label));
  add(mac, as_bytes(scope_info_));
  add(mac, salt);
  add(mac, ByteView(&kFirstBlock, 1));
  finish(mac, out);
}

}  // namespace hyperscale::wire
