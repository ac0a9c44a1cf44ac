#include "intake/guarded_work.h"

#include "base/check.h"
#include "intake/guarded_messages.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <span>
#include <utility>

#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

namespace hyperscale::intake {
namespace {

int parent_fd = -1;

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

void receive_all(void* into, std::size_t size) {
  for (auto* to = static_cast<std::byte*>(into); size > 0;) {
    const ssize_t got = ::read(parent_fd, to, size);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) ::_exit(1);
    to += got;
    size -= static_cast<std::size_t>(got);
  }
}

// Receives one byte, and the descriptor that may be attached.
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

std::vector<std::uint8_t> receive_request() {
  std::uint64_t size = 0;
  receive_all(&size, sizeof size);
  if (size > kGuardedRequestBytesMax) ::_exit(1);
  std::vector<std::uint8_t> request(size);
  receive_all(request.data(), request.size());
  return request;
}

// The creator of the socketpair is the parent. Checked after PR_SET_PDEATHSIG, to detect an earlier death too.
void die_with_parent() {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  ucred creator{};
  socklen_t size = sizeof creator;
  if (::getsockopt(parent_fd, SOL_SOCKET, SO_PEERCRED, &creator, &size) != 0 || ::getppid() != creator.pid) ::_exit(1);
}

Status enter(const WorkRights& rights) {
  if (Status loaded = rights.load(); !loaded) return loaded;
  if (Status entered = runtime::enter_sandbox(rights.user); !entered) return entered;
  die_with_parent();  // again: the kernel clears the death signal on a change of user
  if (Status started = rights.start(); !started) return started;
  const auto sealed = runtime::seal_sandbox(rights.sockets);
  return sealed ? Status() : fail(sealed.error());
}

// The parent watches memory instead of a system limit: the script engine maps 4 GiB of writable addresses before it
// runs anything, so with RLIMIT_DATA (or RLIMIT_AS) at 4 GiB or less no script runs at all, and beyond a higher limit
// the engine ends by SIGABRT, which does not mention memory.
Result<std::vector<std::uint8_t>> answer(std::span<const std::string> words, const GuardedWorks& works) {
  const auto found = std::ranges::find(works, words.front(), &GuardedWorks::value_type::first);
  if (found == works.end())
    return fail(ErrorCode::kInvalidArgument, fmt::format("there is no work called {}", words.front()));
  auto work = found->second(words.subspan(1), receive_request());
  if (!work) return fail(work.error());
  if (Status ready = enter(work->rights); !ready) return fail(ready.error());
  return work->run();
}

}  // namespace

int run_guarded_work(int control_fd, std::span<const std::string> words, const GuardedWorks& works) {
  CHECK(!words.empty());
  ::prctl(PR_SET_NAME, "hyperscale: js");
  ::prctl(PR_SET_DUMPABLE, 0);  // exec has reset it, and the request may hold secrets
  parent_fd = control_fd;
  die_with_parent();
  const auto answered = answer(words, works);
  if (answered) {
    send_all(parent_fd, Verdict::kDone, *answered);
  } else {
    const std::string text = cut(answered.error().context);
    send_all(parent_fd, Verdict::kFailed, std::span(reinterpret_cast<const std::uint8_t*>(text.data()), text.size()));
  }
  // _exit: threads of the script engine may be running.
  ::_exit(0);
}

Result<OwnedFd> open_in_parent(const std::string& path) {
  CHECK(parent_fd >= 0, "asked for {} outside of guarded work", path);
  if (path.size() > kGuardedPathBytesMax) return fail(ErrorCode::kInvalidArgument, "cannot read a path that long");
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

}  // namespace hyperscale::intake
