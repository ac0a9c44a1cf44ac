#include "intake/guarded_child.h"

#include "base/duration_text.h"
#include "base/errno_text.h"
#include "base/size_text.h"
#include "intake/guarded_messages.h"
#include "load/loop/event_loop.h"
#include "runtime/process/child_process.h"
#include "runtime/sandbox/environment.h"
#include "runtime/sandbox/process_memory.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <span>
#include <utility>

#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

namespace hyperscale::intake {
namespace {

constexpr Duration kLookInterval = 50ms;
constexpr std::size_t kReadBytes = std::size_t{64} << 10;

// Never blocks: does not wait for a child that does not read.
bool send_descriptor(int socket, int fd) {
  auto verdict = static_cast<std::uint8_t>(Verdict::kOpened);
  iovec byte{&verdict, 1};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> control{};
  msghdr message{};
  message.msg_iov = &byte;
  message.msg_iovlen = 1;
  message.msg_control = control.data();
  message.msg_controllen = control.size();
  cmsghdr* const with = CMSG_FIRSTHDR(&message);
  with->cmsg_level = SOL_SOCKET;
  with->cmsg_type = SCM_RIGHTS;
  with->cmsg_len = CMSG_LEN(sizeof fd);
  std::memcpy(CMSG_DATA(with), &fd, sizeof fd);
  return ::sendmsg(socket, &message, MSG_DONTWAIT | MSG_NOSIGNAL) == 1;
}

bool send_refusal(int socket, std::string why) {
  why.resize(std::min(why.size(), kGuardedPathBytesMax * 2));
  const auto size = static_cast<std::uint32_t>(why.size());
  std::string bytes(1, static_cast<char>(Verdict::kFailed));
  bytes.append(reinterpret_cast<const char*>(&size), sizeof size).append(why);
  return ::send(socket, bytes.data(), bytes.size(), MSG_DONTWAIT | MSG_NOSIGNAL) == static_cast<ssize_t>(bytes.size());
}

class Watch {
 public:
  Watch(const std::string& file, pid_t child, int fd, const ChildLimits& limits, const OpenForChild& open)
      : file_(file), child_(child), fd_(fd), limits_(limits), open_(open) {}
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;
  ~Watch() {
    if (child_ > 0) end();
  }

  Result<std::vector<std::uint8_t>> answer_to(std::span<const std::uint8_t> request) {
    const std::uint64_t size = request.size();
    std::memcpy(size_.data(), &size, sizeof size);
    unsent_ = {std::span<const std::uint8_t>(size_), request};
    if (Status received = receive(); !received) return fail(received.error());
    const int status = end_of_child();
    if (WIFSIGNALED(status)) return fail(ErrorCode::kInternal, death(WTERMSIG(status)));
    if (WEXITSTATUS(status) != 0 || bytes_.empty())
      return fail(ErrorCode::kInternal, fmt::format("the process that read {} ended without an answer", file_));
    const auto verdict = static_cast<Verdict>(bytes_.front());
    bytes_.erase(bytes_.begin());
    if (verdict == Verdict::kDone) return std::move(bytes_);
    return fail(ErrorCode::kInvalidArgument, std::string(bytes_.begin(), bytes_.end()));
  }

 private:
  Status receive() {
    const MonoTime deadline = load::EventLoop::now() + limits_.answer_within;
    MonoTime next_look;
    for (;;) {
      const MonoTime now = load::EventLoop::now();
      if (now >= deadline)
        return fail(ErrorCode::kTimeout, fmt::format("{} did not end its top-level code within {}", file_,
                                                     format_duration(limits_.answer_within)));
      if (now >= next_look) {
        if (runtime::resident_bytes_of(child_) > limits_.resident_bytes)
          return fail(ErrorCode::kTooLarge, fmt::format("{} takes more than {} of memory in its top-level code", file_,
                                                        format_size(limits_.resident_bytes)));
        next_look = now + kLookInterval;
      }
      send_some();
      const bool sending = !unsent_[0].empty() || !unsent_[1].empty();
      pollfd polled{fd_, static_cast<short>(sending ? POLLIN | POLLOUT : POLLIN), 0};
      const Duration wait = std::min(deadline, next_look) - now;
      const int ready = ::poll(&polled, 1, static_cast<int>(wait / 1ms + 1));
      if (ready < 0 && errno != EINTR)
        return fail(ErrorCode::kInternal, fmt::format("waiting for {}: {}", file_, errno_text(errno)));
      if (ready <= 0 || (polled.revents & ~POLLOUT) == 0) continue;
      const auto more = read_some();
      if (!more) return fail(more.error());
      if (!*more) return {};
    }
  }

  // Sends as much of the request as possible. The reader detects a child that has ended.
  void send_some() {
    for (auto& part : unsent_) {
      while (!part.empty()) {
        const ssize_t sent = ::send(fd_, part.data(), part.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) continue;
        if (sent < 0 && errno == EAGAIN) return;
        if (sent <= 0) return unsent_.fill({});
        part = part.subspan(static_cast<std::size_t>(sent));
      }
    }
  }

  // False at the end of input.
  Result<bool> read_some() {
    const ssize_t got = ::read(fd_, chunk_.data(), chunk_.size());
    if (got < 0 && errno == EINTR) return true;
    // A child that ends before it has read the request resets the connection; waitpid() has the reason.
    if (got < 0 && errno == ECONNRESET) return false;
    if (got < 0) return fail(ErrorCode::kInternal, fmt::format("waiting for {}: {}", file_, errno_text(errno)));
    bytes_.insert(bytes_.end(), chunk_.begin(), chunk_.begin() + got);
    if (Status opened = open_what_is_asked(); !opened) return fail(opened.error());
    if (bytes_.size() > limits_.answer_bytes)
      return fail(ErrorCode::kTooLarge,
                  fmt::format("what {} declares is more than {}", file_, format_size(limits_.answer_bytes)));
    return got > 0;
  }

  Status open_what_is_asked() {
    while (bytes_.size() >= kGuardedOpenHeadBytes && static_cast<Verdict>(bytes_.front()) == Verdict::kOpen) {
      std::uint32_t size = 0;
      std::memcpy(&size, bytes_.data() + 1, sizeof size);
      if (size > kGuardedPathBytesMax || opened_ == kChildFilesMax) return broken_off();
      if (bytes_.size() < kGuardedOpenHeadBytes + size) return {};
      const auto path = bytes_.begin() + kGuardedOpenHeadBytes;
      ++opened_;
      const auto file = open_(std::string(path, path + size));
      bytes_.erase(bytes_.begin(), path + size);
      if (!(file ? send_descriptor(fd_, file->get()) : send_refusal(fd_, file.error().context))) return broken_off();
    }
    return {};
  }

  tl::unexpected<Error> broken_off() const {
    return fail(ErrorCode::kInternal, fmt::format("the process that read {} asked for what it cannot get", file_));
  }

  std::string death(int signal) const {
    if (signal == SIGSYS)
      return fmt::format("the script engine made a system call that is forbidden, in the top-level code of {}", file_);
    if (signal == SIGKILL)
      return fmt::format("the process that read {} was killed, perhaps because the machine has too little memory",
                         file_);
    const char* const name = ::sigabbrev_np(signal);
    return fmt::format("the script engine crashed in the top-level code of {} (SIG{})", file_,
                       name == nullptr ? std::to_string(signal) : name);
  }

  void end() {
    ::kill(child_, SIGKILL);
    end_of_child();
  }

  // The child is about to end, or was killed.
  int end_of_child() {
    int status = 0;
    while (::waitpid(child_, &status, 0) < 0 && errno == EINTR) {
    }
    child_ = -1;
    return status;
  }

  const std::string& file_;
  pid_t child_;
  const int fd_;
  const ChildLimits& limits_;
  const OpenForChild& open_;
  std::array<std::uint8_t, sizeof(std::uint64_t)> size_{};  // of the request
  std::array<std::span<const std::uint8_t>, 2> unsent_;
  std::size_t opened_ = 0;
  std::vector<std::uint8_t> bytes_;
  std::array<std::uint8_t, kReadBytes> chunk_{};
};

tl::unexpected<Error> not_started(const std::string& file, const std::string& why) {
  return fail(ErrorCode::kBusy, fmt::format("cannot read {} in a process of its own: {}", file, why));
}

}  // namespace

Result<std::vector<std::uint8_t>> answer_of_child(const ChildTask& task, const OpenForChild& open,
                                                  const ChildLimits& limits) {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
    return not_started(task.file, errno_text(errno));
  const OwnedFd from(ends[0]);
  OwnedFd to(ends[1]);
  runtime::ChildSetup setup{
      .program = runtime::kOwnProgram,
      .arguments = {"hyperscale", "executor", "--control-fd", std::to_string(runtime::kChildFirstFd)},
      .environment = runtime::kept_environment(),
      .descriptors = {to.get()}};
  // As one argument each: a path may begin with a dash.
  for (const std::string& word : task.work) setup.arguments.push_back("--work=" + word);
  const auto child = runtime::start_child(setup);
  if (!child) return not_started(task.file, child.error().context);
  to.close();
  return Watch(task.file, *child, from.get(), limits, open).answer_to(task.request);
}

}  // namespace hyperscale::intake
