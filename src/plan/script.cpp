#include "plan/script.h"

#include "plan/limits.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <openssl/sha.h>

namespace hyperscale::plan {
namespace {

std::string sha256_of(const std::string& content) {
  std::array<unsigned char, SHA256_DIGEST_LENGTH> digest{};
  ::SHA256(reinterpret_cast<const unsigned char*>(content.data()), content.size(), digest.data());
  std::string text;
  text.reserve(2 * digest.size());
  for (const unsigned char byte : digest) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

}  // namespace

Blob make_blob(std::string name, std::string content) {
  Blob blob{.name = std::move(name), .sha256 = sha256_of(content), .content = {}};
  blob.content = std::move(content);
  return blob;
}

Status check_shared_value(const std::string& key, const std::string& json) {
  if (json.size() <= kSharedValueBytesMax) return {};
  return fail(ErrorCode::kTooLarge, fmt::format("\"{}\" gives a value of {} bytes as JSON, {} are allowed", key,
                                                json.size(), kSharedValueBytesMax));
}

bool is_for(const Script& provider, const std::string& key, const std::string& workflow) {
  const auto found = std::ranges::find(provider.provides, key, &ProvidedKey::key);
  return found != provider.provides.end() && std::ranges::find(found->to, workflow) != found->to.end();
}

Status check_files(const Script& script) {
  for (const Blob& blob : script.files)
    if (sha256_of(blob.content) != blob.sha256)
      return fail(ErrorCode::kProtocol, fmt::format("{} is not the content that it is named by", blob.name));
  return {};
}

}  // namespace hyperscale::plan
