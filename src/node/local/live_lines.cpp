#include "node/local/live_lines.h"

#include "base/errno_text.h"

#include <cerrno>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

namespace hyperscale::node {

Result<LiveLines> LiveLines::open(const std::string& path) {
  LiveLines lines;
  lines.path_ = path == "-" ? "standard output" : path;
  lines.file_ = OwnedFd(path == "-" ? ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)
                                    : ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
  if (!lines.file_.valid()) {
    return fail(ErrorCode::kInvalidArgument, fmt::format("cannot write {}: {}", lines.path_, errno_text(errno)));
  }
  return lines;
}

Status LiveLines::write(std::string_view json) {
  if (!file_.valid()) return {};
  const std::string line = fmt::format("{}\n", json);
  std::string_view left = line;
  while (!left.empty()) {
    const ssize_t written = ::write(file_.get(), left.data(), left.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) {
      const int why = written < 0 ? errno : ENOSPC;
      // Not for a pipe or a terminal; what is there has left.
      if (::ftruncate(file_.get(), size_) != 0) size_ = -1;
      file_.close();
      return fail(ErrorCode::kUnavailable, fmt::format("cannot write {}: {}", path_, errno_text(why)));
    }
    left.remove_prefix(static_cast<std::size_t>(written));
  }
  size_ += static_cast<std::int64_t>(line.size());
  return {};
}

}  // namespace hyperscale::node
