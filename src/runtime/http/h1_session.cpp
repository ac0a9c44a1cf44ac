#include "runtime/http/h1_session.h"

#include "runtime/http/response_head.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace hyperscale::runtime {
namespace {

using Progress = H1Parser::Progress;

constexpr std::size_t kReadBytes = 16 << 10;
constexpr std::size_t kJoinedBodyBytesMax = 16 << 10;  // a body up to this size leaves in one write with its head
// The rest of a refused request's body is read and discarded up to this size; beyond it the connection is closed.
constexpr std::uint64_t kSkippedBodyBytesMax = 64 << 10;
constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";
constexpr std::string_view kLastChunk = "0\r\n\r\n";

// Whether a refusal may leave the connection in use: the rest of the request is known to be small and on its way.
bool can_skip_body(H1Parser& parser) {
  const auto length = parser.head().content_length;
  return !parser.expects_continue() && length && *length <= kSkippedBodyBytesMax;
}

}  // namespace

H1Session::H1Session(std::shared_ptr<RequestPipeline> pipeline, asio::any_io_executor strand, ByteStream& stream,
                     ReadBuffer& buffer, const Peer& peer)
    : pipeline_(std::move(pipeline)),
      limits_(pipeline_->limits()),
      strand_(std::move(strand)),
      stream_(stream),
      buffer_(buffer),
      peer_(peer) {}

void H1Session::begin_close() {
  closing_ = true;
  if (idle_) stream_.cancel();
  if (feed_) feed_->stop();
}

void H1Session::cancel() {
  closing_ = true;
  if (exchange_) exchange_->cancel();
  if (feed_) feed_->stop();
}

asio::awaitable<void> H1Session::run() {
  Next next = Next::kServe;
  while (next == Next::kServe) {
    next = co_await serve_one();
    exchange_.reset();
    first_request_ = false;
  }
  co_await stream_.finish(next == Next::kCloseAfterLinger);
}

asio::awaitable<H1Session::Next> H1Session::serve_one() {
  limits_ = pipeline_->limits();
  H1Parser parser(limits_->header_bytes_max);
  const std::optional<Next> ended = co_await read_head(parser);
  if (ended) co_return *ended;

  const bool may_skip = parser.done() || can_skip_body(parser);
  exchange_ = std::make_shared<Exchange>(pipeline_, strand_, std::move(parser.head()), peer_);
  const bool with_body = !exchange_->is_head_request();
  std::optional<Response> response = exchange_->admit();
  if (response) {
    const bool keep = parser.keep_alive() && !response->close && !closing_ && may_skip;
    const Next next = co_await respond(*response, keep, with_body);
    if (parser.done()) co_return next;
    if (next != Next::kServe) co_return Next::kCloseAfterLinger;
    const bool skipped = co_await skip_body(parser);
    co_return skipped ? Next::kServe : Next::kCloseAfterLinger;
  }

  response = co_await read_body(parser);
  if (response) {
    response->close = true;
    exchange_->refuse(std::move(*response));
  } else {
    exchange_->body_complete();
  }
  const bool unread = !parser.done();
  Response answer = co_await run_handler();
  if (exchange_->canceled()) co_return Next::kClose;
  const bool keep = parser.keep_alive() && !answer.close && !closing_ && !unread;
  if (answer.feed && with_body) co_return co_await respond_in_pieces(answer, keep, parser.takes_chunks());
  const Next next = co_await respond(answer, keep, with_body);
  co_return unread&& next == Next::kClose ? Next::kCloseAfterLinger : next;
}

H1Parser::Progress H1Session::feed(H1Parser& parser) {
  const auto data = buffer_.data();
  const H1Parser::Fed fed = parser.feed({static_cast<const char*>(data.data()), data.size()});
  buffer_.consume(fed.used);
  return fed.progress;
}

asio::awaitable<IoEnd> H1Session::read_more() {
  if (buffer_.size() >= buffer_.max_size()) co_return IoEnd::kError;
  const asio::mutable_buffer room = buffer_.prepare(std::min(kReadBytes, buffer_.max_size() - buffer_.size()));
  const ReadResult read = co_await stream_.read_some(room);
  buffer_.commit(read.bytes);
  co_return read.end;
}

// Empty if the head is complete; otherwise what to do after a request without one.
asio::awaitable<std::optional<H1Session::Next>> H1Session::read_head(H1Parser& parser) {
  buffer_.max_size(limits_->header_bytes_max + kReadBytes);
  bool begun = buffer_.size() > 0;
  // The time for a head is one limit for all of it, so single bytes do not extend it.
  stream_.limit_reading(begun || first_request_ ? "read" : "idle",
                        begun || first_request_ ? limits_->read_timeout : limits_->idle_timeout);
  while (true) {
    const Progress progress = buffer_.size() > 0 ? feed(parser) : Progress::kNeedMore;
    if (progress == Progress::kHeadDone || progress == Progress::kDone) break;
    if (progress == Progress::kHeadTooLarge) co_return co_await reject(431, "the head is too large", "header_limit");
    if (progress != Progress::kNeedMore) co_return co_await reject(400, "malformed request", "malformed");
    if (!begun && closing_) co_return Next::kClose;
    idle_ = !begun;
    const IoEnd end = co_await read_more();
    idle_ = false;
    if (end == IoEnd::kOk) {
      if (!begun && !first_request_) stream_.limit_reading("read", limits_->read_timeout);
      begun = true;
      continue;
    }
    if (end == IoEnd::kTimeout && begun)
      co_return co_await reject(408, "the request head did not arrive in time", "slow");
    if (begun && buffer_.size() >= buffer_.max_size())
      co_return co_await reject(431, "the head is too large", "header_limit");
    if (begun) pipeline_->metrics().add(Counter::kIoErrors, "read");
    co_return Next::kClose;
  }
  stream_.unlimit_reading();
  co_return std::nullopt;
}

// The answer to a body that cannot be read; empty if it is complete.
asio::awaitable<std::optional<Response>> H1Session::read_body(H1Parser& parser) {
  if (parser.done()) co_return std::nullopt;
  if (parser.expects_continue() && buffer_.size() == 0) {
    const IoEnd sent = co_await stream_.write(kContinue, limits_->write_timeout);
    if (sent != IoEnd::kOk) exchange_->cancel();
  }
  parser.take_body(exchange_->body());
  stream_.limit_reading("read", exchange_->body_time_left());
  while (!exchange_->canceled()) {
    const Progress progress = buffer_.size() > 0 ? feed(parser) : Progress::kNeedMore;
    if (progress == Progress::kDone) break;
    if (progress == Progress::kBodyTooLarge) co_return exchange_->body_too_large();
    if (progress != Progress::kNeedMore) {
      pipeline_->count_refusal("malformed");
      co_return Response::error({ErrorCode::kProtocol, "malformed body"});
    }
    const IoEnd end = co_await read_more();
    if (end == IoEnd::kOk) continue;
    if (end == IoEnd::kTimeout) co_return exchange_->body_timed_out();
    pipeline_->metrics().add(Counter::kIoErrors, "read");
    exchange_->cancel();
  }
  stream_.unlimit_reading();
  co_return std::nullopt;
}

asio::awaitable<Response> H1Session::run_handler() {
  ByteStream* const stream = &stream_;
  const std::weak_ptr<Exchange> weak = exchange_;
  exchange_->on_waiting([stream, weak] {
    stream->watch_peer([weak] {
      if (const auto exchange = weak.lock()) exchange->cancel();
    });
  });
  Response response = co_await exchange_->answer();
  stream_.unwatch_peer();
  co_return response;
}

asio::awaitable<H1Session::Next> H1Session::respond(const Response& response, bool keep_alive, bool with_body) {
  std::string head = h1_response_head(response, keep_alive);
  const bool send_body = with_body && status_has_body(response.status);
  const bool joined = send_body && response.body.size() <= kJoinedBodyBytesMax;
  if (joined) head += response.body;
  IoEnd end = co_await stream_.write(head, limits_->write_timeout);
  if (end == IoEnd::kOk && send_body && !joined) end = co_await stream_.write(response.body, limits_->write_timeout);
  co_return end == IoEnd::kOk&& keep_alive ? Next::kServe : Next::kClose;
}

asio::awaitable<H1Session::Next> H1Session::respond_in_pieces(const Response& response, bool keep_alive, bool chunked) {
  feed_ = response.feed;
  const std::shared_ptr<BodyFeed> feed = feed_;
  stream_.watch_peer([feed] { feed->stop(); });
  if (closing_) feed->stop();
  IoEnd end =
      co_await stream_.write(h1_response_head(response, keep_alive && chunked, chunked), limits_->write_timeout);
  while (end == IoEnd::kOk) {
    const std::optional<std::string> piece = co_await feed->next();
    if (!piece) break;
    const std::string bytes = chunked ? fmt::format("{:x}\r\n{}\r\n", piece->size(), *piece) : *piece;
    end = co_await stream_.write(bytes, limits_->write_timeout);
  }
  if (end == IoEnd::kOk && chunked) end = co_await stream_.write(kLastChunk, limits_->write_timeout);
  stream_.unwatch_peer();
  feed_.reset();
  co_return end == IoEnd::kOk&& keep_alive&& chunked && !closing_ ? Next::kServe : Next::kClose;
}

asio::awaitable<H1Session::Next> H1Session::reject(int status, std::string_view message, std::string_view reason) {
  pipeline_->count_refusal(reason);
  pipeline_->metrics().observe_latency("other", "other", 0ns);
  Response response = Response::error({ErrorCode::kProtocol, std::string(message)});
  response.status = status;
  co_await respond(response, false, true);
  co_return Next::kCloseAfterLinger;
}

asio::awaitable<bool> H1Session::skip_body(H1Parser& parser) {
  BodyBuffer waste(kSkippedBodyBytesMax, BodyBuffer::Keep::kDiscard);
  parser.take_body(waste);
  stream_.limit_reading("read", limits_->read_timeout);
  while (true) {
    const Progress progress = buffer_.size() > 0 ? feed(parser) : Progress::kNeedMore;
    if (progress == Progress::kDone) break;
    if (progress != Progress::kNeedMore) co_return false;
    const IoEnd end = co_await read_more();
    if (end != IoEnd::kOk) co_return false;
  }
  stream_.unlimit_reading();
  co_return true;
}

}  // namespace hyperscale::runtime
