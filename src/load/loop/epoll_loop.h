// EpollLoop: the event loop over epoll, edge-triggered, with reads into one shared buffer. Works on every supported
// kernel.
#pragma once

#include "load/loop/event_loop.h"
#include "load/loop/slot_table.h"

#include <array>
#include <map>
#include <string_view>
#include <vector>

#include <sys/epoll.h>

namespace hyperscale::load {

class EpollLoop final : public EventLoop {
 public:
  static Result<std::unique_ptr<EventLoop>> make();
  explicit EpollLoop(int epoll) : epoll_(epoll), buffer_(kBufferBytes) {}
  ~EpollLoop() override;

  StreamId connect(const SocketAddress& to, const ConnectOptions& options, StreamEvents& events, int& error) override;
  StreamId open_datagram(const SocketAddress& to, const ConnectOptions& options, StreamEvents& events,
                         int& error) override;
  StreamId adopt(int fd, StreamEvents& events) override;
  void set_events(StreamId stream, StreamEvents& events) override;
  bool send(StreamId stream, ByteView bytes, Sending sending) override;
  std::size_t unsent(StreamId stream) const override;
  void pause(StreamId stream) override;
  void resume(StreamId stream) override;
  void shutdown_send(StreamId stream) override;
  void close(StreamId stream, Close how) override;
  int descriptor(StreamId stream) const override;
  void watch(int fd, std::function<void()> readable) override;
  void unwatch(int fd) override;
  void watch_writable(int fd, std::function<void()> writable) override;
  void unwatch_writable(int fd) override;
  void run_once() override;
  std::string_view backend() const override { return "epoll"; }

 private:
  static constexpr std::size_t kBufferBytes = 64 << 10;
  static constexpr std::size_t kEventsMax = 256;
  // Reads per wake-up of one stream, so that a fast sender does not starve the others.
  static constexpr int kReadsMax = 16;

  struct Stream {
    int fd = -1;
    StreamEvents* events = nullptr;
    ByteView unsent;
    bool connecting = false;
    bool tracked = false;  // the owner waits for on_sent
    bool paused = false;
    bool readable = false;  // an edge came, and the socket was not read until empty
    bool hung_up = false;   // the peer has closed: read until a read returns nothing
    bool ended = false;
    bool datagram = false;
    int send_error = 0;  // of a datagram; reported in the next turn
  };
  struct Watched {
    std::function<void()> readable;
    std::function<void()> writable;
  };

  Stream* find(StreamId id) { return streams_.find(id.slot, id.generation); }
  StreamId add(int fd, StreamEvents& events, bool connecting);
  int wait(const timespec* limit);
  void handle(StreamId id, std::uint32_t what);
  bool finish_connect(StreamId id, Stream& stream);
  void read(StreamId id);
  void write(StreamId id, Stream& stream);
  void failed(StreamId id, int error);
  void follow_datagrams(StreamId id);
  void follow(int fd, bool known);
  void report_watched(int fd, std::uint32_t what);

  int epoll_;
  StreamId failing_;  // the stream whose on_failed is running
  std::size_t failing_unsent_ = 0;
  bool old_kernel_ = false;
  SlotTable<Stream> streams_;
  std::map<int, Watched> watched_;
  std::vector<std::uint8_t> buffer_;
  std::array<epoll_event, kEventsMax> ready_;
  std::vector<StreamId> unread_;  // streams with more to read than one turn allows, or with an error to report
};

}  // namespace hyperscale::load
