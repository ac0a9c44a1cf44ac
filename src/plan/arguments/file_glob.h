// FileGlob: the files of a listing that match a pattern, in order.
//
// Pure functions; any thread: the caller has scanned the directory. kInvalidArgument on an invalid pattern
// (glob_pattern.h) or listing (listed_file.h), and if no file matches.
#pragma once

#include "plan/arguments/argument.h"
#include "plan/arguments/listed_file.h"

#include <cstdint>
#include <string>
#include <vector>

namespace hyperscale::plan {

struct GlobValue {
  std::string pattern;
  std::vector<ListedFile> listing;
};

struct PreparedGlob {
  std::vector<ListedFile> files;  // in the order of a walk through the tree
  std::uint64_t bytes = 0;        // of all of them
};

Result<PreparedGlob> prepare_file_glob(const GlobValue& value);
using FileGlob = Argument<GlobValue, PreparedGlob, prepare_file_glob>;

}  // namespace hyperscale::plan
