// EventLoop: sockets and timers of one executor thread. Two implementations: epoll everywhere, io_uring where the
// kernel allows it (make_event_loop chooses).
//
// Single-threaded. Bytes arrive in a buffer of the loop, shared by all streams, and are valid during on_data only: an
// idle stream owns no buffer. Any call is allowed inside a callback, also close() of the stream itself; after close()
// or on_failed() a stream makes no further callback and its id is dead. Nothing allocates per event in steady state.
#pragma once

#include "base/bytes.h"
#include "base/result.h"
#include "base/time.h"
#include "load/loop/socket_address.h"
#include "load/loop/timer_queue.h"
#include "plan/loop_backend.h"

#include <cstdint>
#include <functional>
#include <memory>

namespace hyperscale::load {

// Dead ids are recognised: a reused slot has another generation.
struct StreamId {
  std::uint32_t slot = UINT32_MAX;
  std::uint32_t generation = 0;
  bool operator==(const StreamId&) const = default;
  explicit operator bool() const { return slot != UINT32_MAX; }
};

class StreamEvents {
 public:
  virtual void on_connected() = 0;           // only for connect()
  virtual void on_data(ByteView bytes) = 0;  // never empty, but a datagram can be; one call for each datagram
  virtual void on_sent() = 0;                // a send() that returned false is done
  virtual void on_end() = 0;  // the peer will send nothing more; the stream stays open for sending. Never for datagrams
  virtual void on_failed(int error) = 0;  // errno; the stream is closed

 protected:
  ~StreamEvents() = default;
};

enum class Sending : std::uint8_t {
  kTracked,  // the bytes stay valid until the send is done
  kOnce,     // the bytes outlive the loop, and the caller sends nothing else before the peer has answered
};

struct DataMoment {
  MonoTime came;
  MonoTime noticed;
};

struct ConnectOptions {
  const SocketAddress* source = nullptr;  // local address to bind, or none
};

inline constexpr std::uint32_t kGatherAbove = 200;
inline constexpr Duration kGatherTime = 20us;

class EventLoop {
 public:
  virtual ~EventLoop() = default;

  // Starts a connection. An immediate failure (no descriptors, no ports) returns an empty id with the errno in `error`;
  // later failures are reported by on_failed.
  virtual StreamId connect(const SocketAddress& to, const ConnectOptions& options, StreamEvents& events,
                           int& error) = 0;
  // A UDP socket that is connected to `to`: it exchanges datagrams with that peer only; no on_connected. Errors as for
  // connect(); a port without a listener is on_failed(ECONNREFUSED) when the network reports it. Each send() is one
  // datagram: it is not cut, and when it cannot be sent on_failed() gets the errno.
  virtual StreamId open_datagram(const SocketAddress& to, const ConnectOptions& options, StreamEvents& events,
                                 int& error) = 0;
  // Takes over a connected, non-blocking socket.
  virtual StreamId adopt(int fd, StreamEvents& events) = 0;
  // Further events of the stream go to `events`. Allowed inside a callback of the stream.
  virtual void set_events(StreamId stream, StreamEvents& events) = 0;
  // True: done, or not tracked (kOnce). False: on_sent() will come; no send until then.
  virtual bool send(StreamId stream, ByteView bytes, Sending sending) = 0;
  // Bytes of the last send() that the kernel has not accepted, also inside on_failed(). With io_uring a pending send of
  // a few KiB counts as accepted.
  virtual std::size_t unsent(StreamId stream) const = 0;
  // Submits the sends of this turn to the kernel, as run_once() does. For the end of a run, when run_once() is not
  // called any more.
  virtual void submit() {}
  // No on_data until resume(). Relieves an owner that has enough to do; it does not bound memory: with epoll what the
  // peer sends stays in the kernel, whose buffers then slow the peer down; with io_uring the receive goes on, and the
  // loop keeps all that comes. The end or failure of a paused stream comes after resume() with epoll (a failed send at
  // once), and at once with io_uring: an end with the kept bytes in an on_data before it, a failure without them.
  virtual void pause(StreamId stream) = 0;
  // What was kept comes from inside this call (io_uring) or in the next turn (epoll). Nothing if not paused.
  virtual void resume(StreamId stream) = 0;
  // Shuts down the sending half.
  virtual void shutdown_send(StreamId stream) = 0;
  // kReset sends RST and leaves no port behind in TIME_WAIT.
  enum class Close : std::uint8_t { kOrderly, kReset };
  virtual void close(StreamId stream, Close how = Close::kOrderly) = 0;
  virtual int descriptor(StreamId stream) const = 0;

  // Calls `readable` whenever fd has something to read (level-triggered), until unwatch(fd). For a few descriptors.
  virtual void watch(int fd, std::function<void()> readable) = 0;
  virtual void unwatch(int fd) = 0;
  // Calls `writable` once, when fd can be written; until then unwatch_writable(fd) cancels it. Works with or without
  // watch() of the same descriptor.
  virtual void watch_writable(int fd, std::function<void()> writable) = 0;
  virtual void unwatch_writable(int fd) = 0;

  // Waits for events, at most until the next timer, handles them and the timers that are due.
  virtual void run_once() = 0;

  // Sets how many answers are outstanding. With very many of them a loop may wait up to kGatherTime for a few before it
  // wakes up: each answer has then taken much longer than that.
  void expect_answers(std::uint32_t count) { answers_expected_ = count; }
  // Reports that other code blocked the thread of the loop: bytes that came meanwhile are delivered late.
  void held_up(MonoTime since, MonoTime until);
  // Of the bytes that are being delivered. They came now, or earlier after held_up(), as the kernel
  // reports it (to two of its ticks, and never too early).
  DataMoment data_moment(StreamId stream) const {
    const MonoTime at = now();
    return {.came = at < doubt_until_ ? arrival_after_hold_up(stream, at) : at, .noticed = at};
  }

  TimerQueue& timers() { return timers_; }
  // Reads the clock.
  static MonoTime now();
  virtual std::string_view backend() const = 0;  // "epoll", "io_uring"

 protected:
  bool may_gather() const { return answers_expected_ >= kGatherAbove; }

 private:
  MonoTime arrival_after_hold_up(StreamId stream, MonoTime at) const;

  TimerQueue timers_;
  std::uint32_t answers_expected_ = 0;
  MonoTime held_since_;
  MonoTime held_until_;
  MonoTime doubt_until_;  // bytes that are delivered before this may have waited
};

using plan::LoopBackend;
// kAuto falls back to epoll where io_uring is not available; kIoUring fails with kUnavailable instead.
Result<std::unique_ptr<EventLoop>> make_event_loop(LoopBackend backend);

}  // namespace hyperscale::load
