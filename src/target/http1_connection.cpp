#include "target/http1_connection.h"

#include "base/append_format.h"
#include "target/http1_head.h"
#include "target/limits.h"

#include <algorithm>
#include <utility>

namespace hyperscale::target {

Http1Connection::Http1Connection(CoreServices& core, BytePipe& pipe)
    : core_(core),
      pipe_(pipe),
      timer_([](void* self) { static_cast<Http1Connection*>(self)->on_timer(); }, this),
      parser_(needs_body) {}

void Http1Connection::on_pipe_bytes(ByteView bytes) {
  const std::string_view input(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (state_ == State::kReading && stash_.empty()) {
    take(input);
  } else if (state_ != State::kSilent && state_ != State::kClosing && state_ != State::kClosed) {
    stash_.append(input);
  }
  pump();
}

void Http1Connection::on_pipe_sent() {
  outbox_.on_sent();
  pump();
}

void Http1Connection::on_pipe_end() {
  peer_done_ = true;
  if (state_ == State::kSilent) state_ = State::kClosing;
  pump();
}

void Http1Connection::on_pipe_closed() {
  state_ = State::kClosed;
  core_.loop.timers().cancel(timer_);
}

void Http1Connection::stop() {
  if (state_ == State::kSilent || (state_ == State::kReading && parser_.between_requests())) state_ = State::kClosing;
  pump();
}

// Reads requests until the input is used up or an answer has to wait.
void Http1Connection::take(std::string_view input) {
  while (!input.empty() && state_ == State::kReading && outbox_.queued().size() < kQueuedBytesMax) take_one(input);
  if (state_ == State::kReading || state_ == State::kDelayed || state_ == State::kBody) stash_.append(input);
}

void Http1Connection::take_one(std::string_view& input) {
  const RequestParser::Progress progress = parser_.consume(input);
  input.remove_prefix(progress.consumed);
  switch (progress.state) {
    case RequestParser::State::kMore:
      if (parser_.take_wants_continue()) outbox_.queued() += "HTTP/1.1 100 Continue\r\n\r\n";
      return;
    case RequestParser::State::kComplete:
      return answer_request();
    case RequestParser::State::kError:
      core_.counters.count_bad_request(mark_);
      append_http1_refusal(outbox_.queued(), parser_.error_status(), parser_.error());
      state_ = State::kClosing;
      return;
  }
}

void Http1Connection::answer_request() {
  const Request request = parser_.request();
  core_.answer(request, CoreCounters::Protocol::kHttp1, parser_.body_bytes(), mark_, answer_);
  ++requests_;
  head_only_ = request.method == "HEAD";
  last_ = !parser_.keep_alive() || answer_.close || answer_.ending == Ending::kHalf ||
          requests_ == core_.requests_per_connection_max;
  if (const auto due = core_.due(answer_)) {
    state_ = State::kDelayed;
    core_.loop.timers().set(timer_, *due);
  } else {
    begin_answer();
  }
}

void Http1Connection::begin_answer() {
  last_ |= core_.stopping;
  switch (answer_.ending) {
    case Ending::kReset:
      state_ = State::kClosed;
      return pipe_.reset();
    case Ending::kNever:
      state_ = core_.stopping || peer_done_ ? State::kClosing : State::kSilent;
      return;
    case Ending::kGarbage:
      outbox_.queued() += kGarbageBytes;
      state_ = State::kClosing;
      return;
    case Ending::kNormal:
    case Ending::kHalf:
      return begin_body();
  }
}

void Http1Connection::begin_body() {
  const bool http11 = parser_.minor_version() == 1;
  chunked_ = answer_.chunk_bytes > 0 && http11;
  append_http1_head(outbox_.queued(), answer_,
                    {.minor_version = parser_.minor_version(), .keep_alive = !last_, .chunked = chunked_});
  body_at_ = 0;
  body_end_ = head_only_ || !answer_.may_have_body() ? 0 : answer_.sent_body_bytes();
  if (head_only_) chunked_ = false;
  const bool small = body_end_ <= kBodyBlockBytes / 4 && answer_.drip_every == Duration::zero() && !chunked_;
  if (small) {
    append_body_piece(body_end_);
    end_answer();
  } else {
    state_ = State::kBody;
  }
}

void Http1Connection::end_answer() {
  state_ = last_ ? State::kClosing : State::kReading;
}

// Appends the next block of the body, or the next group of a dripping one.
void Http1Connection::fill_body() {
  const bool drips = answer_.drip_every > Duration::zero();
  const std::size_t enough = outbox_.queued().size() + (drips ? 1 : kBodyBlockBytes);
  const std::uint64_t piece = chunked_ ? answer_.chunk_bytes : drips ? kDripBytes : kBodyBlockBytes;
  while (body_at_ < body_end_ && outbox_.queued().size() < enough) {
    append_body_piece(std::min(piece, body_end_ - body_at_));
  }
  if (body_at_ == body_end_) {
    if (chunked_) outbox_.queued() += "0\r\n\r\n";
    end_answer();
  } else if (drips) {
    dripping_ = true;
    core_.loop.timers().set(timer_, load::EventLoop::now() + answer_.drip_every);
  }
}

void Http1Connection::append_body_piece(std::uint64_t count) {
  std::string& out = outbox_.queued();
  if (chunked_) append_format(out, "{:x}\r\n", count);
  answer_.append_body(out, body_at_, count);
  if (chunked_) out += "\r\n";
  body_at_ += count;
}

// Continues as far as possible: bodies, sends, requests in the stash, and the end of the connection.
void Http1Connection::pump() {
  if (std::exchange(pumping_, true)) return;
  while (state_ != State::kClosed) {
    if (state_ == State::kBody && !dripping_ && !outbox_.busy()) fill_body();
    if (!outbox_.flush(pipe_)) break;
    if (!outbox_.empty()) continue;
    if (!after_flush()) break;
  }
  if (!paused_ && stash_.size() > kStashBytesMax) {
    paused_ = true;
    pipe_.pause();
  }
  pumping_ = false;
}

// Called when nothing is left to send. True if pump() has to continue.
bool Http1Connection::after_flush() {
  switch (state_) {
    case State::kBody:
      return !dripping_;
    case State::kReading:
      if (!stash_.empty()) {
        const std::string input = std::exchange(stash_, {});
        take(input);
        return true;
      }
      if (std::exchange(paused_, false)) pipe_.resume();
      if (!peer_done_) return false;
      state_ = State::kClosing;
      return true;
    case State::kClosing:
      state_ = State::kClosed;
      pipe_.finish();
      return false;
    case State::kDelayed:
    case State::kSilent:
    case State::kClosed:
      return false;
  }
  return false;
}

void Http1Connection::on_timer() {
  if (state_ == State::kDelayed) begin_answer();
  dripping_ = false;
  pump();
}

}  // namespace hyperscale::target
