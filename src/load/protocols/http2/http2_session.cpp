// Exchanges, frames to send, and the end of a session. Received frames are handled in http2_receiving.cpp.
#include "load/protocols/http2/http2_session.h"

#include "base/check.h"
#include "load/protocols/prepared_request.h"

#include <algorithm>
#include <utility>

namespace hyperscale::load {
namespace {

using http2::ErrorCode;
using http2::FrameType;
using results::Outcome;

// Capacity that a buffer keeps when it was sent; after a large upload an idle session frees the rest.
constexpr std::size_t kKeptBytesMax = 16 << 10;
constexpr std::uint32_t kStreamIdMax = INT32_MAX;

bool is_of_request(FrameType type) {
  return type == FrameType::kHeaders || type == FrameType::kContinuation || type == FrameType::kData;
}

// Bytes of the stream's request in the last `tail` bytes of `frames`, which are complete, after the preface if any.
std::uint64_t request_bytes_in_tail(ByteView frames, std::size_t tail, std::uint32_t stream_id) {
  if (tail == 0) return 0;
  const std::size_t written = frames.size() - std::min(tail, frames.size());
  const bool has_preface = !frames.empty() && frames[0] == static_cast<std::uint8_t>(http2::kPreface[0]);
  std::uint64_t bytes = 0;
  for (std::size_t at = has_preface ? http2::kPreface.size() : 0; at < frames.size();) {
    const http2::FrameHead head = http2::read_frame_head(frames.data() + at);
    const std::size_t end = at + http2::kFrameHeadBytes + head.length;
    if (head.stream_id == stream_id && is_of_request(head.type) && end > written) bytes += end - std::max(at, written);
    at = end;
  }
  return bytes;
}

}  // namespace

Http2Session::Http2Session(Transport& transport, SessionEvents& events, FreeListMemory& memory,
                           const Http2Options& options)
    : transport_(transport),
      events_(events),
      streams_max_(options.streams_max),
      next_stream_id_(static_cast<std::uint32_t>(options.first_stream_id)),
      decoder_(memory),
      receive_window_(kHttp2WindowBytes) {
  http2::append_client_preface(collected_, kHttp2WindowBytes);
}

std::uint32_t Http2Session::capacity() const {
  return std::min(streams_max_, peer_streams_max_);
}

bool Http2Session::usable() const {
  return !ended_ && !goaway_seen_ && failure_.empty() && next_stream_id_ <= kStreamIdMax;
}

void Http2Session::send_request(std::uint32_t slot, const PreparedRequest& request) {
  CHECK(usable() && in_flight_ < capacity(), "{} of {} streams are in use", in_flight_, capacity());
  Exchange& exchange = take_exchange();
  exchange = Exchange{.request = &request,
                      .receive_window = http2::ReceiveWindow(kHttp2WindowBytes),
                      .stream_id = next_stream_id_,
                      .slot = slot};
  next_stream_id_ += 2;
  ++in_flight_;
  waiting_.push_back(&exchange);
}

void Http2Session::flush() {
  if (reading_ || ended_) return;
  write();
  settle();
}

// A stream whose HEADERS were not made needs no RST_STREAM; its number is not reused.
void Http2Session::abandon(std::uint32_t slot) {
  const auto found = std::ranges::find_if(
      exchanges_, [slot](const auto& exchange) { return exchange->stream_id != 0 && exchange->slot == slot; });
  if (found == exchanges_.end()) return;
  Exchange& exchange = **found;
  if (exchange.sent) http2::append_rst_stream(collected_, exchange.stream_id, ErrorCode::kCancel);
  release(exchange);
  flush();
}

void Http2Session::on_sent() {
  send_pending_ = false;
  if (ended_) return;
  const bool nothing_left = collected_.empty() && waiting_.empty() && uploads_.empty();
  if (nothing_left && sending_.capacity() <= kKeptBytesMax) return;
  write();
  settle();
}

void Http2Session::silence() {
  ended_ = true;
  over_reported_ = true;
  current_ = nullptr;
}

void Http2Session::on_end() {
  end_session(Outcome::kClosed, "the server closed the connection before the answer was complete");
}

void Http2Session::on_broken(Outcome outcome, std::string_view detail) {
  end_session(outcome, detail);
}

Http2Session::Exchange& Http2Session::take_exchange() {
  if (free_exchanges_.empty()) {
    exchanges_.push_back(std::make_unique<Exchange>());
    free_exchanges_.reserve(exchanges_.size());
    return *exchanges_.back();
  }
  Exchange* exchange = free_exchanges_.back();
  free_exchanges_.pop_back();
  return *exchange;
}

// The record keeps its values until take_exchange() reuses it; callers read it before any callback can do that.
void Http2Session::release(Exchange& exchange) {
  if (exchange.sent) {
    streams_.erase(exchange.stream_id);
    if (!exchange.request_ended) std::erase(uploads_, &exchange);
  } else {
    std::erase(waiting_, &exchange);
  }
  if (current_ == &exchange) current_ = nullptr;
  exchange.stream_id = 0;
  free_exchanges_.push_back(&exchange);
  --in_flight_;
}

// Bytes that were made and not written are frames in the two buffers.
std::uint64_t Http2Session::unwritten_of(std::uint32_t stream_id) const {
  std::uint64_t bytes = request_bytes_in_tail(collected_, collected_.size(), stream_id);
  if (send_pending_) bytes += request_bytes_in_tail(sending_, transport_.unsent(), stream_id);
  return bytes;
}

ByteCounts Http2Session::bytes_of(const Exchange& exchange) const {
  return {.sent = exchange.bytes_made - unwritten_of(exchange.stream_id), .received = exchange.bytes_received};
}

ByteCounts Http2Session::bytes_of(std::uint32_t slot) const {
  for (const auto& exchange : exchanges_)
    if (exchange->stream_id != 0 && exchange->slot == slot) return bytes_of(*exchange);
  return {};
}

// An answered request without a body counts as written.
void Http2Session::complete(Exchange& exchange) {
  ByteCounts bytes{.sent = exchange.bytes_made, .received = exchange.bytes_received};
  if (!exchange.request->body.empty()) bytes = bytes_of(exchange);
  release(exchange);
  if (!over_reported_) events_.on_response_complete(exchange.slot, bytes);
}

void Http2Session::fail(Exchange& exchange, Outcome outcome, std::string_view detail) {
  const ByteCounts bytes = bytes_of(exchange);
  release(exchange);
  if (!over_reported_) events_.on_response_failed(exchange.slot, outcome, detail, bytes);
}

void Http2Session::give_back(Exchange& exchange) {
  const ByteCounts bytes = bytes_of(exchange);
  release(exchange);
  if (over_reported_) return;
  if (bytes.sent == 0) return events_.on_unwritten(exchange.slot);
  events_.on_unprocessed(exchange.slot, bytes);
}

void Http2Session::fail_stream(Exchange& exchange, ErrorCode code, std::string_view detail) {
  http2::append_rst_stream(collected_, exchange.stream_id, code);
  fail(exchange, Outcome::kProtocol, detail);
}

// Requests are sent before bodies, so that a large upload does not delay later requests.
void Http2Session::collect() {
  if (!failure_.empty()) return;
  std::size_t taken = 0;
  while (taken < waiting_.size() && streams_.size() < peer_streams_max_ && collected_.size() < kHttp2CollectBytesMax)
    append_request(*waiting_[taken++]);
  if (taken > 0) waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(taken));
  if (!uploads_.empty()) append_bodies();
}

void Http2Session::append_request(Exchange& exchange) {
  ByteView block = encoder_.encode(*exchange.request);
  exchange.request_ended = exchange.request->body.empty();
  std::uint8_t flags = exchange.request_ended ? http2::kFlagEndStream : 0;
  FrameType type = FrameType::kHeaders;
  for (bool last = false; !last;) {
    const ByteView part = block.first(std::min<std::size_t>(block.size(), peer_frame_max_));
    block = block.subspan(part.size());
    last = block.empty();
    if (last) flags |= http2::kFlagEndHeaders;
    http2::append_frame_head(collected_, {.length = static_cast<std::uint32_t>(part.size()),
                                          .type = type,
                                          .flags = flags,
                                          .stream_id = exchange.stream_id});
    collected_.insert(collected_.end(), part.begin(), part.end());
    exchange.bytes_made += http2::kFrameHeadBytes + part.size();
    type = FrameType::kContinuation;
    flags = 0;
  }
  exchange.sent = true;
  exchange.send_window = http2::SendWindow(peer_window_);
  last_sent_id_ = exchange.stream_id;
  streams_.insert(exchange.stream_id, exchange);
  if (!exchange.request_ended) uploads_.push_back(&exchange);
}

// A frame of each body in turn, until all are sent, windows are closed, or enough is collected.
void Http2Session::append_bodies() {
  std::size_t blocked = 0;
  while (blocked < uploads_.size() && collected_.size() < kHttp2CollectBytesMax) {
    if (upload_turn_ >= uploads_.size()) upload_turn_ = 0;
    Exchange& exchange = *uploads_[upload_turn_];
    blocked = append_body(exchange) ? 0 : blocked + 1;
    if (exchange.request_ended) {
      uploads_.erase(uploads_.begin() + static_cast<std::ptrdiff_t>(upload_turn_));
    } else {
      ++upload_turn_;
    }
  }
}

// False: a window is closed.
bool Http2Session::append_body(Exchange& exchange) {
  const std::string& body = exchange.request->body;
  const std::int64_t window = std::min(send_window_.bytes(), exchange.send_window.bytes());
  if (window <= 0) return false;
  const std::size_t count = std::min<std::size_t>(
      {body.size() - exchange.body_sent, static_cast<std::size_t>(window), peer_frame_max_, http2::kFrameBytesMax});
  const ByteView part = as_bytes(body).subspan(exchange.body_sent, count);
  exchange.body_sent += count;
  exchange.bytes_made += http2::kFrameHeadBytes + count;
  exchange.request_ended = exchange.body_sent == body.size();
  send_window_.take(count);
  exchange.send_window.take(count);
  http2::append_frame_head(collected_, {.length = static_cast<std::uint32_t>(count),
                                        .type = FrameType::kData,
                                        .flags = exchange.request_ended ? http2::kFlagEndStream : std::uint8_t{0},
                                        .stream_id = exchange.stream_id});
  collected_.insert(collected_.end(), part.begin(), part.end());
  return true;
}

void Http2Session::write() {
  collect();
  while (!send_pending_ && !collected_.empty()) {
    std::swap(sending_, collected_);
    collected_.clear();
    acks_collected_ = 0;
    handed_ += sending_.size();
    send_pending_ = !transport_.send(sending_, Sending::kTracked);
    collect();
  }
  if (send_pending_ || sending_.capacity() <= kKeptBytesMax) return;
  sending_ = {};
  collected_ = {};
}

void Http2Session::settle() {
  if (!ended_ && in_flight_ == 0 && !usable()) announce_over();
}

// Written requests fail, the others go to another connection: the server has not seen them.
void Http2Session::end_session(Outcome outcome, std::string_view detail) {
  if (std::exchange(ended_, true)) return;
  for (const auto& exchange : exchanges_) {
    if (over_reported_) return;  // silenced by a callback
    if (exchange->stream_id == 0) continue;
    if (bytes_of(*exchange).sent == 0) {
      give_back(*exchange);
    } else {
      fail(*exchange, outcome, detail);
    }
  }
  announce_over();
}

void Http2Session::announce_over() {
  ended_ = true;
  if (!std::exchange(over_reported_, true)) events_.on_session_over();
}

}  // namespace hyperscale::load
