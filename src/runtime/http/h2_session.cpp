#include "runtime/http/h2_session.h"

#include "runtime/http/await_token.h"
#include "runtime/http/h2_nghttp2.h"
#include "runtime/http/response_head.h"
#include "runtime/http/what_of.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include <boost/asio/co_spawn.hpp>

namespace hyperscale::runtime {
namespace {

constexpr std::size_t kReadBytes = 16 << 10;
constexpr std::size_t kWriteBatchBytes = 64 << 10;
// Resets a peer may send beyond the answers it let us finish. Opening and resetting streams is cheaper for the peer
// than for us, so a connection that mostly does that is an attack.
constexpr std::uint64_t kResetsWithoutAnswersMax = 200;
constexpr std::size_t kHeaderOverheadBytes = 32;  // what RFC 9113 counts for a field besides its text

std::optional<std::uint64_t> number(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

H2Session::H2Session(std::shared_ptr<RequestPipeline> pipeline, asio::any_io_executor strand, ByteStream& stream,
                     ReadBuffer& buffer, const Peer& peer)
    : pipeline_(std::move(pipeline)),
      limits_(pipeline_->limits()),
      strand_(std::move(strand)),
      stream_(stream),
      buffer_(buffer),
      peer_(peer),
      nghttp2_(std::make_unique<Nghttp2>(*this, *limits_)),
      writer_wake_(strand_),
      writer_ended_(strand_),
      answer_watch_(strand_) {}

H2Session::~H2Session() = default;

asio::awaitable<void> H2Session::run() {
  const auto self = shared_from_this();
  writer_ended_.expires_at(asio::steady_timer::time_point::max());
  asio::co_spawn(strand_, write_loop(self), [self](const std::exception_ptr& failure) { self->writer_ended(failure); });
  std::exception_ptr failure;
  try {
    co_await read_loop();
  } catch (...) {
    failure = std::current_exception();
  }
  reading_ended_ = true;
  wake_writer();
  // The writer uses the stream, which the connection owns: it must have ended first, even after a failure.
  while (!writing_ended_) co_await writer_ended_.async_wait(kAwait);
  cancel();
  streams_.clear();
  answer_watch_.cancel();
  if (failure) std::rethrow_exception(failure);
  co_await stream_.finish(true);
}

asio::awaitable<void> H2Session::read_loop() {
  limit_reading_time();
  buffer_.max_size(std::max(buffer_.size(), kReadBytes));
  bool healthy = buffer_.size() == 0 || receive({static_cast<const char*>(buffer_.data().data()), buffer_.size()});
  buffer_.consume(buffer_.size());
  while (healthy && !writing_ended_ && nghttp2_session_want_read(nghttp2_->session) != 0) {
    const asio::mutable_buffer room = buffer_.prepare(kReadBytes);
    const ReadResult read = co_await stream_.read_some(room);
    if (read.end != IoEnd::kOk) {
      if (read.end == IoEnd::kError && !streams_.empty()) pipeline_->metrics().add(Counter::kIoErrors, "read");
      break;
    }
    healthy = receive({static_cast<const char*>(room.data()), read.bytes});
  }
}

bool H2Session::receive(std::string_view bytes) {
  const auto* data = reinterpret_cast<const std::uint8_t*>(bytes.data());
  const ssize_t used = nghttp2_session_mem_recv(nghttp2_->session, data, bytes.size());
  if (callback_failure_) std::rethrow_exception(callback_failure_);
  start_admitted();
  wake_writer();
  if (used >= 0) return true;
  pipeline_->metrics().add(Counter::kIoErrors, "http");
  return false;
}

// Fills the batch with frames; false when there is nothing to send.
bool H2Session::gather_output() {
  output_.clear();
  while (output_.size() < kWriteBatchBytes) {
    const std::uint8_t* data = nullptr;
    const ssize_t size = nghttp2_session_mem_send(nghttp2_->session, &data);
    if (size <= 0) break;
    output_.append(reinterpret_cast<const char*>(data), static_cast<std::size_t>(size));
  }
  return !output_.empty();
}

asio::awaitable<void> H2Session::write_loop(std::shared_ptr<H2Session> self) {
  while (true) {
    if (self->gather_output()) {
      const IoEnd end = co_await self->stream_.write(self->output_, self->limits_->write_timeout);
      if (end != IoEnd::kOk) break;
      continue;
    }
    if (self->reading_ended_ || nghttp2_session_want_read(self->nghttp2_->session) == 0) break;
    self->writer_wake_.expires_at(asio::steady_timer::time_point::max());
    co_await self->writer_wake_.async_wait(kAwait);
  }
}

void H2Session::writer_ended(const std::exception_ptr& failure) {
  if (failure) pipeline_->log_error("HTTP/2 connection of " + peer_.ip + " closed: " + what_of(failure));
  writing_ended_ = true;
  writer_ended_.cancel();
  stream_.cancel();  // ends the wait of the reader
}

asio::awaitable<void> H2Session::serve_stream(std::shared_ptr<H2Session> self, std::int32_t id,
                                              std::shared_ptr<Exchange> exchange) {
  Response response = co_await exchange->answer();
  if (exchange->canceled()) co_return;
  const std::shared_ptr<BodyFeed> feed = response.feed;
  self->respond(id, std::move(response));
  if (feed && !exchange->is_head_request()) co_await self->send_feed(id, feed);
}

// Requests the next piece once nghttp2 has consumed the last. The stream of a peer that does not consume a piece within
// the write timeout is reset.
asio::awaitable<void> H2Session::send_feed(std::int32_t id, std::shared_ptr<BodyFeed> feed) {
  const auto sent = std::make_shared<asio::steady_timer>(strand_);
  while (Stream* stream = find(id)) {
    stream->piece_sent = sent;
    std::optional<std::string> piece = co_await feed->next();
    stream = find(id);
    if (stream == nullptr) break;
    stream->feed_ended = !piece;
    stream->response.body = std::move(piece).value_or("");
    stream->sent = 0;
    if (stream->feed_ended) expect_piece(*stream);
    sent->expires_after(limits_->write_timeout);
    nghttp2_session_resume_data(nghttp2_->session, id);
    wake_writer();
    if (stream->feed_ended) break;
    co_await sent->async_wait(kAwait);
    stream = find(id);
    if (stream == nullptr || stream->sent == stream->response.body.size()) continue;
    pipeline_->metrics().add(Counter::kIoTimeouts, "write");
    nghttp2_submit_rst_stream(nghttp2_->session, NGHTTP2_FLAG_NONE, id, NGHTTP2_CANCEL);
    wake_writer();
    break;
  }
  feed->stop();
}

void H2Session::begin_close() {
  if (std::exchange(goaway_submitted_, true)) return;
  stop_feeds();
  const std::int32_t last = nghttp2_session_get_last_proc_stream_id(nghttp2_->session);
  nghttp2_submit_goaway(nghttp2_->session, NGHTTP2_FLAG_NONE, last, NGHTTP2_NO_ERROR, nullptr, 0);
  wake_writer();
}

void H2Session::cancel() {
  for (auto& [id, stream] : streams_) {
    if (stream.exchange) stream.exchange->cancel();
  }
  stop_feeds();
}

void H2Session::stop_feeds() {
  for (auto& [id, stream] : streams_) {
    if (stream.response.feed) stream.response.feed->stop();
  }
}

// A head that has begun has one limit, independent of other streams. Otherwise only a connection without requests is
// idle: the limit counts from the end of the last request, and pings do not extend it.
void H2Session::limit_reading_time() {
  if (head_open_ != 0) return;
  if (!streams_.empty()) {
    stream_.unlimit_reading();
  } else if (answers_ == 0) {
    stream_.limit_reading("read", limits_->read_timeout);
  } else {
    stream_.limit_reading("idle", limits_->idle_timeout);
  }
}

H2Session::Stream* H2Session::find(std::int32_t id) {
  const auto found = streams_.find(id);
  return found == streams_.end() ? nullptr : &found->second;
}

void H2Session::head_began(std::int32_t id) {
  streams_[id].head.http_major = 2;
  head_open_ = id;
  stream_.limit_reading("read", limits_->read_timeout);
}

void H2Session::take_header(Stream& stream, std::string_view name, std::string_view value) {
  stream.head_bytes += name.size() + value.size() + kHeaderOverheadBytes;
  if (stream.head_bytes > limits_->header_bytes_max) return;  // refused when the head is complete
  if (name == ":method") {
    stream.head.method = value;
  } else if (name == ":path") {
    stream.head.target = value;
  } else if (name == ":authority") {
    stream.head.add_header("host", value);
  } else if (!name.starts_with(':')) {
    if (name == "content-length") stream.head.content_length = number(value);
    stream.head.add_header(name, value);
  }
}

void H2Session::head_complete(std::int32_t id, bool end_of_request) {
  head_open_ = 0;
  limit_reading_time();
  Stream* stream = find(id);
  if (stream == nullptr) return;
  stream->request_ended = end_of_request;
  stream->head_request = stream->head.method == "HEAD";
  if (stream->head_bytes > limits_->header_bytes_max) {
    pipeline_->count_refusal("header_limit");
    Response response = Response::error({ErrorCode::kProtocol, "the head is too large"});
    response.status = 431;
    respond(id, std::move(response));
    return;
  }
  auto exchange = std::make_shared<Exchange>(pipeline_, strand_, std::move(stream->head), peer_);
  if (auto refusal = exchange->admit()) {
    respond(id, std::move(*refusal));
    return;
  }
  if (end_of_request) exchange->body_complete();
  stream->exchange = std::move(exchange);
  admitted_.push_back(id);
}

void H2Session::start_admitted() {
  for (const std::int32_t id : std::exchange(admitted_, {})) {
    const Stream* stream = find(id);
    if (stream == nullptr) continue;
    asio::co_spawn(
        strand_, serve_stream(shared_from_this(), id, stream->exchange),
        [self = shared_from_this(), id](const std::exception_ptr& failure) { self->stream_failed(id, failure); });
  }
}

void H2Session::stream_failed(std::int32_t id, const std::exception_ptr& failure) {
  if (!failure) return;
  pipeline_->metrics().add(Counter::kIoErrors, "connection");
  pipeline_->log_error("HTTP/2 stream of " + peer_.ip + " reset: " + what_of(failure));
  if (find(id) == nullptr) return;
  nghttp2_submit_rst_stream(nghttp2_->session, NGHTTP2_FLAG_NONE, id, NGHTTP2_INTERNAL_ERROR);
  wake_writer();
}

void H2Session::respond(std::int32_t id, Response response) {
  Stream* stream = find(id);
  if (stream == nullptr || stream->answered) return;
  stream->answered = true;
  if (response.close) begin_close();
  const std::size_t waiting = unsent_bytes();
  if (waiting > 0 && waiting + response.body.size() > limits_->unsent_bytes_max) {
    pipeline_->count_refusal("unsent");
    response = Response::error({ErrorCode::kBusy, "this connection has too many answers that it does not take"});
  }
  stream->response = std::move(response);
  const bool with_body = !stream->head_request && status_has_body(stream->response.status) &&
                         (stream->response.feed != nullptr || !stream->response.body.empty());
  if (with_body && stream->response.feed == nullptr) expect_piece(*stream);
  nghttp2_->submit_response(id, stream->response, with_body);
  wake_writer();
}

std::size_t H2Session::unsent_bytes() const {
  std::size_t bytes = 0;
  for (const auto& [id, stream] : streams_) bytes += stream.answered ? stream.response.body.size() - stream.sent : 0;
  return bytes;
}

// The peer must read the next piece within the write timeout: small window updates do not extend it.
void H2Session::expect_piece(Stream& stream) {
  stream.take_by = std::chrono::steady_clock::now() + limits_->write_timeout;
  stream.piece_end = stream.sent + kWritePieceBytes;
  watch_answers();
}

void H2Session::watch_answers() {
  if (watching_answers_) return;
  auto next = std::chrono::steady_clock::time_point::max();
  for (const auto& [id, stream] : streams_) next = std::min(next, stream.take_by.value_or(next));
  if (next == std::chrono::steady_clock::time_point::max()) return;
  watching_answers_ = true;
  answer_watch_.expires_at(next);
  answer_watch_.async_wait([self = shared_from_this()](const boost::system::error_code& error) {
    self->watching_answers_ = false;
    if (error || self->writing_ended_) return;
    self->reset_stalled();
    self->watch_answers();
  });
}

void H2Session::reset_stalled() {
  const auto now = std::chrono::steady_clock::now();
  for (auto& [id, stream] : streams_) {
    if (!stream.take_by || *stream.take_by > now) continue;
    stream.take_by.reset();
    pipeline_->metrics().add(Counter::kIoTimeouts, "write");
    nghttp2_submit_rst_stream(nghttp2_->session, NGHTTP2_FLAG_NONE, id, NGHTTP2_CANCEL);
  }
  wake_writer();
}

void H2Session::stream_closed(std::int32_t id) {
  const auto found = streams_.find(id);
  if (found == streams_.end()) return;
  if (found->second.exchange) found->second.exchange->cancel();
  if (found->second.response.feed) found->second.response.feed->stop();
  if (found->second.piece_sent) found->second.piece_sent->cancel();
  streams_.erase(found);
  if (head_open_ == id) head_open_ = 0;
  limit_reading_time();
}

void H2Session::count_reset() {
  if (++resets_ <= answers_ + kResetsWithoutAnswersMax) return;
  pipeline_->count_refusal("reset_flood");
  nghttp2_session_terminate_session(nghttp2_->session, NGHTTP2_ENHANCE_YOUR_CALM);
}

}  // namespace hyperscale::runtime
