// Reads files before a run, and writes files at its end.
//
// Any thread; blocking. Failures contain the path and the reason in one sentence.
#pragma once

#include "base/owned_fd.h"
#include "base/result.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace hyperscale::intake {

// Reads the whole file, "-" for standard input; kTooLarge beyond `bytes_max`.
Result<std::string> read_whole_file(const std::string& path, std::size_t bytes_max);
// As read_whole_file() for a descriptor, which it closes; `path` is used in the error.
Result<std::string> read_whole_descriptor(OwnedFd fd, const std::string& path, std::size_t bytes_max);
// For reading. Never waits: refuses everything but regular files.
Result<OwnedFd> open_regular_file(const std::string& path);

// Checks whether the file can be written, without changing an existing one.
Status check_writable(const std::string& path);
// The same for a file that is opened instead of replaced: an existing one must be writable itself.
Status check_writable_in_place(const std::string& path);
// Atomic for regular files: a reader sees the old content or the new one, never a part of it.
Status replace_file(const std::string& path, std::string_view content);

}  // namespace hyperscale::intake
