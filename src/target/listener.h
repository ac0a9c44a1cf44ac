// Opens listening sockets. A port that another process listens on is refused, although the cores of this server share
// theirs.
#pragma once

#include "base/owned_fd.h"
#include "base/result.h"

#include <cstdint>
#include <string>
#include <vector>

namespace hyperscale::target {

struct PortSockets {
  std::vector<OwnedFd> sockets;  // one per core, the kernel spreads connections and peers over them
  std::uint16_t port = 0;
  int of(unsigned core) const { return core < sockets.size() ? sockets[core].get() : -1; }  // negative: no socket
};

// `address` is a literal; port 0 takes a free one. Fails with kUnavailable or kInvalidArgument.
Result<PortSockets> listen_tcp(const std::string& address, std::uint16_t port, unsigned cores);
// UDP sockets in place of listeners.
Result<PortSockets> bind_udp(const std::string& address, std::uint16_t port, unsigned cores);
// A socket file without a listener is replaced.
Result<OwnedFd> listen_unix(const std::string& path);

}  // namespace hyperscale::target
