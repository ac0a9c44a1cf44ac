// UringLoop: the event loop over io_uring. Submissions of one turn go to the kernel in one call, answers are received
// by multishot receives into a ring of buffers that all streams share.
//
// Needs Linux 6.1 (single issuer, deferred task running, buffer rings); otherwise make() fails with kUnavailable.
// The kernel reads bytes of a kTracked send from a block of the loop or by a plain send(2): it never keeps a pointer to
// memory of the caller, so a stream can be closed and freed at any time.
#pragma once

#include "load/loop/event_loop.h"
#include "load/loop/slot_table.h"

#include <array>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <liburing.h>

namespace hyperscale::load {

class UringLoop final : public EventLoop {
 public:
  static Result<std::unique_ptr<EventLoop>> make();
  UringLoop() = default;
  ~UringLoop() override;

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
  void submit() override { io_uring_submit(&ring_); }
  std::string_view backend() const override { return "io_uring"; }

 private:
  static constexpr unsigned kSubmissions = 512;
  static constexpr unsigned kCompletions = 8192;
  static constexpr unsigned kBuffers = 256;  // a power of two
  static constexpr std::size_t kBufferBytes = 8 << 10;
  static constexpr int kBufferGroup = 1;
  // A datagram that does not fit is cut, so each buffer holds the largest. Unused buffers take no physical memory.
  static constexpr unsigned kDatagramBuffers = 64;  // a power of two
  static constexpr std::size_t kDatagramBufferBytes = 64 << 10;
  static constexpr int kDatagramGroup = 2;
  static constexpr std::size_t kBlockBytes = 4 << 10;
  // Completions handled before their sends are submitted: more saves calls, fewer shortens the wait of requests.
  static constexpr unsigned kBatch = 16;

  enum class Op : std::uint8_t {
    kConnect,
    kReceive,
    kReceiveDatagram,
    kSendOnce,
    kSendBlock,
    kWritable,
    kWatch,
    kWatchWritable,
    kCancel
  };

  struct Stream {
    int fd = -1;
    StreamEvents* events = nullptr;
    SocketAddress to;
    ByteView unsent;  // waits for kWritable
    bool connecting = false;
    bool receiving = false;
    bool paused = false;
    bool ended = false;
    bool sending = false;  // a tracked send is pending
    bool datagram = false;
    std::string held;                     // arrived while paused
    std::vector<std::size_t> held_sizes;  // the sizes of datagrams in `held`
  };

  struct Block {
    std::array<std::uint8_t, kBlockBytes> bytes;
    StreamId stream;
    std::size_t size = 0;
    std::size_t sent = 0;
  };

  struct Watched {
    std::function<void()> ready;
    std::uint32_t generation = 0;
  };

  Status open_ring();
  Result<io_uring_buf_ring*> add_buffers(int group, unsigned count);
  Status restrict_ring();
  io_uring_sqe* free_entry();
  static void belongs_to(io_uring_sqe* entry, Op op, std::uint32_t slot, std::uint32_t generation);
  Stream* find(StreamId id) { return streams_.find(id.slot, id.generation); }
  StreamId add(int fd, StreamEvents& events);
  void receive(StreamId id, Stream& stream);
  void wait_writable(StreamId id, const Stream& stream);
  void send_block(std::uint32_t index);
  std::uint32_t take_block();
  void handle(const io_uring_cqe& completion);
  void on_connect(StreamId id, int result);
  void on_receive(StreamId id, const io_uring_cqe& completion);
  void on_datagram(StreamId id, const io_uring_cqe& completion);
  void on_block_sent(std::uint32_t index, int result);
  void on_writable(StreamId id);
  void on_watch(int fd, std::uint32_t generation);
  void poll_for(int fd, short events, Op op, std::uint32_t generation);
  void forget_watched(std::map<int, Watched>& from, int fd, Op op);
  void on_watch_writable(int fd, std::uint32_t generation);
  void hand_out_held(StreamId id);
  void deliver(StreamId id, ByteView bytes);
  void end_of(StreamId id);
  void give_back(unsigned buffer);
  void give_back_datagram(unsigned buffer);
  void failed(StreamId id, int error);

  StreamId failing_;  // the stream whose on_failed is running
  std::size_t failing_unsent_ = 0;
  unsigned gained_ = 0;  // completions of the last turn
  io_uring ring_{};
  bool open_ = false;
  io_uring_buf_ring* buffer_ring_ = nullptr;
  std::vector<std::uint8_t> buffers_;
  io_uring_buf_ring* datagram_ring_ = nullptr;
  std::unique_ptr<std::uint8_t[]> datagram_buffers_;
  SlotTable<Stream> streams_;
  std::vector<std::unique_ptr<Block>> blocks_;
  std::vector<std::uint32_t> free_blocks_;
  std::map<int, Watched> watched_;
  std::map<int, Watched> watched_writable_;
  std::uint32_t watch_generation_ = 0;
  std::vector<int> closing_;  // closed after the cancellation of their receive has been submitted
};

}  // namespace hyperscale::load
