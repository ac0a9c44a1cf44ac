#include "report/reporters/line_file.h"

#include "base/errno_text.h"

#include <cerrno>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace hyperscale::report {
namespace {

Error cannot_write(const std::string& name, int error) {
  return {ErrorCode::kUnavailable, fmt::format("cannot write {}: {}", name, errno_text(error))};
}

// Who named it can name another one.
tl::unexpected<Error> cannot_open(const std::string& name, std::string_view why) {
  return fail(ErrorCode::kInvalidArgument, fmt::format("cannot write {}: {}", name, why));
}

}  // namespace

Result<LineFile> LineFile::open(const std::string& path) {
  if (path == "-") {
    OwnedFd copy(::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3));
    if (!copy.valid()) return cannot_open("standard output", errno_text(errno));
    // It may be a file that had content before, or that others append to.
    return LineFile("standard output", std::move(copy), std::nullopt);
  }
  // Without O_NONBLOCK a named pipe would hold up the run until it has a reader.
  OwnedFd file(::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0644));
  if (!file.valid()) {
    return cannot_open(path, errno == ENXIO ? "no program reads this pipe" : errno_text(errno));
  }
  struct stat found{};
  if (::fcntl(file.get(), F_SETFL, 0) != 0 || ::fstat(file.get(), &found) != 0)
    return cannot_open(path, errno_text(errno));
  return LineFile(path, std::move(file), S_ISREG(found.st_mode) ? std::optional<std::int64_t>(0) : std::nullopt);
}

Status LineFile::begin() {
  if (size_ && ::ftruncate(file_.get(), 0) != 0) return fail(cannot_write(name_, errno));
  return {};
}

Status LineFile::append(std::string_view lines) {
  std::string_view left = lines;
  while (!left.empty()) {
    const ssize_t written = ::write(file_.get(), left.data(), left.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) {
      const int why = written < 0 ? errno : ENOSPC;
      if (size_ && ::ftruncate(file_.get(), *size_) != 0) size_.reset();
      return fail(cannot_write(name_, why));
    }
    left.remove_prefix(static_cast<std::size_t>(written));
  }
  if (size_) *size_ += static_cast<std::int64_t>(lines.size());
  return {};
}

}  // namespace hyperscale::report
