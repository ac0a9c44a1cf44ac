// Opens client sockets: non-blocking, closed on exec, without Nagle's delay.
#pragma once

#include "load/loop/event_loop.h"

namespace hyperscale::load {

// A new stream socket for `to`, bound to the source address if one is given. Negative: -errno.
int open_client_socket(const SocketAddress& to, const ConnectOptions& options);
// The same for datagrams, already connected to `to`.
int open_datagram_socket(const SocketAddress& to, const ConnectOptions& options);
void close_socket(int fd, EventLoop::Close how);

}  // namespace hyperscale::load
