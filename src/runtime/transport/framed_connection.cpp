#include "runtime/transport/framed_connection.h"

#include "concurrent/ranked_mutex.h"
#include "runtime/clock/clock.h"
#include "runtime/metrics/metrics.h"
#include "runtime/tls/peer_tls.h"

#include <utility>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace hyperscale::runtime {
namespace {

const auto kToken = asio::as_tuple(asio::use_awaitable);

std::shared_ptr<IoDeadline> limit(const asio::any_io_executor& strand, asio::cancellation_signal& signal) {
  return std::make_shared<IoDeadline>(strand,
                                      [&signal](std::string_view) { signal.emit(asio::cancellation_type::terminal); });
}

}  // namespace

FramedConnection::FramedConnection(asio::ip::tcp::socket socket, FramedLimits limits, FrameHandler handler,
                                   Metrics& metrics, PeerGuard guard)
    : stream_(std::move(socket), guard.tls),
      change_(stream_.strand()),
      read_limit_(limit(stream_.strand(), read_cancel_)),
      write_limit_(limit(stream_.strand(), write_cancel_)),
      limits_(limits),
      handler_(std::move(handler)),
      metrics_(metrics),
      guard_(std::move(guard)),
      decoder_(wire::FrameLimits{limits.max_frame_bytes}),
      chunk_(kReadChunkBytes) {}

asio::awaitable<void> FramedConnection::run() {
  const auto keep = shared_from_this();
  const bool welcome = co_await shake_hands();
  if (welcome) co_await read_frames();
  co_await drain_and_close();
}

asio::awaitable<bool> FramedConnection::shake_hands() {
  if (stream_.tls() == nullptr) {
    shaken_ = true;
    co_return true;
  }
  read_limit_->set("handshake", limits_.handshake_timeout);
  const auto error = co_await stream_.handshake(asio::ssl::stream_base::server, read_cancel_);
  read_limit_->clear();
  shaken_ = true;
  if (!reading_) co_return false;  // it was aborted meanwhile
  if (error) {
    const bool slow = read_limit_->expired();
    metrics_.add(Counter::kHandshakesDropped, slow ? "timeout" : "failed");
    turn_away(slow ? "the TLS handshake took too long" : handshake_failure(stream_.tls(), error));
    co_return false;
  }
  const Status welcome = guard_.check ? guard_.check(peer_uris(stream_.tls())) : Status();
  if (welcome) co_return true;
  metrics_.add(Counter::kConnectionsRefused, "certificate");
  turn_away(welcome.error().context);
  co_return false;
}

void FramedConnection::turn_away(const std::string& why) {
  boost::system::error_code error;
  const auto peer = stream_.socket().remote_endpoint(error);
  if (guard_.on_refused) guard_.on_refused(error ? "a peer that is gone" : peer.address().to_string(), why);
  break_off();
}

asio::awaitable<void> FramedConnection::read_frames() {
  for (;;) {
    const bool more = co_await read_chunk();
    if (!more) break;
  }
  reading_ = false;
}

// False when nothing more is to be read.
asio::awaitable<bool> FramedConnection::read_chunk() {
  concurrent::assert_no_lock_held("FramedConnection::read_chunk");
  const bool inside_frame = decoder_.buffered_bytes() > 0;
  const Duration patience = inside_frame ? frame_begun_ + limits_.read_timeout - mono_now() : limits_.idle_timeout;
  if (patience <= Duration::zero()) co_return read_timed_out(inside_frame);  // the peer sends too slowly
  read_limit_->set("read", patience);
  const auto buffer = asio::buffer(chunk_);
  const auto [error, bytes] = co_await stream_.read_some(buffer, read_cancel_);
  read_limit_->clear();
  if (!error) {
    if (!inside_frame) frame_begun_ = mono_now();
    take_frames(bytes);
    co_return reading_;
  }
  if (!reading_) co_return false;
  if (read_limit_->expired()) co_return read_timed_out(inside_frame);
  if (error == asio::error::eof) {
    if (inside_frame) metrics_.add(Counter::kIoErrors, "frame");
    gone_.cancel();
    co_return false;
  }
  metrics_.add(Counter::kIoErrors, "read");
  broken_ = true;
  co_return false;
}

// True if the peer may have more time, because it waits for an answer.
bool FramedConnection::read_timed_out(bool inside_frame) {
  if (!inside_frame && in_flight_ > 0) return true;
  metrics_.add(Counter::kIoTimeouts, inside_frame ? "read" : "idle");
  broken_ = inside_frame;
  return false;
}

void FramedConnection::take_frames(std::size_t bytes) {
  (void)decoder_.feed(ByteView(chunk_.data(), bytes));
  for (;;) {
    auto frame = decoder_.next();
    if (!frame) {
      metrics_.add(Counter::kIoErrors, "frame");
      send(wire::error_frame(0, frame.error()));
      reading_ = false;
      return;
    }
    if (!*frame) return;
    frame_begun_ = mono_now();  // the next frame may begin in this very chunk
    on_frame(std::move(**frame));
  }
}

void FramedConnection::on_frame(wire::Frame frame) {
  switch (frame.type) {
    case wire::FrameType::kRequest:
      break;
    case wire::FrameType::kPing:
      frame.type = wire::FrameType::kPong;
      return send(std::move(frame));
    case wire::FrameType::kGoAway:
      reading_ = false;
      return;
    default:
      return send(wire::error_frame(frame.correlation, {ErrorCode::kProtocol, "only requests and pings are expected"}));
  }
  if (in_flight_ >= kInFlightPerConnectionMax) {
    metrics_.add(Counter::kBusyRejections, "transport");
    return send(
        wire::error_frame(frame.correlation, {ErrorCode::kBusy, "too many requests in flight on this connection"}));
  }
  ++in_flight_;
  // Joined by drain_and_close(), which waits until in_flight_ is 0.
  asio::co_spawn(stream_.strand(), answer(shared_from_this(), std::move(frame)), asio::detached);
}

asio::awaitable<void> FramedConnection::answer(std::shared_ptr<FramedConnection> self, wire::Frame frame) {
  const std::uint64_t correlation = frame.correlation;
  Result<SharedBytes> result = fail(ErrorCode::kInternal, "");
  try {
    auto request = wire::parse_request(frame.payload);
    if (!request)
      result = fail(request.error());
    else
      result = co_await self->handler_(std::move(*request), self->gone_.token());
  } catch (const std::exception&) {
    result = fail(ErrorCode::kInternal, "the request failed");
  }
  --self->in_flight_;
  self->changed();
  if (result)
    self->send({wire::FrameType::kResponse, 0, correlation, std::move(*result)});
  else
    self->send(wire::error_frame(correlation, result.error()));
}

void FramedConnection::send(wire::Frame frame) {
  if (broken_) return;
  if (outbox_.size() >= kOutboxFramesMax) {
    metrics_.add(Counter::kIoErrors, "write");
    break_off();
    return;
  }
  outbox_.push_back(std::move(frame));
  if (writing_) return;
  writing_ = true;
  asio::co_spawn(stream_.strand(), write_frames(shared_from_this()), asio::detached);
}

asio::awaitable<void> FramedConnection::write_frames(std::shared_ptr<FramedConnection> self) {
  while (!self->outbox_.empty() && !self->broken_) {
    const wire::Frame frame = std::move(self->outbox_.front());
    self->outbox_.pop_front();
    const auto header = wire::encode_header(frame);
    const FramedStream::Buffers buffers{asio::buffer(header), asio::buffer(frame.payload.data(), frame.payload.size())};
    self->write_limit_->set("write", self->limits_.write_timeout);
    const auto error = co_await self->stream_.write(buffers, self->write_cancel_);
    self->write_limit_->clear();
    if (!error) continue;
    if (self->write_limit_->expired())
      self->metrics_.add(Counter::kIoTimeouts, "write");
    else
      self->metrics_.add(Counter::kIoErrors, "write");
    self->break_off();
  }
  self->writing_ = false;
  self->changed();
}

asio::awaitable<void> FramedConnection::drain_and_close() {
  if (broken_) gone_.cancel();
  while (in_flight_ > 0 || writing_) co_await wait_for_change(MonoTime::max());
  if (!broken_) {
    // Our half first; then the peer's, so that our last answer is not lost to a reset.
    const MonoTime end = mono_now() + kLingerMax;
    read_limit_->set("linger", kLingerMax);
    co_await stream_.say_goodbye(read_cancel_);
    const auto buffer = asio::buffer(chunk_);
    for (bool open = true; open && mono_now() < end;) {
      read_limit_->set("linger", end - mono_now());
      const auto [error, bytes] = co_await stream_.read_some(buffer, read_cancel_);
      open = !error;
    }
    read_limit_->clear();
  }
  stream_.close();
}

asio::awaitable<void> FramedConnection::wait_for_change(MonoTime deadline) {
  concurrent::assert_no_lock_held("FramedConnection::wait_for_change");
  change_.expires_at(deadline == MonoTime::max() ? std::chrono::steady_clock::time_point::max() : to_steady(deadline));
  co_await change_.async_wait(kToken);
}

void FramedConnection::stop_reading() {
  reading_ = false;
  read_cancel_.emit(asio::cancellation_type::terminal);
}

void FramedConnection::break_off() {
  broken_ = true;
  reading_ = false;
  gone_.cancel();
  stream_.close();
  changed();
}

void FramedConnection::begin_close() {
  asio::post(stream_.strand(), [self = shared_from_this()] {
    if (!self->reading_) return;  // already closing
    if (!self->shaken_) return self->break_off();
    self->send({wire::FrameType::kGoAway, 0, 0, {}});
    self->stop_reading();
  });
}

void FramedConnection::abort() {
  asio::post(stream_.strand(), [self = shared_from_this()] { self->break_off(); });
}

}  // namespace hyperscale::runtime
