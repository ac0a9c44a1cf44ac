#include "node/executors/address_probe.h"

#include "base/owned_fd.h"
#include "load/loop/event_loop.h"
#include "load/loop/socket_address.h"

#include <algorithm>
#include <cerrno>

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace hyperscale::node {
namespace {

// The socket of a pending connection; invalid if it failed.
OwnedFd begin_connect(const std::string& address, std::uint16_t port) {
  const auto to = load::SocketAddress::from_literal(address, port);
  if (!to) return {};
  OwnedFd fd(::socket(to->family(), SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (!fd.valid()) return {};
  if (::connect(fd.get(), to->get(), to->size()) == 0 || errno == EINPROGRESS) return fd;
  return {};
}

bool connected(int fd) {
  int error = 0;
  socklen_t size = sizeof error;
  return ::getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size) == 0 && error == 0;
}

}  // namespace

std::vector<std::string> reachable_addresses(const std::vector<std::string>& addresses, std::uint16_t port,
                                             Duration timeout) {
  std::vector<OwnedFd> sockets;
  std::vector<pollfd> tries;  // -1: result known
  for (const std::string& address : addresses) {
    sockets.push_back(begin_connect(address, port));
    tries.push_back({sockets.back().get(), POLLOUT, 0});
  }
  std::vector<bool> reached(addresses.size());
  const MonoTime deadline = load::EventLoop::now() + timeout;
  const auto pending = [](const pollfd& one) { return one.fd >= 0; };
  for (MonoTime now = load::EventLoop::now(); now < deadline && std::ranges::any_of(tries, pending);
       now = load::EventLoop::now()) {
    ::poll(tries.data(), tries.size(), static_cast<int>((deadline - now) / 1ms + 1));
    for (std::size_t i = 0; i < tries.size(); ++i) {
      if (tries[i].fd < 0 || tries[i].revents == 0) continue;
      reached[i] = connected(tries[i].fd);
      tries[i].fd = -1;
    }
  }
  std::vector<std::string> out;
  for (std::size_t i = 0; i < tries.size(); ++i)
    if (reached[i]) out.push_back(addresses[i]);
  return out.empty() ? addresses : out;
}

}  // namespace hyperscale::node
