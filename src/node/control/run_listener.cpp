#include "node/control/run_listener.h"

#include "base/owned_fd.h"
#include "load/loop/socket_address.h"

#include <cerrno>
#include <fstream>
#include <iterator>

#include <fmt/format.h>
#include <sys/socket.h>
#include <unistd.h>

namespace hyperscale::node {
namespace {

// Reads the state letter after the program name, which may itself contain brackets and blanks.
bool is_stopped(pid_t process) {
  std::ifstream file(fmt::format("/proc/{}/stat", process));
  const std::string stat{std::istreambuf_iterator<char>(file), {}};
  const std::size_t name_end = stat.rfind(')');
  if (name_end == std::string::npos || name_end + 2 >= stat.size()) return false;
  const char state = stat[name_end + 2];
  return state == 'T' || state == 't';
}

}  // namespace

RunListener listener_of(const std::string& socket_path) {
  RunListener listener;
  const auto address = load::SocketAddress::from_unix_path(socket_path);
  if (!address) return listener;
  const OwnedFd socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (!socket.valid()) return listener;
  if (::connect(socket.get(), address->get(), address->size()) != 0) {
    listener.dead = errno == ECONNREFUSED;
  } else {
    ucred peer{};
    socklen_t size = sizeof peer;
    if (::getsockopt(socket.get(), SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0) listener.process = peer.pid;
    listener.suspended = listener.process > 0 && is_stopped(listener.process);
  }
  return listener;
}

}  // namespace hyperscale::node
