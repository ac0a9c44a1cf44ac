#include "report/reporters/json_lines.h"

#include "base/errno_text.h"

#include <cerrno>
#include <string_view>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

namespace hyperscale::report {

Result<std::unique_ptr<JsonLines>> JsonLines::open(const std::string& path) {
  std::string name = path == "-" ? "standard output" : path;
  OwnedFd file(path == "-" ? ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)
                           : ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
  if (!file.valid()) {
    return fail(ErrorCode::kInvalidArgument, fmt::format("cannot write {}: {}", name, errno_text(errno)));
  }
  return std::unique_ptr<JsonLines>(new JsonLines(std::move(name), std::move(file)));
}

Status JsonLines::moment(const live::LiveLine& line) {
  const std::string text = fmt::format("{}\n", line.json);
  std::string_view left = text;
  while (!left.empty()) {
    const ssize_t written = ::write(file_.get(), left.data(), left.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) {
      const int why = written < 0 ? errno : ENOSPC;
      // Not for a pipe or a terminal; what is there has left.
      if (::ftruncate(file_.get(), size_) != 0) size_ = -1;
      return fail(ErrorCode::kUnavailable, fmt::format("cannot write {}: {}", path_, errno_text(why)));
    }
    left.remove_prefix(static_cast<std::size_t>(written));
  }
  size_ += static_cast<std::int64_t>(text.size());
  return {};
}

}  // namespace hyperscale::report
