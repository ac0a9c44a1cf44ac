// Opening client sockets the way a load generator wants them: non-blocking, closed on exec, without Nagle's delay.
#pragma once

#include "load/loop/event_loop.h"

namespace hyperscale::load {

// A new stream socket for `to`, bound to the source address if one is given. Negative: errno with its sign changed.
int open_client_socket(const SocketAddress& to, const ConnectOptions& options);
// The same for datagrams, connected to `to` already.
int open_datagram_socket(const SocketAddress& to, const ConnectOptions& options);
void close_socket(int fd, EventLoop::Close how);

}  // namespace hyperscale::load
