#include "plan/arguments/directory.h"

#include <string_view>

namespace hyperscale::plan {
namespace {

// Files come in the order of a walk, so a folder is new exactly when the file before it was not inside.
void add_new_folders(std::string_view before, std::string_view path, std::vector<std::string>& folders) {
  for (std::size_t slash = path.find('/'); slash != std::string_view::npos; slash = path.find('/', slash + 1)) {
    if (before.substr(0, slash + 1) != path.substr(0, slash + 1)) folders.emplace_back(path.substr(0, slash));
  }
}

}  // namespace

Result<PreparedDirectory> prepare_directory(const std::vector<ListedFile>& listing) {
  Result<std::vector<ListedFile>> files = sorted_listing(listing);
  if (!files) return fail(files.error());
  const Result<std::uint64_t> bytes = total_bytes(*files);
  if (!bytes) return fail(bytes.error());
  PreparedDirectory directory{.files = std::move(*files), .folders = {}, .bytes = *bytes};
  std::string_view before;
  for (const ListedFile& file : directory.files) {
    add_new_folders(before, file.path, directory.folders);
    before = file.path;
  }
  return directory;
}

}  // namespace hyperscale::plan
