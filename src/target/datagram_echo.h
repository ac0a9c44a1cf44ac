// DatagramEcho: sends every datagram back to its sender; one socket of one core.
//
//   DELAY 200ms text    the same datagram, after that time; at most kDelayedDatagramsMax wait at once
//   NEVER ...           no answer
//
// Every datagram counts as one exchange, before its answer is sent. When the kernel has no room for an answer nothing
// more is read until it has: on loopback no datagram is lost here.
//
// Single-threaded. The loop, the counters and the socket outlive it.
#pragma once

#include "load/loop/event_loop.h"
#include "target/counters.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <sys/socket.h>

namespace hyperscale::target {

class DatagramEcho {
 public:
  DatagramEcho(load::EventLoop& loop, CoreCounters& counters, int socket);
  ~DatagramEcho();
  DatagramEcho(const DatagramEcho&) = delete;
  DatagramEcho& operator=(const DatagramEcho&) = delete;

 private:
  struct Peer {
    sockaddr_storage address;
    socklen_t size;
  };
  struct Held {
    Peer to;
    std::string bytes;
  };

  void read();
  void take(std::string_view datagram, const Peer& from);
  // False: the kernel has no room.
  bool send(std::string_view datagram, const Peer& to) const;
  void send_or_hold(std::string_view datagram, const Peer& to);
  void send_held();
  void send_due();

  load::EventLoop& loop_;
  CoreCounters& counters_;
  const int socket_;
  std::vector<char> buffer_;
  std::vector<Held> held_;  // answers that wait for room in the kernel
  std::multimap<MonoTime, Held> delayed_;
  load::Timer due_;
};

}  // namespace hyperscale::target
