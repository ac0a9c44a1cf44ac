// ByteStream: the bytes of one connection, plain or TLS, with a time limit for each direction.
//
// Thread rule: the strand of the socket. At most one read and one write at a time; the sessions keep to it.
// Failure: every operation ends as ok, end of stream, timeout (counted here) or error; nothing throws.
#pragma once

#include "base/time.h"
#include "runtime/http/io_deadline.h"
#include "runtime/metrics/metrics.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/stream.hpp>

namespace hyperscale::runtime {

namespace asio = boost::asio;

enum class IoEnd : std::uint8_t { kOk, kEof, kTimeout, kError };

struct ReadResult {
  IoEnd end;
  std::size_t bytes;
};

class ByteStream {
 public:
  ByteStream(asio::ip::tcp::socket socket, std::shared_ptr<asio::ssl::context> tls, Metrics& metrics);

  asio::awaitable<IoEnd> handshake(Duration timeout);
  bool alpn_is_h2();

  // The limit of the reads that follow, until the next call. `op` is the metrics label.
  void limit_reading(std::string_view op, Duration from_now) { reading_->set(op, from_now); }
  void unlimit_reading() { reading_->clear(); }
  asio::awaitable<ReadResult> read_some(asio::mutable_buffer buffer);
  // Writes everything; each piece of kWritePieceBytes has `timeout` of its own, so a large answer may take longer than
  // a small one, but a peer that stops reading is detected.
  asio::awaitable<IoEnd> write(std::string_view bytes, Duration timeout);

  // Graceful close: TLS close_notify, then FIN (NODE-SHUT-5). With `linger` it also reads what the peer still sends,
  // for a bounded time, because closing a socket with unread input resets it and can destroy the last answer.
  asio::awaitable<void> finish(bool linger);
  // Calls back at most once when the peer closes or resets the connection. Input that waits to be read hides a close
  // behind it; a reset is seen in any case. unwatch_peer() before the stream is destroyed.
  void watch_peer(std::function<void()> on_gone);
  void unwatch_peer();

  // Cancels the waits of both directions; the socket stays open.
  void cancel();
  void abort();

 private:
  asio::ip::tcp::socket socket_;
  std::shared_ptr<asio::ssl::context> tls_context_;
  std::optional<asio::ssl::stream<asio::ip::tcp::socket&>> tls_;
  Metrics& metrics_;
  std::shared_ptr<IoDeadline> reading_;
  std::shared_ptr<IoDeadline> writing_;
  void watch_reset(std::function<void()> on_gone);
  enum class Input { kNothingYet, kWaits, kEnded };
  Input peek();

  asio::cancellation_signal peer_watch_;
  std::shared_ptr<bool> watching_ = std::make_shared<bool>(false);
  bool broken_ = false;
};

}  // namespace hyperscale::runtime
