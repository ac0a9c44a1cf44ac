// Reads files, directories and patterns that options name, before the run, for the arguments of src/plan.
//
// Any thread; blocking. Symbolic links to files are files; those to directories are not followed, so a scan ends. Other
// entries (sockets, pipes, dangling links) below a directory are skipped. Failures contain the path and the reason in
// one sentence.
#pragma once

#include "base/result.h"
#include "plan/arguments/file.h"
#include "plan/arguments/listed_file.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace hyperscale::intake {

inline constexpr std::size_t kScanEntriesMax = 200'000;  // visited by one scan, folders included
inline constexpr std::size_t kScanDepthMax = 64;
inline constexpr std::uint64_t kNamedFilesBytesMax = std::uint64_t{192} << 20;  // of all files named by one option

struct ScanOptions {
  std::size_t depth_max = kScanDepthMax;  // 1: only the directory itself
  bool hidden = false;                    // include names that start with a dot
  std::size_t entries_max = kScanEntriesMax;
};

// Unordered. kTooLarge beyond `entries_max` or below more than kScanDepthMax folders.
Result<std::vector<plan::ListedFile>> scan_directory(const std::string& directory, const ScanOptions& options);

// A file, all files below a directory (without hidden ones), or the files that a pattern matches (plan's
// glob_pattern.h), in the order of a walk through the tree. An existing path is never a pattern. Returns at least one
// file; kTooLarge beyond `files_max` or kNamedFilesBytesMax.
Result<std::vector<plan::PreparedFile>> read_named_files(const std::string& path_or_pattern, std::size_t files_max);

}  // namespace hyperscale::intake
