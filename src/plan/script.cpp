#include "plan/script.h"

#include "plan/limits.h"
#include "plan/sha256.h"

#include <algorithm>

#include <fmt/format.h>

namespace hyperscale::plan {

Blob make_blob(std::string name, std::string content) {
  Blob blob{.name = std::move(name), .sha256 = hex(sha256_of(content)), .content = {}};
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
    if (hex(sha256_of(blob.content)) != blob.sha256)
      return fail(ErrorCode::kProtocol, fmt::format("{} is not the content that it is named by", blob.name));
  return {};
}

}  // namespace hyperscale::plan
