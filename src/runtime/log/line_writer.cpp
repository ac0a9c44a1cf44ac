#include "runtime/log/line_writer.h"

#include "base/errno_text.h"

#include <algorithm>
#include <cerrno>

#include <fcntl.h>
#include <fmt/format.h>
#include <limits.h>  // NOLINT(modernize-deprecated-headers): PIPE_BUF is POSIX
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <unistd.h>

namespace hyperscale::runtime {
namespace {

constexpr mode_t kLogFileMode = 0640;

tl::unexpected<Error> cannot(std::string_view what, ErrorCode code = ErrorCode::kInternal) {
  return fail(code, fmt::format("cannot {}: {}", what, errno_text(errno)));
}

// A second opening of the same pipe or terminal, which does not wait in write(); -1 where that is not possible.
int open_without_waiting(int descriptor) {
  struct stat info{};
  if (::fstat(descriptor, &info) != 0) return -1;
  if (!S_ISFIFO(info.st_mode) && ::isatty(descriptor) != 1) return -1;
  const std::string path = fmt::format("/proc/self/fd/{}", descriptor);
  return ::open(path.c_str(), O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
}

}  // namespace

Result<std::unique_ptr<DescriptorWriter>> DescriptorWriter::borrow(int descriptor) {
  OwnedFd wake(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!wake.valid()) return cannot("start the log");
  OwnedFd own(open_without_waiting(descriptor));
  return std::unique_ptr<DescriptorWriter>(new DescriptorWriter(descriptor, std::move(own), std::move(wake)));
}

Result<std::unique_ptr<DescriptorWriter>> DescriptorWriter::open_file(const std::string& path) {
  OwnedFd file(::open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY, kLogFileMode));
  if (!file.valid()) return cannot(fmt::format("open log file {}", path), ErrorCode::kInvalidArgument);
  OwnedFd wake(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!wake.valid()) return cannot("start the log");
  return std::unique_ptr<DescriptorWriter>(new DescriptorWriter(-1, std::move(file), std::move(wake)));
}

DescriptorWriter::DescriptorWriter(int borrowed, OwnedFd own, OwnedFd wake)
    : own_(std::move(own)), descriptor_(own_.valid() ? own_.get() : borrowed), wake_(std::move(wake)) {}

void DescriptorWriter::write(std::string_view line) {
  while (!line.empty()) {
    if (!wait_writable()) break;
    // A pipe that is ready accepts PIPE_BUF bytes at once and atomically.
    const ssize_t wrote = ::write(descriptor_, line.data(), std::min<std::size_t>(line.size(), PIPE_BUF));
    if (wrote > 0)
      line.remove_prefix(static_cast<std::size_t>(wrote));
    else if (wrote < 0 && errno != EINTR && errno != EAGAIN)
      break;
  }
  if (!line.empty()) ++lost_;
}

bool DescriptorWriter::wait_writable() {
  pollfd waits[] = {{.fd = descriptor_, .events = POLLOUT, .revents = 0},
                    {.fd = wake_.get(), .events = POLLIN, .revents = 0}};
  while (::poll(waits, 2, -1) < 0) {
    if (errno != EINTR) return false;
  }
  return waits[1].revents == 0 && (waits[0].revents & POLLOUT) != 0;
}

void DescriptorWriter::abandon() {
  const std::uint64_t one = 1;
  // Fails only if the counter is full, and the eventfd is then readable anyway.
  [[maybe_unused]] const ssize_t wrote = ::write(wake_.get(), &one, sizeof(one));
}

}  // namespace hyperscale::runtime
