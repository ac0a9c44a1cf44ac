#include "load/loop/socket_setup.h"

#include <cerrno>

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

namespace hyperscale::load {

namespace {

int failed(int fd, int error) {
  ::close(fd);
  return -error;
}

bool bind_source(int fd, const ConnectOptions& options) {
  if (options.source == nullptr) return true;
  const int on = 1;
  // The port is chosen at connect, by the whole four-tuple: one source address serves more than 28,000 targets.
  ::setsockopt(fd, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &on, sizeof on);
  return ::bind(fd, options.source->get(), options.source->size()) == 0;
}

}  // namespace

int open_client_socket(const SocketAddress& to, const ConnectOptions& options) {
  const int fd = ::socket(to.family(), SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (fd < 0) return -errno;
  const int on = 1;
  if (to.family() != AF_UNIX) ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  return bind_source(fd, options) ? fd : failed(fd, errno);
}

int open_datagram_socket(const SocketAddress& to, const ConnectOptions& options) {
  const int fd = ::socket(to.family(), SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (fd < 0) return -errno;
  if (!bind_source(fd, options) || ::connect(fd, to.get(), to.size()) != 0) return failed(fd, errno);
  return fd;
}

void close_socket(int fd, EventLoop::Close how) {
  if (how == EventLoop::Close::kReset) {
    const linger at_once{1, 0};
    ::setsockopt(fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
  }
  ::close(fd);
}

}  // namespace hyperscale::load
