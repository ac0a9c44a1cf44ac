#include "plan/arguments/file_glob.h"

#include "plan/arguments/glob_pattern.h"

#include <fmt/format.h>

namespace hyperscale::plan {

Result<PreparedGlob> prepare_file_glob(const GlobValue& value) {
  const Result<GlobPattern> pattern = GlobPattern::parse(value.pattern);
  if (!pattern) return fail(pattern.error());
  Result<std::vector<ListedFile>> files = sorted_listing(value.listing);
  if (!files) return fail(files.error());
  std::erase_if(*files, [&](const ListedFile& file) { return !pattern->matches(file.path); });
  if (files->empty()) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("no file matches {:?} ({} files were looked at)", value.pattern, value.listing.size()));
  }
  const Result<std::uint64_t> bytes = total_bytes(*files);
  if (!bytes) return fail(bytes.error());
  return PreparedGlob{.files = std::move(*files), .bytes = *bytes};
}

}  // namespace hyperscale::plan
