// LateSockets: UDP sockets of exchanges that timed out, kept open to count late datagrams.
//
// Single-threaded; one for all users of an executor, and it outlives their clients. Bounded: beyond kLateSocketsMax the
// oldest is closed, and later datagrams to it are not counted.
#pragma once

#include "load/loop/event_loop.h"
#include "load/protocols/protocol_client.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

namespace hyperscale::load {

inline constexpr std::size_t kLateSocketsMax = 256;  // of one executor

class LateSockets {
 public:
  explicit LateSockets(EventLoop& loop) : loop_(loop) {}
  ~LateSockets();
  LateSockets(const LateSockets&) = delete;
  LateSockets& operator=(const LateSockets&) = delete;

  // Takes ownership of the socket. Each datagram is reported to the listener, with its bytes.
  void watch(StreamId socket, ExchangeListener& listener, std::uint32_t user);
  // False: no socket was open.
  bool close_all();
  std::size_t size() const { return watched_.size(); }

 private:
  struct Watched final : StreamEvents {
    Watched(ExchangeListener& to, std::uint32_t of) : listener(to), user(of) {}
    void on_connected() override {}
    void on_data(ByteView bytes) override;
    void on_sent() override {}
    void on_end() override {}
    void on_failed(int) override { socket = {}; }

    ExchangeListener& listener;
    std::uint32_t user;
    StreamId socket;
  };

  void close(const Watched& watched);

  EventLoop& loop_;
  std::deque<std::unique_ptr<Watched>> watched_;  // oldest first
};

}  // namespace hyperscale::load
