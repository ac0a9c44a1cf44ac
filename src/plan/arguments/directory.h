// Directory: the content of a directory scanned before the run: its files and folders in order, and their size.
//
// Pure functions; any thread: the caller has scanned the directory, which may be empty. kInvalidArgument on a listing
// that leaves the directory or contradicts itself (listed_file.h).
#pragma once

#include "plan/arguments/argument.h"
#include "plan/arguments/listed_file.h"

#include <cstdint>
#include <string>
#include <vector>

namespace hyperscale::plan {

struct PreparedDirectory {
  std::vector<ListedFile> files;  // in the order of a walk through the tree
  std::vector<std::string>
      folders;              // all that hold a file, parents before what is in them; without the directory itself
  std::uint64_t bytes = 0;  // of all files
};

Result<PreparedDirectory> prepare_directory(const std::vector<ListedFile>& listing);
using Directory = Argument<std::vector<ListedFile>, PreparedDirectory, prepare_directory>;

}  // namespace hyperscale::plan
