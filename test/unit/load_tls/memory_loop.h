// MemoryLoop: an EventLoop with one stream and no socket. The test hands bytes in and takes out what was sent.
#pragma once

#include "load/loop/event_loop.h"

#include <cstdint>
#include <vector>

namespace hyperscale::load {

class MemoryLoop final : public EventLoop {
 public:
  static constexpr StreamId kStream{1, 1};

  StreamId connect(const SocketAddress&, const ConnectOptions&, StreamEvents&, int&) override { return {}; }
  StreamId open_datagram(const SocketAddress&, const ConnectOptions&, StreamEvents&, int&) override { return {}; }
  StreamId adopt(int, StreamEvents&) override { return {}; }
  void set_events(StreamId, StreamEvents& receiver) override { events = &receiver; }
  bool send(StreamId, ByteView bytes, Sending sending) override {
    EXPECT_EQ(sending, Sending::kTracked);
    EXPECT_TRUE(held.empty()) << "a send is under way";
    EXPECT_FALSE(closed);
    ++sends;
    largest_send = std::max(largest_send, bytes.size());
    if (busy) {
      held = bytes;
      return false;
    }
    out.insert(out.end(), bytes.begin(), bytes.end());
    return true;
  }
  // The held send is done.
  void finish_send() {
    out.insert(out.end(), held.begin(), held.end());
    held = {};
    events->on_sent();
  }
  std::size_t unsent(StreamId) const override { return held.size() - std::min(held.size(), taken); }
  void pause(StreamId) override {}
  void resume(StreamId) override {}
  void shutdown_send(StreamId) override {}
  void close(StreamId stream, Close) override {
    EXPECT_EQ(stream, kStream);
    EXPECT_FALSE(closed) << "closed twice";
    closed = true;
  }
  int descriptor(StreamId) const override { return -1; }
  void watch(int, std::function<void()>) override {}
  void unwatch(int) override {}
  void watch_writable(int, std::function<void()>) override {}
  void unwatch_writable(int) override {}
  void run_once() override {}
  std::string_view backend() const override { return "memory"; }

  StreamEvents* events = nullptr;
  std::vector<std::uint8_t> out;
  ByteView held;
  std::size_t largest_send = 0;
  int sends = 0;
  std::size_t taken = 0;  // of the send that is held
  bool busy = false;
  bool closed = false;
};

}  // namespace hyperscale::load
