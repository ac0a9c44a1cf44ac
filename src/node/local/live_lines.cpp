#include "node/local/live_lines.h"

#include "base/errno_text.h"

#include <cerrno>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

namespace hyperscale::node {

LiveLines::LiveLines(LiveLines&& other) noexcept
    : path_(std::move(other.path_)), descriptor_(std::exchange(other.descriptor_, -1)), size_(other.size_) {}

LiveLines& LiveLines::operator=(LiveLines&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(descriptor_, other.descriptor_);
  std::swap(size_, other.size_);
  return *this;
}

LiveLines::~LiveLines() {
  close();
}

void LiveLines::close() {
  if (descriptor_ >= 0) ::close(descriptor_);
  descriptor_ = -1;
}

Result<LiveLines> LiveLines::open(const std::string& path) {
  LiveLines lines;
  lines.path_ = path == "-" ? "standard output" : path;
  lines.descriptor_ = path == "-" ? ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)
                                  : ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (lines.descriptor_ < 0) {
    return fail(ErrorCode::kInvalidArgument, fmt::format("cannot write {}: {}", lines.path_, errno_text(errno)));
  }
  return lines;
}

Status LiveLines::write(std::string_view json) {
  if (descriptor_ < 0) return {};
  const std::string line = fmt::format("{}\n", json);
  std::string_view left = line;
  while (!left.empty()) {
    const ssize_t written = ::write(descriptor_, left.data(), left.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) {
      const int why = written < 0 ? errno : ENOSPC;
      // Not for a pipe or a terminal; what is there has left.
      if (::ftruncate(descriptor_, size_) != 0) size_ = -1;
      close();
      return fail(ErrorCode::kUnavailable, fmt::format("cannot write {}: {}", path_, errno_text(why)));
    }
    left.remove_prefix(static_cast<std::size_t>(written));
  }
  size_ += static_cast<std::int64_t>(line.size());
  return {};
}

}  // namespace hyperscale::node
