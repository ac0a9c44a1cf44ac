// FramedClient: client of the framed transport: one connection, plain or TLS, many requests at once.
//
//   auto client = std::make_shared<FramedClient>(strand, options, metrics);
//   const Status up = co_await client->connect();
//   Result<SharedBytes> answer = co_await client->request("echo", body, 2s);
//   co_await client->close();
//
// Life: construct as a shared_ptr, connect() once, request() as often as wanted, close(). Thread rule: everything on
// the strand given. Limits: requests in flight (beyond them Busy), frame size, time to connect (TCP and TLS together),
// to write, and of each request. Failure, one sentence each: Unavailable when there is no connection or it was lost,
// Timeout, Unauthorized when the peer has the wrong identity, Busy, or the error of the peer's error frame. A late
// answer is dropped.
#pragma once

#include "base/bytes.h"
#include "base/result.h"
#include "base/time.h"
#include "runtime/http/io_deadline.h"
#include "runtime/transport/framed_stream.h"
#include "runtime/transport/peer_guard.h"
#include "wire/frame.h"
#include "wire/frame_decoder.h"

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>

namespace hyperscale::runtime {

class Metrics;

struct FramedClientOptions {
  asio::ip::tcp::endpoint to;
  PeerGuard guard = {};
  bool verify_address = true;  // the peer's certificate must name the dialled address
  Duration connect_timeout = 2s;
  Duration write_timeout = 5s;
  std::size_t max_frame_bytes = wire::kMaxFrameBytesDefault;
  std::size_t in_flight_max = 64;
};

class FramedClient : public std::enable_shared_from_this<FramedClient> {
 public:
  FramedClient(asio::any_io_executor strand, FramedClientOptions options, Metrics& metrics);

  asio::awaitable<Status> connect();
  asio::awaitable<Result<SharedBytes>> request(std::string method, SharedBytes body, Duration timeout);
  // Closes the connection; requests in flight fail. Returns when none of its coroutines runs any more.
  asio::awaitable<void> close();

  // Closes it at once: pending connects, handshakes and requests fail. close() may follow.
  void drop();

  bool is_open() const { return open_ && !going_away_; }
  std::size_t in_flight() const { return waiting_.size(); }

 private:
  struct Waiting {
    explicit Waiting(const asio::any_io_executor& strand) : timer(strand) {}
    asio::steady_timer timer;  // expires at the end of its time, cancelled when the answer is there
    std::optional<Result<SharedBytes>> answer;
  };

  asio::awaitable<Status> dial();
  asio::awaitable<Status> shake_hands();
  static asio::awaitable<void> read_frames(std::shared_ptr<FramedClient> self);
  static asio::awaitable<void> write_frames(std::shared_ptr<FramedClient> self);
  // False when the connection is broken.
  bool take_frames(std::size_t bytes);
  bool on_frame(wire::Frame frame);
  void answer(std::uint64_t correlation, Result<SharedBytes> result);
  void send(wire::Frame frame);
  void lose(const std::string& why);
  void ended();
  std::string peer() const;

  FramedClientOptions options_;
  Metrics& metrics_;
  FramedStream stream_;
  asio::cancellation_signal read_cancel_;
  asio::cancellation_signal write_cancel_;
  std::shared_ptr<IoDeadline> connect_limit_;
  std::shared_ptr<IoDeadline> write_limit_;
  asio::steady_timer idle_;  // cancelled whenever a coroutine of this object ends
  wire::FrameDecoder decoder_;
  std::vector<std::uint8_t> chunk_;
  std::deque<wire::Frame> outbox_;
  std::map<std::uint64_t, std::shared_ptr<Waiting>> waiting_;
  std::uint64_t next_correlation_ = 1;
  std::string why_closed_ = "not connected";
  int running_ = 0;  // coroutines that read or write
  bool open_ = false;
  bool going_away_ = false;  // the peer accepts no more requests
  bool writing_ = false;
};

}  // namespace hyperscale::runtime
