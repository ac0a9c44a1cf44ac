#include "target/listener.h"

#include "base/errno_text.h"
#include "load/loop/socket_address.h"

#include <cerrno>
#include <cstring>

#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/socket.h>

namespace hyperscale::target {
namespace {

using load::SocketAddress;

constexpr int kBacklog = 4096;
constexpr int kReceiveBytes = 8 << 20;  // of UDP, limited by the kernel: for a burst of all users at once

tl::unexpected<Error> cannot_listen(const SocketAddress& address) {
  return fail(ErrorCode::kUnavailable, fmt::format("cannot listen on {}: {}", address.to_string(), errno_text(errno)));
}

bool set_option(int fd, int option) {
  const int on = 1;
  return ::setsockopt(fd, SOL_SOCKET, option, &on, sizeof on) == 0;
}

OwnedFd open_socket(const SocketAddress& address, int type = SOCK_STREAM) {
  return OwnedFd(::socket(address.family(), type | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
}

bool bind_to(const OwnedFd& socket, const SocketAddress& address) {
  return ::bind(socket.get(), address.get(), address.size()) == 0;
}

// SO_REUSEPORT alone would let a second server on the same port steal connections from the first.
// For UDP, SO_REUSEADDR would do the same.
Status check_free(const SocketAddress& address, int type) {
  const OwnedFd probe = open_socket(address, type);
  const bool reuses = type == SOCK_DGRAM || set_option(probe.get(), SO_REUSEADDR);
  if (probe.get() < 0 || !reuses || !bind_to(probe, address)) return cannot_listen(address);
  return {};
}

Result<OwnedFd> open_shared(const SocketAddress& address, int type) {
  OwnedFd socket = open_socket(address, type);
  if (socket.get() < 0 || !set_option(socket.get(), SO_REUSEADDR) || !set_option(socket.get(), SO_REUSEPORT) ||
      !bind_to(socket, address) || (type == SOCK_STREAM && ::listen(socket.get(), kBacklog) != 0)) {
    return cannot_listen(address);
  }
  if (type == SOCK_DGRAM) ::setsockopt(socket.get(), SOL_SOCKET, SO_RCVBUF, &kReceiveBytes, sizeof kReceiveBytes);
  return socket;
}

std::uint16_t port_of(const OwnedFd& socket) {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  ::getsockname(socket.get(), reinterpret_cast<sockaddr*>(&address), &size);
  // The port is at the same place for IPv4 and IPv6.
  return ntohs(reinterpret_cast<const sockaddr_in*>(&address)->sin_port);
}

Result<PortSockets> open_port(const std::string& address, std::uint16_t port, unsigned cores, int type) {
  PortSockets listeners;
  listeners.port = port;
  for (unsigned i = 0; i < cores; ++i) {
    const auto to = SocketAddress::from_literal(address, listeners.port);
    if (!to) return fail(to.error());
    if (i == 0) {
      if (Status free = check_free(*to, type); !free) return fail(free.error());
    }
    auto socket = open_shared(*to, type);
    if (!socket) return fail(socket.error());
    listeners.port = port_of(*socket);
    listeners.sockets.push_back(std::move(*socket));
  }
  return listeners;
}

}  // namespace

Result<PortSockets> listen_tcp(const std::string& address, std::uint16_t port, unsigned cores) {
  return open_port(address, port, cores, SOCK_STREAM);
}

Result<PortSockets> bind_udp(const std::string& address, std::uint16_t port, unsigned cores) {
  return open_port(address, port, cores, SOCK_DGRAM);
}

Result<OwnedFd> listen_unix(const std::string& path) {
  const auto address = SocketAddress::from_unix_path(path);
  if (!address) return fail(address.error());
  OwnedFd socket = open_socket(*address);
  if (socket.get() < 0) return cannot_listen(*address);
  if (!bind_to(socket, *address)) {
    if (errno != EADDRINUSE) return cannot_listen(*address);
    const OwnedFd probe = open_socket(*address);
    const bool abandoned = ::connect(probe.get(), address->get(), address->size()) != 0 && errno == ECONNREFUSED;
    if (abandoned) ::unlink(path.c_str());
    errno = EADDRINUSE;
    if (!abandoned || !bind_to(socket, *address)) return cannot_listen(*address);
  }
  if (::listen(socket.get(), kBacklog) != 0) return cannot_listen(*address);
  return socket;
}

}  // namespace hyperscale::target
