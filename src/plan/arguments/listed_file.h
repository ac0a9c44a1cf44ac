// ListedFile: a file in a directory listing, and the rules for paths in a listing.
//
// Plain values and pure functions; any thread.
#pragma once

#include "base/result.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hyperscale::plan {

inline constexpr std::size_t kListedFilesMax = 100'000;
inline constexpr std::size_t kListedPathBytesMax = 4096;

struct ListedFile {
  std::string path;  // relative to the directory, parts separated by "/"
  std::uint64_t bytes = 0;
  bool operator==(const ListedFile&) const = default;
};

// kInvalidArgument unless the path stays below its directory: not absolute, no part that is empty, "." or "..".
Status check_listed_path(std::string_view path);
// In the order of a walk through the tree: all of "a/" before "a-b".
bool listed_before(std::string_view left, std::string_view right);

// Sorted, every path checked. kInvalidArgument on a repeated path, on a file that is the directory of another and on
// more than kListedFilesMax.
Result<std::vector<ListedFile>> sorted_listing(const std::vector<ListedFile>& files);
// kInvalidArgument when the sum does not fit.
Result<std::uint64_t> total_bytes(const std::vector<ListedFile>& files);

}  // namespace hyperscale::plan
