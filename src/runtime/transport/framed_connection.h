// FramedConnection: one peer of the framed transport. It reads frames, handles requests, and writes the answers.
//
// One coroutine reads, one writes; requests of one connection are answered concurrently and in any order, matched by
// their correlation id. With a TLS context in its PeerGuard the handshake comes first, and a peer that the guard
// refuses is closed without a frame. All state belongs to the connection's strand; other threads post to it. Limits:
// frame size (checked before allocation), requests in flight, queued answers; idle, read and write timeouts. The read
// timeout bounds the time a whole frame may take, so a peer that sends very slowly is disconnected. Ending: a peer that
// sends GoAway first may half-close and still gets its answers; the work of one that just closes is cancelled. This
// side half-closes first and waits briefly for the peer.
#pragma once

#include "base/result.h"
#include "base/time.h"
#include "runtime/http/cancel_token.h"
#include "runtime/http/io_deadline.h"
#include "runtime/transport/framed_limits.h"
#include "runtime/transport/framed_stream.h"
#include "runtime/transport/peer_guard.h"
#include "wire/frame.h"
#include "wire/frame_decoder.h"
#include "wire/request_payload.h"

#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>

namespace hyperscale::runtime {

namespace asio = boost::asio;

class Metrics;

// Answers one request; runs on the connection's strand and must not block.
using FrameHandler = std::function<asio::awaitable<Result<SharedBytes>>(wire::RequestPayload, CancelToken)>;

class FramedConnection : public std::enable_shared_from_this<FramedConnection> {
 public:
  FramedConnection(asio::ip::tcp::socket socket, FramedLimits limits, FrameHandler handler, Metrics& metrics,
                   PeerGuard guard = {});

  // Serves the peer until either side ends the connection; joins everything that it started.
  asio::awaitable<void> run();

  asio::any_io_executor strand() { return stream_.strand(); }
  // From any thread: sends GoAway, finishes requests in flight, then closes.
  void begin_close();
  // From any thread: closes the socket now.
  void abort();

 private:
  // False when the peer is refused.
  asio::awaitable<bool> shake_hands();
  void turn_away(const std::string& why);
  asio::awaitable<void> read_frames();
  asio::awaitable<bool> read_chunk();
  asio::awaitable<void> drain_and_close();
  void take_frames(std::size_t bytes);
  void on_frame(wire::Frame frame);
  static asio::awaitable<void> answer(std::shared_ptr<FramedConnection> self, wire::Frame frame);
  static asio::awaitable<void> write_frames(std::shared_ptr<FramedConnection> self);
  void send(wire::Frame frame);
  bool read_timed_out(bool inside_frame);
  void stop_reading();
  // Closes the socket now; all waits on the connection fail.
  void break_off();
  asio::awaitable<void> wait_for_change(MonoTime deadline);
  void changed() { change_.cancel(); }

  FramedStream stream_;
  asio::steady_timer change_;  // cancelled whenever in_flight_, writing_ or reading_ changes
  asio::cancellation_signal read_cancel_;
  asio::cancellation_signal write_cancel_;
  std::shared_ptr<IoDeadline> read_limit_;
  std::shared_ptr<IoDeadline> write_limit_;
  const FramedLimits limits_;
  FrameHandler handler_;
  Metrics& metrics_;
  const PeerGuard guard_;
  wire::FrameDecoder decoder_;
  std::vector<std::uint8_t> chunk_;
  std::deque<wire::Frame> outbox_;
  CancelSource gone_;
  MonoTime frame_begun_;
  std::size_t in_flight_ = 0;
  bool shaken_ = false;  // the handshake, where there is one, is over
  bool reading_ = true;
  bool writing_ = false;
  bool broken_ = false;  // no more writing: the peer disconnected or the connection was aborted
};

}  // namespace hyperscale::runtime
