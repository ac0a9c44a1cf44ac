#include "plan/arguments/listed_file.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

namespace hyperscale::plan {
namespace {}  // namespace

Status check_listed_path(std::string_view path) {
  constexpr std::size_t kShownMax = 80;
  const std::string shown = fmt::format("{:?}", path.substr(0, kShownMax));
  if (path.empty()) return invalid("a listed file has no name");
  if (path.size() > kListedPathBytesMax) {
    return invalid(fmt::format("listed path {} has {} bytes, at most {}", shown, path.size(), kListedPathBytesMax));
  }
  if (path.front() == '/') return invalid(fmt::format("listed path {} is absolute", shown));
  if (path.find('\0') != std::string_view::npos) return invalid(fmt::format("listed path {} has a zero byte", shown));
  for (std::size_t start = 0; start <= path.size();) {
    const std::size_t end = std::min(path.find('/', start), path.size());
    const std::string_view part = path.substr(start, end - start);
    if (part.empty() || part == "." || part == "..") {
      return invalid(fmt::format("listed path {} has the part {:?}", shown, part));
    }
    start = end + 1;
  }
  return {};
}

// No path has a zero byte, so it can replace the separator, which then sorts first.
bool listed_before(std::string_view left, std::string_view right) {
  const auto rank = [](char c) { return c == '/' ? 0 : static_cast<int>(static_cast<unsigned char>(c)); };
  return std::ranges::lexicographical_compare(left, right, {}, rank, rank);
}

Result<std::vector<ListedFile>> sorted_listing(const std::vector<ListedFile>& files) {
  if (files.size() > kListedFilesMax) {
    return invalid(fmt::format("{} listed files, at most {} are possible", files.size(), kListedFilesMax));
  }
  for (const ListedFile& file : files) {
    if (Status checked = check_listed_path(file.path); !checked) return fail(checked.error());
  }
  std::vector<ListedFile> sorted = files;
  std::ranges::sort(sorted, listed_before, &ListedFile::path);
  for (std::size_t i = 1; i < sorted.size(); ++i) {
    const std::string& before = sorted[i - 1].path;
    const std::string& path = sorted[i].path;
    if (before == path) return invalid(fmt::format("{:?} is listed twice", path));
    // The separator sorts first, so paths below a path follow directly behind it.
    if (path.starts_with(before) && path[before.size()] == '/') {
      return invalid(fmt::format("{:?} is listed as a file and as a directory", before));
    }
  }
  return sorted;
}

Result<std::uint64_t> total_bytes(const std::vector<ListedFile>& files) {
  std::uint64_t total = 0;
  for (const ListedFile& file : files) {
    if (file.bytes > std::numeric_limits<std::uint64_t>::max() - total)
      return invalid("the listed sizes are too large");
    total += file.bytes;
  }
  return total;
}

}  // namespace hyperscale::plan
