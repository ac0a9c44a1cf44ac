#include "wire/message_seal.h"

#include "base/check.h"
#include "base/endian.h"
#include "wire/limits.h"
#include "wire/message_key.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <openssl/crypto.h>

namespace hyperscale::wire {
namespace {

constexpr std::size_t kFormAt = 0;
constexpr std::size_t kKeyIdAt = 1;
constexpr std::size_t kSaltAt = kKeyIdAt + kSealKeyIdBytes;
constexpr std::size_t kNonceAt = kSaltAt + kSealSaltBytes;
static_assert(kNonceAt + kSealNonceBytes == kSealHeaderBytes);

struct EvpCipherFree {
  void operator()(EVP_CIPHER_CTX* context) const { EVP_CIPHER_CTX_free(context); }
};
using CipherContext = std::unique_ptr<EVP_CIPHER_CTX, EvpCipherFree>;

CipherContext new_context(const EVP_CIPHER* cipher, int encrypt) {
  CipherContext context(EVP_CIPHER_CTX_new());
  CHECK(context && EVP_CipherInit_ex2(context.get(), cipher, nullptr, nullptr, encrypt, nullptr) == 1);
  return context;
}

// Feeds bytes through the cipher; without `to` they are associated data.
void feed(EVP_CIPHER_CTX* context, ByteView from, std::uint8_t* to) {
  int written = 0;
  if (from.empty()) return;
  CHECK(EVP_CipherUpdate(context, to, &written, from.data(), static_cast<int>(from.size())) == 1);
  CHECK(static_cast<std::size_t>(written) == from.size());
}

}  // namespace

struct MessageSeal::Parts {
  SealForm form;
  ClusterScope scope;
  SealMutations mutations;
  std::optional<MessageKeys> current;
  std::optional<MessageKeys> previous;
  CipherContext sealing;
  CipherContext opening;
  std::optional<std::array<std::uint8_t, kSealSaltBytes + kSealNonceBytes>> first_random = {};

  // Whether the message carries the id of these keys.
  static bool names(const std::optional<MessageKeys>& keys, ByteView sealed) {
    return keys && std::ranges::equal(keys->id(), sealed.subspan(kKeyIdAt, kSealKeyIdBytes));
  }

  void take(const Keyring& all) {
    const Keyring& keys = all.of(scope.domain);
    keys.with_current([&](std::string_view secret) { current.emplace(secret, form, scope); });
    previous.reset();
    if (keys.has_previous()) {
      keys.with_previous([&](std::string_view secret) { previous.emplace(secret, form, scope); });
    }
  }

  void fill_random(std::span<std::uint8_t> salt_and_nonce, EntropySource& entropy) {
    entropy.fill(salt_and_nonce);
    if (!mutations.reuse_nonce) return;
    if (!first_random) {
      first_random.emplace();
      std::copy(salt_and_nonce.begin(), salt_and_nonce.end(), first_random->begin());
    }
    std::copy(first_random->begin(), first_random->end(), salt_and_nonce.begin());
  }

  static void begin(EVP_CIPHER_CTX* context, MessageKeys& keys, ByteView header, ByteView bound_to) {
    KeyBytes key;
    keys.derive(header.subspan(kSaltAt, kSealSaltBytes), key);
    CHECK(EVP_CipherInit_ex2(context, nullptr, key.data(), header.data() + kNonceAt, -1, nullptr) == 1);
    OPENSSL_cleanse(key.data(), key.size());
    feed(context, header, nullptr);
    feed(context, bound_to, nullptr);
  }

  // The id and the content, or nothing when the tag does not fit.
  std::optional<std::vector<std::uint8_t>> decrypt(MessageKeys& keys, ByteView sealed, ByteView bound_to) {
    begin(opening.get(), keys, sealed.first(kSealHeaderBytes), bound_to);
    std::vector<std::uint8_t> plain(sealed.size() - kSealHeaderBytes - kSealTagBytes);
    feed(opening.get(), sealed.subspan(kSealHeaderBytes, plain.size()), plain.data());
    // The library takes the expected tag as a pointer to writable bytes and only reads it.
    auto* tag = const_cast<std::uint8_t*>(sealed.data() + sealed.size() - kSealTagBytes);
    CHECK(EVP_CIPHER_CTX_ctrl(opening.get(), EVP_CTRL_AEAD_SET_TAG, kSealTagBytes, tag) == 1);
    int written = 0;
    std::uint8_t nothing_left = 0;
    if (EVP_CipherFinal_ex(opening.get(), &nothing_left, &written) != 1) return std::nullopt;
    return plain;
  }
};

std::string_view name(OpenRefusal refusal) {
  switch (refusal) {
    case OpenRefusal::kMalformed:
      return "malformed";
    case OpenRefusal::kUnknownKey:
      return "unknown_key";
    case OpenRefusal::kForged:
      return "forged";
  }
  UNREACHABLE("refusal {}", static_cast<int>(refusal));
}

MessageSeal::MessageSeal(SealForm form, const Keyring& keys, ClusterScope scope, SealMutations mutations) {
  EVP_CIPHER* cipher = EVP_CIPHER_fetch(nullptr, "AES-256-GCM", nullptr);
  CHECK(cipher != nullptr, "no AES-256-GCM in the cipher library");
  parts_ = std::make_unique<Parts>(Parts{.form = form,
                                         .scope = std::move(scope),
                                         .mutations = mutations,
                                         .current = std::nullopt,
                                         .previous = std::nullopt,
                                         .sealing = new_context(cipher, 1),
                                         .opening = new_context(cipher, 0)});
  EVP_CIPHER_free(cipher);
  parts_->take(keys);
}
MessageSeal::~MessageSeal() = default;
MessageSeal::MessageSeal(MessageSeal&&) noexcept = default;
MessageSeal& MessageSeal::operator=(MessageSeal&&) noexcept = default;

SharedBytes MessageSeal::seal(ByteView plain, SnowflakeId id, EntropySource& entropy, ByteView bound_to) {
  std::vector<std::uint8_t> sealed(plain.size() + kSealOverheadBytes);
  const std::span<std::uint8_t> header = std::span(sealed).first(kSealHeaderBytes);
  header[kFormAt] = static_cast<std::uint8_t>(parts_->form);
  std::ranges::copy(parts_->current->id(), header.begin() + kKeyIdAt);
  parts_->fill_random(header.subspan(kSaltAt), entropy);

  EVP_CIPHER_CTX* context = parts_->sealing.get();
  Parts::begin(context, *parts_->current, header, bound_to);
  std::array<std::uint8_t, kSealIdBytes> id_bytes;
  store_be64(id_bytes.data(), id.value());
  std::uint8_t* out = sealed.data() + kSealHeaderBytes;
  feed(context, id_bytes, out);
  feed(context, plain, out + kSealIdBytes);
  std::uint8_t* tag = out + kSealIdBytes + plain.size();
  int written = 0;
  CHECK(EVP_CipherFinal_ex(context, tag, &written) == 1 && written == 0);
  CHECK(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, kSealTagBytes, tag) == 1);
  return SharedBytes::adopt(std::move(sealed));
}

std::optional<OpenRefusal> MessageSeal::refusal_by_head(ByteView sealed) const {
  if (sealed.size() < kSealOverheadBytes || sealed[kFormAt] != static_cast<std::uint8_t>(parts_->form)) {
    return OpenRefusal::kMalformed;
  }
  if (Parts::names(parts_->current, sealed) || Parts::names(parts_->previous, sealed)) return std::nullopt;
  return OpenRefusal::kUnknownKey;
}

OpenResult MessageSeal::open(ByteView sealed, ByteView bound_to) {
  if (const auto refusal = refusal_by_head(sealed)) return tl::unexpected(*refusal);
  for (const bool previous : {false, true}) {
    std::optional<MessageKeys>& keys = previous ? parts_->previous : parts_->current;
    if (!Parts::names(keys, sealed)) continue;
    if (auto plain = parts_->decrypt(*keys, sealed, bound_to)) {
      const SnowflakeId id(load_be64(plain->data()));
      const SharedBytes whole = SharedBytes::adopt(std::move(*plain));
      return OpenedMessage{
          .id = id, .plain = whole.slice(kSealIdBytes, whole.size() - kSealIdBytes), .with_previous_key = previous};
    }
  }
  return tl::unexpected(OpenRefusal::kForged);
}

void MessageSeal::rotate(const Keyring& keys) {
  parts_->take(keys);
}

}  // namespace hyperscale::wire
