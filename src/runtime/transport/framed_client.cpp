#include "runtime/transport/framed_client.h"

#include "base/check.h"
#include "base/duration_text.h"
#include "runtime/http/await_token.h"
#include "runtime/metrics/metrics.h"
#include "runtime/tls/peer_tls.h"
#include "runtime/transport/framed_limits.h"
#include "wire/request_payload.h"

#include <utility>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <fmt/format.h>

namespace hyperscale::runtime {
namespace {

std::shared_ptr<IoDeadline> limit(const asio::any_io_executor& strand, asio::cancellation_signal& signal) {
  return std::make_shared<IoDeadline>(strand,
                                      [&signal](std::string_view) { signal.emit(asio::cancellation_type::terminal); });
}

}  // namespace

FramedClient::FramedClient(asio::any_io_executor strand, FramedClientOptions options, Metrics& metrics)
    : options_(std::move(options)),
      metrics_(metrics),
      stream_(asio::ip::tcp::socket(strand), options_.guard.tls),
      connect_limit_(limit(strand, read_cancel_)),
      write_limit_(limit(strand, write_cancel_)),
      idle_(strand, asio::steady_timer::time_point::max()),
      decoder_(wire::FrameLimits{options_.max_frame_bytes}),
      chunk_(kReadChunkBytes) {}

std::string FramedClient::peer() const {
  const bool v6 = options_.to.address().is_v6();
  return fmt::format("{}{}{}:{}", v6 ? "[" : "", options_.to.address().to_string(), v6 ? "]" : "", options_.to.port());
}

asio::awaitable<Status> FramedClient::connect() {
  CHECK(!open_ && running_ == 0, "a client connects once");
  const auto keep = shared_from_this();
  connect_limit_->set("connect", options_.connect_timeout);
  Status done = co_await dial();
  if (done) done = co_await shake_hands();
  connect_limit_->clear();
  if (!done) {
    if (done.error().code == ErrorCode::kTimeout) metrics_.add(Counter::kIoTimeouts, "connect");
    why_closed_ = done.error().context;
    stream_.close();
    co_return done;
  }
  open_ = true;
  ++running_;
  asio::co_spawn(stream_.strand(), read_frames(keep), asio::detached);
  co_return Status();
}

asio::awaitable<Status> FramedClient::dial() {
  auto token = asio::bind_cancellation_slot(read_cancel_.slot(), asio::as_tuple(asio::use_awaitable));
  const auto [error] = co_await stream_.socket().async_connect(options_.to, token);
  if (connect_limit_->expired()) {
    co_return fail(ErrorCode::kTimeout,
                   fmt::format("no connection to {} within {}", peer(), format_duration(options_.connect_timeout)));
  }
  if (error) co_return fail(ErrorCode::kUnavailable, fmt::format("no connection to {}: {}", peer(), error.message()));
  boost::system::error_code ignored;
  stream_.socket().set_option(asio::ip::tcp::no_delay(true), ignored);
  co_return Status();
}

asio::awaitable<Status> FramedClient::shake_hands() {
  if (!options_.guard.tls) co_return Status();
  if (options_.verify_address) require_address(stream_.tls(), options_.to.address().to_string());
  const auto error = co_await stream_.handshake(asio::ssl::stream_base::client, read_cancel_);
  if (connect_limit_->expired()) {
    co_return fail(ErrorCode::kTimeout, fmt::format("no TLS handshake with {} within {}", peer(),
                                                    format_duration(options_.connect_timeout)));
  }
  if (error) {
    metrics_.add(Counter::kHandshakesDropped, "failed");
    co_return fail(ErrorCode::kUnauthorized,
                   fmt::format("no TLS with {}: {}", peer(), handshake_failure(stream_.tls(), error)));
  }
  if (!options_.guard.check) co_return Status();
  const Status welcome = options_.guard.check(peer_uris(stream_.tls()));
  if (welcome) co_return Status();
  metrics_.add(Counter::kConnectionsRefused, "certificate");
  co_return fail(ErrorCode::kUnauthorized, fmt::format("{}: {}", peer(), welcome.error().context));
}

asio::awaitable<Result<SharedBytes>> FramedClient::request(std::string method, SharedBytes body, Duration timeout) {
  const auto keep = shared_from_this();
  if (!open_ || going_away_) co_return fail(ErrorCode::kUnavailable, why_closed_);
  if (waiting_.size() >= options_.in_flight_max) {
    co_return fail(ErrorCode::kBusy, fmt::format("{} requests to {} are in flight", waiting_.size(), peer()));
  }
  auto payload = wire::encode_request(method, body.view());
  if (!payload) co_return fail(payload.error());
  if (payload->size() + wire::kFrameLengthMin > options_.max_frame_bytes) {
    co_return fail(ErrorCode::kTooLarge, fmt::format("a request of {} bytes, at most {}", payload->size(),
                                                     options_.max_frame_bytes - wire::kFrameLengthMin));
  }
  const std::uint64_t correlation = next_correlation_++;
  const auto waiting = std::make_shared<Waiting>(stream_.strand());
  waiting->timer.expires_after(timeout);
  waiting_.emplace(correlation, waiting);
  send({wire::FrameType::kRequest, 0, correlation, std::move(*payload)});
  if (!waiting->answer) co_await waiting->timer.async_wait(kAwait);
  waiting_.erase(correlation);
  if (waiting->answer) co_return std::move(*waiting->answer);
  metrics_.add(Counter::kIoTimeouts, "request");
  co_return fail(ErrorCode::kTimeout,
                 fmt::format("{} did not answer {} within {}", peer(), method, format_duration(timeout)));
}

asio::awaitable<void> FramedClient::read_frames(std::shared_ptr<FramedClient> self) {
  while (self->open_) {
    const auto buffer = asio::buffer(self->chunk_);
    const FramedStream::Read got = co_await self->stream_.read_some(buffer, self->read_cancel_);
    if (got.error == asio::error::eof)
      self->lose("the connection was closed by " + self->peer());
    else if (got.error)
      self->lose(fmt::format("the connection to {} broke: {}", self->peer(), got.error.message()));
    if (got.error || !self->take_frames(got.bytes)) break;
  }
  self->ended();
}

bool FramedClient::take_frames(std::size_t bytes) {
  (void)decoder_.feed(ByteView(chunk_.data(), bytes));
  while (open_) {
    auto frame = decoder_.next();
    if (!frame) {
      metrics_.add(Counter::kIoErrors, "frame");
      lose(fmt::format("{} sent no frame: {}", peer(), frame.error().context));
      return false;
    }
    if (!*frame) return true;
    if (!on_frame(std::move(**frame))) return false;
  }
  return false;
}

bool FramedClient::on_frame(wire::Frame frame) {
  switch (frame.type) {
    case wire::FrameType::kResponse:
      answer(frame.correlation, std::move(frame.payload));
      return true;
    case wire::FrameType::kError:
      // Without a correlation id it concerns the connection, which the peer is about to close.
      if (frame.correlation == 0) {
        lose(fmt::format("{} ended the connection: {}", peer(), wire::error_of(frame).context));
        return false;
      }
      answer(frame.correlation, fail(wire::error_of(frame)));
      return true;
    case wire::FrameType::kPing:
      frame.type = wire::FrameType::kPong;
      send(std::move(frame));
      return true;
    case wire::FrameType::kPong:
      return true;
    case wire::FrameType::kGoAway:
      // The peer still answers pending requests; new requests need another connection.
      why_closed_ = peer() + " takes no more requests";
      going_away_ = true;
      return true;
    case wire::FrameType::kRequest:
      break;
  }
  lose(peer() + " sent a request to a client");
  return false;
}

void FramedClient::answer(std::uint64_t correlation, Result<SharedBytes> result) {
  const auto found = waiting_.find(correlation);
  if (found == waiting_.end()) return;  // too late, or unsolicited
  found->second->answer = std::move(result);
  found->second->timer.cancel();
}

void FramedClient::send(wire::Frame frame) {
  outbox_.push_back(std::move(frame));
  if (outbox_.size() > options_.in_flight_max + kOutboxFramesMax) return lose(peer() + " does not read");
  if (std::exchange(writing_, true)) return;
  ++running_;
  asio::co_spawn(stream_.strand(), write_frames(shared_from_this()), asio::detached);
}

asio::awaitable<void> FramedClient::write_frames(std::shared_ptr<FramedClient> self) {
  while (self->open_ && !self->outbox_.empty()) {
    const wire::Frame frame = std::move(self->outbox_.front());
    self->outbox_.pop_front();
    const auto header = wire::encode_header(frame);
    const FramedStream::Buffers buffers{asio::buffer(header), asio::buffer(frame.payload.data(), frame.payload.size())};
    self->write_limit_->set("write", self->options_.write_timeout);
    const auto error = co_await self->stream_.write(buffers, self->write_cancel_);
    self->write_limit_->clear();
    if (!error) continue;
    const bool slow = self->write_limit_->expired();
    self->metrics_.add(slow ? Counter::kIoTimeouts : Counter::kIoErrors, "write");
    self->lose(fmt::format("cannot write to {}: {}", self->peer(), slow ? "it does not read" : error.message()));
  }
  self->writing_ = false;
  self->ended();
}

void FramedClient::lose(const std::string& why) {
  if (!std::exchange(open_, false)) return;
  why_closed_ = why;
  stream_.close();
  for (const auto& [correlation, waiting] : waiting_) {
    if (waiting->answer) continue;
    waiting->answer = fail(ErrorCode::kUnavailable, why);
    waiting->timer.cancel();
  }
}

void FramedClient::drop() {
  if (open_) return lose("the connection was given up");
  stream_.close();
}

void FramedClient::ended() {
  --running_;
  idle_.cancel();
}

asio::awaitable<void> FramedClient::close() {
  const auto keep = shared_from_this();
  lose("the connection was given up");
  while (running_ > 0) co_await idle_.async_wait(kAwait);
}

}  // namespace hyperscale::runtime
