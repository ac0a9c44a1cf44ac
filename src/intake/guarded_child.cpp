#include "intake/guarded_child.h"

#include "base/check.h"
#include "base/duration_text.h"
#include "base/errno_text.h"
#include "base/size_text.h"
#include "load/loop/event_loop.h"
#include "runtime/sandbox/environment.h"
#include "runtime/sandbox/process_memory.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <span>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

namespace hyperscale::intake {
namespace {

// First byte of what a child sends; the rest is the answer or the sentence. Before that it may ask for files: this
// byte, the length of the path (4 bytes), the path. The answer is kOpened with the descriptor, or kFailed, a length and
// why.
enum class Verdict : std::uint8_t { kDone = 'D', kFailed = 'F', kOpen = 'O', kOpened = 'o' };

constexpr std::size_t kPathBytesMax = 4096;
constexpr std::size_t kOpenHeadBytes = 1 + sizeof(std::uint32_t);

int parent_fd = -1;  // of a child

constexpr Duration kLookInterval = 50ms;
constexpr std::size_t kReadBytes = std::size_t{64} << 10;

// Zero where nobody can tell.
std::ptrdiff_t threads_of_process() {
  std::error_code unknown;
  return std::distance(std::filesystem::directory_iterator("/proc/self/task", unknown),
                       std::filesystem::directory_iterator());
}

void send_all(int fd, std::span<const std::uint8_t> bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ::write(fd, bytes.data(), bytes.size());
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) ::_exit(1);
    bytes = bytes.subspan(static_cast<std::size_t>(sent));
  }
}

void send_all(int fd, Verdict verdict, std::span<const std::uint8_t> bytes) {
  send_all(fd, std::array{static_cast<std::uint8_t>(verdict)});
  send_all(fd, bytes);
}

std::string cut(std::string text) {
  if (text.size() <= kChildErrorBytesMax) return text;
  std::size_t size = kChildErrorBytesMax;
  while (size > 0 && (static_cast<unsigned char>(text[size]) & 0xC0U) == 0x80) --size;
  text.resize(size);
  return text + "...";
}

constexpr int kChildSocket = 3;

// No descriptor of the parent but standard error.
void keep_only(int fd) {
  const int nothing = ::open("/dev/null", O_RDWR);
  ::dup2(nothing, STDIN_FILENO);
  ::dup2(nothing, STDOUT_FILENO);
  if (::dup2(fd, kChildSocket) < 0) ::_exit(1);
  ::close_range(kChildSocket + 1, ~0U, 0);
}

Status enter(pid_t parent, const ChildRights& rights) {
  if (Status loaded = rights.load(); !loaded) return loaded;
  if (Status entered = runtime::enter_sandbox(rights.user); !entered) return entered;
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(1);
  if (Status started = rights.start(); !started) return started;
  const auto sealed = runtime::seal_sandbox(rights.sockets);
  return sealed ? Status() : fail(sealed.error());
}

void receive_all(void* into, std::size_t size) {
  for (auto* to = static_cast<std::byte*>(into); size > 0;) {
    const ssize_t got = ::read(parent_fd, to, size);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) ::_exit(1);
    to += got;
    size -= static_cast<std::size_t>(got);
  }
}

// One byte, and the descriptor that may come with it.
std::pair<Verdict, int> receive_descriptor() {
  std::uint8_t verdict = 0;
  iovec byte{&verdict, 1};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> control{};
  msghdr message{};
  message.msg_iov = &byte;
  message.msg_iovlen = 1;
  message.msg_control = control.data();
  message.msg_controllen = control.size();
  ssize_t got = 0;
  do got = ::recvmsg(parent_fd, &message, MSG_CMSG_CLOEXEC);
  while (got < 0 && errno == EINTR);
  if (got != 1) ::_exit(1);
  int fd = -1;
  const cmsghdr* const with = CMSG_FIRSTHDR(&message);
  if (with != nullptr && with->cmsg_type == SCM_RIGHTS) std::memcpy(&fd, CMSG_DATA(with), sizeof fd);
  return {static_cast<Verdict>(verdict), fd};
}

// Never blocks: a child that does not read is not waited for.
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
  why.resize(std::min(why.size(), kPathBytesMax * 2));
  const auto size = static_cast<std::uint32_t>(why.size());
  std::string bytes(1, static_cast<char>(Verdict::kFailed));
  bytes.append(reinterpret_cast<const char*>(&size), sizeof size).append(why);
  return ::send(socket, bytes.data(), bytes.size(), MSG_DONTWAIT | MSG_NOSIGNAL) == static_cast<ssize_t>(bytes.size());
}

// Memory is watched from outside and not limited by the system: the script engine maps 4 GiB of writable addresses
// before it runs anything, so with RLIMIT_DATA (or RLIMIT_AS) at 4 GiB or less no script runs at all, and where a limit
// above that is met the engine ends by SIGABRT, which says nothing about memory.
[[noreturn]] void be_child(int fd, pid_t parent, const ChildWork& work, const ChildRights& rights) {
  ::prctl(PR_SET_NAME, "hyperscale: js");
  keep_only(fd);
  parent_fd = kChildSocket;
  runtime::clear_environment();
  const Status ready = enter(parent, rights);
  const auto answer = ready ? work() : Result<std::vector<std::uint8_t>>(fail(ready.error()));
  if (answer)
    send_all(parent_fd, Verdict::kDone, *answer);
  else {
    const std::string text = cut(answer.error().context);
    send_all(parent_fd, Verdict::kFailed, std::span(reinterpret_cast<const std::uint8_t*>(text.data()), text.size()));
  }
  // Nothing of the parent's is flushed, destroyed or unlinked here.
  ::_exit(0);
}

class Watch {
 public:
  Watch(const std::string& file, pid_t child, int fd, const ChildLimits& limits, const ChildRights& rights)
      : file_(file), child_(child), fd_(fd), limits_(limits), rights_(rights) {}
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;
  ~Watch() {
    if (child_ > 0) end();
  }

  Result<std::vector<std::uint8_t>> answer() {
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
      pollfd polled{fd_, POLLIN, 0};
      const Duration wait = std::min(deadline, next_look) - now;
      const int ready = ::poll(&polled, 1, static_cast<int>(wait / 1ms + 1));
      if (ready < 0 && errno != EINTR)
        return fail(ErrorCode::kInternal, fmt::format("waiting for {}: {}", file_, errno_text(errno)));
      if (ready <= 0) continue;
      const auto more = read_some();
      if (!more) return fail(more.error());
      if (!*more) return {};
    }
  }

  // Whether there may be more.
  Result<bool> read_some() {
    const ssize_t got = ::read(fd_, chunk_.data(), chunk_.size());
    if (got < 0 && errno == EINTR) return true;
    if (got < 0) return fail(ErrorCode::kInternal, fmt::format("waiting for {}: {}", file_, errno_text(errno)));
    bytes_.insert(bytes_.end(), chunk_.begin(), chunk_.begin() + got);
    if (Status opened = open_what_is_asked(); !opened) return fail(opened.error());
    if (bytes_.size() > limits_.answer_bytes)
      return fail(ErrorCode::kTooLarge,
                  fmt::format("what {} declares is more than {}", file_, format_size(limits_.answer_bytes)));
    return got > 0;
  }

  Status open_what_is_asked() {
    while (bytes_.size() >= kOpenHeadBytes && static_cast<Verdict>(bytes_.front()) == Verdict::kOpen) {
      std::uint32_t size = 0;
      std::memcpy(&size, bytes_.data() + 1, sizeof size);
      if (size > kPathBytesMax || opened_ == kChildFilesMax) return broken_off();
      if (bytes_.size() < kOpenHeadBytes + size) return {};
      const auto path = bytes_.begin() + kOpenHeadBytes;
      ++opened_;
      const auto file = rights_.open(std::string(path, path + size));
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

  // It has closed its end, so it is about to end or was told to.
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
  const ChildRights& rights_;
  std::size_t opened_ = 0;
  std::vector<std::uint8_t> bytes_;
  std::array<std::uint8_t, kReadBytes> chunk_{};
};

}  // namespace

Result<OwnedFd> open_in_parent(const std::string& path) {
  CHECK(parent_fd >= 0, "asked for {} outside of a child", path);
  if (path.size() > kPathBytesMax) return fail(ErrorCode::kInvalidArgument, "cannot read a path that long");
  const auto size = static_cast<std::uint32_t>(path.size());
  std::string bytes(1, static_cast<char>(Verdict::kOpen));
  bytes.append(reinterpret_cast<const char*>(&size), sizeof size).append(path);
  send_all(parent_fd, std::span(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()));
  const auto [verdict, fd] = receive_descriptor();
  if (verdict == Verdict::kOpened) return OwnedFd(fd);
  std::uint32_t length = 0;
  receive_all(&length, sizeof length);
  std::string why(length, '\0');
  receive_all(why.data(), why.size());
  return fail(ErrorCode::kInvalidArgument, std::move(why));
}

Result<std::vector<std::uint8_t>> answer_of_child(const std::string& file, const ChildWork& work,
                                                  const ChildLimits& limits, const ChildRights& rights) {
  const std::ptrdiff_t threads = threads_of_process();
  CHECK(threads <= 1, "a process with {} threads cannot be copied", threads);
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
    return fail(ErrorCode::kBusy, fmt::format("cannot read {} in a process of its own: {}", file, errno_text(errno)));
  const OwnedFd from(ends[0]);
  OwnedFd to(ends[1]);
  std::fflush(nullptr);
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child < 0)
    return fail(ErrorCode::kBusy, fmt::format("cannot read {} in a process of its own: {}", file, errno_text(errno)));
  if (child == 0) be_child(to.get(), parent, work, rights);
  to.close();
  return Watch(file, child, from.get(), limits, rights).answer();
}

}  // namespace hyperscale::intake
