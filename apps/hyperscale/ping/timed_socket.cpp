#include "apps/hyperscale/ping/timed_socket.h"

#include "base/errno_text.h"
#include "load/loop/event_loop.h"
#include "load/loop/socket_address.h"

#include <cerrno>

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace hyperscale::app {
namespace {

tl::unexpected<Error> failed(int error) {
  return fail(ErrorCode::kUnavailable, errno_text(error));
}

}  // namespace

Result<TimedSocket> TimedSocket::connect(const std::string& address, std::uint16_t port, MonoTime deadline) {
  const auto to = load::SocketAddress::from_literal(address, port);
  if (!to) return fail(to.error());
  TimedSocket socket(::socket(to->family(), SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (!socket.fd_.valid()) return failed(errno);
  if (::connect(socket.fd_.get(), to->get(), to->size()) == 0) return socket;
  if (errno != EINPROGRESS) return failed(errno);
  if (Status ready = socket.wait(POLLOUT, deadline); !ready) return fail(ready.error());
  int error = 0;
  socklen_t size = sizeof error;
  ::getsockopt(socket.fd_.get(), SOL_SOCKET, SO_ERROR, &error, &size);
  if (error != 0) return failed(error);
  return socket;
}

Status TimedSocket::wait(short events, MonoTime deadline) const {
  for (;;) {
    const MonoTime now = load::EventLoop::now();
    if (now >= deadline) return fail(ErrorCode::kTimeout, "timed out");
    pollfd polled{fd_.get(), events, 0};
    const int ready = ::poll(&polled, 1, static_cast<int>((deadline - now) / 1ms + 1));
    if (ready > 0) return {};
    if (ready < 0 && errno != EINTR) return failed(errno);
  }
}

Result<std::size_t> TimedSocket::read(std::span<char> into, MonoTime deadline) {
  for (;;) {
    if (Status ready = wait(POLLIN, deadline); !ready) return fail(ready.error());
    const ssize_t got = ::recv(fd_.get(), into.data(), into.size(), 0);
    if (got >= 0) return static_cast<std::size_t>(got);
    if (errno != EAGAIN && errno != EINTR) return failed(errno);
  }
}

void TimedSocket::write(std::string_view text) {
  [[maybe_unused]] const ssize_t sent = ::send(fd_.get(), text.data(), text.size(), MSG_NOSIGNAL);
}

}  // namespace hyperscale::app
