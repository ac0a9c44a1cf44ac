// LineFile: a file that grows by whole lines. "-" is standard output.
//
// One thread; blocking. A write that fails half way is truncated away, so that the file ends with a whole line.
// Standard output is never truncated: it may be a pipe, or a file with content of others.
#pragma once

#include "base/owned_fd.h"
#include "base/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace hyperscale::report {

class LineFile {
 public:
  // The content of an existing file stays until begin(). kInvalidArgument with the sentence that the user sees, also
  // for a named pipe without a reader.
  static Result<LineFile> open(const std::string& path);

  // Empties the file; standard output, pipes and devices stay as they are.
  Status begin();

  // All of `lines` or, in a file, none of them. REQUIRES: it ends with a newline.
  Status append(std::string_view lines);

 private:
  LineFile(std::string name, OwnedFd file, std::optional<std::int64_t> size)
      : name_(std::move(name)), file_(std::move(file)), size_(size) {}

  std::string name_;
  OwnedFd file_;
  std::optional<std::int64_t> size_;  // of the whole lines, if the file may be truncated to them
};

}  // namespace hyperscale::report
