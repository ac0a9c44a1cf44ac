#include "plan/sha256.h"

#include "plan/limits.h"

#include <openssl/sha.h>

namespace hyperscale::plan {
namespace {

constexpr std::string_view kHexDigits = "0123456789abcdef";

}  // namespace

Sha256 sha256_of(std::string_view content) {
  Sha256 hash{};
  static_assert(std::tuple_size_v<Sha256> == SHA256_DIGEST_LENGTH);
  ::SHA256(reinterpret_cast<const unsigned char*>(content.data()), content.size(), hash.data());
  return hash;
}

std::string hex(const Sha256& hash) {
  std::string text;
  text.reserve(kSha256TextBytes);
  for (const std::uint8_t byte : hash) {
    text += kHexDigits[byte >> 4];
    text += kHexDigits[byte & 15];
  }
  return text;
}

std::optional<Sha256> parse_sha256(std::string_view text) {
  if (text.size() != kSha256TextBytes) return std::nullopt;
  Sha256 hash{};
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::size_t digit = kHexDigits.find(text[i]);
    if (digit == std::string_view::npos) return std::nullopt;
    hash[i / 2] = static_cast<std::uint8_t>(hash[i / 2] << 4 | digit);
  }
  return hash;
}

}  // namespace hyperscale::plan
