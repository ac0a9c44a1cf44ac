// Files that a run reads before it starts, and files that it writes at its end.
//
// Any thread; blocking. Failures say the path and the reason in one sentence.
#pragma once

#include "base/owned_fd.h"
#include "base/result.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace hyperscale::intake {

// The whole file, "-" for standard input; kTooLarge beyond `bytes_max`.
Result<std::string> read_whole_file(const std::string& path, std::size_t bytes_max);
// The same of a descriptor, which is closed; the path is for the sentence.
Result<std::string> read_whole_descriptor(OwnedFd fd, const std::string& path, std::size_t bytes_max);
// For reading. Never waits: what is no regular file is refused.
Result<OwnedFd> open_regular_file(const std::string& path);

// Whether a file can be written there, found out without touching what is there now.
Status check_writable(const std::string& path);
// All or nothing: a reader sees the old content or the new one, never a part of it.
Status replace_file(const std::string& path, std::string_view content);

}  // namespace hyperscale::intake
