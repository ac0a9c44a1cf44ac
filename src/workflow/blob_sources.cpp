#include "workflow/blob_sources.h"

#include <algorithm>
#include <filesystem>

namespace hyperscale::workflow {

std::optional<std::string> BlobSources::read(const std::string& path) {
  const auto found = std::ranges::find(files_, path, &plan::Blob::name);
  if (found == files_.end()) return std::nullopt;
  return found->content;
}

std::string data_path(const std::string& entry, const std::string& file) {
  return (std::filesystem::path(entry).parent_path() / file).lexically_normal();
}

}  // namespace hyperscale::workflow
