#include "target/http2_connection.h"

#include "base/check.h"
#include "target/filler.h"
#include "target/limits.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include <fmt/format.h>

namespace hyperscale::target {

Http2Connection::Http2Connection(CoreServices& core, BytePipe& pipe) : core_(core), pipe_(pipe), session_(*this) {}

void Http2Connection::on_pipe_bytes(ByteView bytes) {
  if (state_ != State::kOpen) return;
  in_session_ = true;
  const ssize_t used = nghttp2_session_mem_recv(session_.get(), bytes.data(), bytes.size());
  in_session_ = false;
  // nghttp2 answers protocol errors with a GOAWAY; only errors that it cannot answer end the connection here.
  if (used < 0) {
    core_.counters.count_bad_request(mark_);
    if (state_ == State::kOpen) state_ = State::kClosing;
  }
  pump();
}

void Http2Connection::on_pipe_sent() {
  outbox_.on_sent();
  pump();
}

void Http2Connection::on_pipe_end() {
  if (state_ == State::kOpen) state_ = State::kClosing;
  pump();
}

void Http2Connection::on_pipe_closed() {
  state_ = State::kClosed;
  for (const auto& stream : streams_) core_.loop.timers().cancel(stream->timer);
}

void Http2Connection::stop() {
  leave();
  // Streams of /never would keep the connection open.
  for (const auto& stream : streams_) {
    if (stream->answered && stream->answer.ending == Ending::kNever) session_.submit_reset(*stream);
  }
  pump();
}

Http2Stream& Http2Connection::open_stream(std::int32_t id) {
  if (unused_.empty()) {
    const auto fire = [](void* context) {
      auto* stream = static_cast<Http2Stream*>(context);
      stream->connection.on_timer(*stream);
    };
    streams_.push_back(std::make_unique<Http2Stream>(*this, fire));
    unused_.push_back(streams_.back().get());
  }
  Http2Stream& stream = *unused_.back();
  unused_.pop_back();
  stream.reset(id);
  return stream;
}

void Http2Connection::close_stream(Http2Stream& stream) {
  core_.loop.timers().cancel(stream.timer);
  stream.answered = false;
  unused_.push_back(&stream);
}

void Http2Connection::on_request(Http2Stream& stream) {
  stream.answered = true;
  if (stream.refused_with != 0) {
    core_.counters.count_bad_request(mark_);
    stream.answer.clear();
    stream.answer.status = stream.refused_with;
    stream.answer.body = "the request is too large\n";
    return submit_answer(stream);
  }
  core_.answer(stream.request(fields_), CoreCounters::Protocol::kHttp2, stream.body_bytes, mark_, stream.answer);
  if (++requests_ == core_.requests_per_connection_max) stream.answer.close = true;
  if (const auto due = core_.due(stream.answer)) {
    core_.loop.timers().set(stream.timer, *due);
  } else {
    begin_answer(stream);
  }
}

void Http2Connection::begin_answer(Http2Stream& stream) {
  switch (stream.answer.ending) {
    case Ending::kReset:
      return session_.submit_reset(stream);
    case Ending::kNever:
      return;
    case Ending::kGarbage:
      outbox_.queued() += kGarbageBytes;
      state_ = State::kClosing;
      return;
    case Ending::kNormal:
    case Ending::kHalf:
      return submit_answer(stream);
  }
}

void Http2Connection::submit_answer(Http2Stream& stream) {
  const Answer& answer = stream.answer;
  const bool with_body = answer.may_have_body() && stream.pseudo_field(":method") != "HEAD" && answer.body_bytes() > 0;
  stream.body_end = with_body ? answer.sent_body_bytes() : 0;
  session_.submit_answer(stream, with_body);
  if (answer.close) leave();
}

void Http2Connection::leave() {
  if (!std::exchange(leaving_, true)) session_.submit_goaway();
}

ssize_t Http2Connection::read_body(Http2Stream& stream, std::uint8_t* out, std::size_t size, std::uint32_t* flags) {
  const Answer& answer = stream.answer;
  const bool drips = answer.drip_every > Duration::zero();
  if (stream.dripping) return NGHTTP2_ERR_DEFERRED;
  if (stream.body_at == stream.body_end && answer.ending == Ending::kHalf) return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE;
  const std::uint64_t left = stream.body_end - stream.body_at;
  const std::size_t count = std::min<std::uint64_t>({left, size, drips ? kDripBytes : size});
  if (answer.body.empty()) {
    copy_filler(out, stream.body_at, count);
  } else {
    std::memcpy(out, answer.body.data() + stream.body_at, count);
  }
  stream.body_at += count;
  if (stream.body_at == stream.body_end) {
    if (answer.ending != Ending::kHalf) *flags |= NGHTTP2_DATA_FLAG_EOF;
  } else if (drips) {
    stream.dripping = true;
    core_.loop.timers().set(stream.timer, load::EventLoop::now() + answer.drip_every);
  }
  return static_cast<ssize_t>(count);
}

void Http2Connection::on_timer(Http2Stream& stream) {
  if (state_ != State::kOpen) return;
  if (std::exchange(stream.dripping, false)) {
    nghttp2_session_resume_data(session_.get(), stream.id);
  } else {
    begin_answer(stream);
  }
  pump();
}

// Moves frames of the session to the outbox, up to a block.
void Http2Connection::gather() {
  in_session_ = true;
  while (state_ == State::kOpen && outbox_.queued().size() < kBodyBlockBytes) {
    const std::uint8_t* frames = nullptr;
    const ssize_t size = nghttp2_session_mem_send(session_.get(), &frames);
    if (size < 0) state_ = State::kClosing;
    if (size <= 0) break;
    outbox_.queued().append(reinterpret_cast<const char*>(frames), static_cast<std::size_t>(size));
  }
  in_session_ = false;
}

void Http2Connection::pump() {
  if (in_session_) return;
  while (state_ != State::kClosed) {
    gather();
    if (outbox_.empty()) {
      finish_if_over();
      break;
    }
    if (!outbox_.flush(pipe_)) break;
  }
  set_paused(outbox_.busy() && outbox_.queued().size() >= kBodyBlockBytes);
}

void Http2Connection::finish_if_over() {
  const bool session_over =
      nghttp2_session_want_read(session_.get()) == 0 && nghttp2_session_want_write(session_.get()) == 0;
  if (state_ != State::kClosing && !session_over) return;
  state_ = State::kClosed;
  pipe_.finish();
}

void Http2Connection::set_paused(bool paused) {
  if (state_ == State::kClosed || paused == std::exchange(paused_, paused)) return;
  if (paused) {
    pipe_.pause();
  } else {
    pipe_.resume();
  }
}

}  // namespace hyperscale::target
