// Checks and handles received frames (RFC 9113, section 6).
#include "base/check.h"
#include "load/protocols/http2/http2_session.h"
#include "load/protocols/prepared_request.h"

#include <algorithm>

#include <fmt/format.h>

namespace hyperscale::load {
namespace {

using http2::BlockKind;
using http2::BlockReading;
using http2::ErrorCode;
using http2::FrameHead;
using http2::FrameReader;
using http2::FrameType;
using http2::ResponseFields;
using http2::Setting;
using results::Outcome;

constexpr std::uint16_t kFirstFinalStatus = 200;
constexpr std::uint16_t kFirstFailureStatus = 400;
constexpr std::uint16_t kNoContent = 204;
constexpr std::uint16_t kNotModified = 304;
constexpr std::size_t kSettingBytes = 6;
constexpr std::size_t kPriorityBytes = 5;
constexpr std::size_t kPingBytes = 8;
constexpr std::size_t kGoAwayBytes = 8;

bool has_no_body(const PreparedRequest& request, std::uint16_t status) {
  return request.is_head || status == kNoContent || status == kNotModified;
}

}  // namespace

void Http2Session::on_bytes(ByteView bytes) {
  if (ended_) return;
  reading_ = true;
  read_ += bytes.size();
  FrameReader::Piece piece;
  for (bool more = true; more && !ended_ && failure_.empty();) {
    switch (reader_.next(bytes, piece)) {
      case FrameReader::Step::kPiece:
        on_frame(piece);
        break;
      case FrameReader::Step::kTooLarge:
        if (settings_seen_) {
          fail_connection(ErrorCode::kFrameSizeError, "too large frame size");
        } else {
          fail_connection(ErrorCode::kProtocolError, "no SETTINGS came first: the peer does not support HTTP/2");
        }
        break;
      case FrameReader::Step::kMore:
        more = false;
        break;
    }
  }
  reading_ = false;
  if (ended_) return;
  write();
  if (!failure_.empty()) return end_session(Outcome::kProtocol, failure_);
  settle();
}

// Ends the connection: the peer gets a GOAWAY with the reason; on_bytes() then fails all exchanges with it.
void Http2Session::fail_connection(ErrorCode code, std::string_view text) {
  if (!failure_.empty()) return;
  failure_ = fmt::format("{}: {}", http2::error_name(static_cast<std::uint32_t>(code)), text);
  http2::append_goaway(collected_, code, text);
}

// Whether neither end has used the stream yet. Even numbers are the server's, which may not open streams.
bool Http2Session::is_idle(std::uint32_t stream_id) const {
  return stream_id % 2 == 0 || stream_id > last_sent_id_;
}

bool Http2Session::may_acknowledge() {
  if (acks_collected_ >= kHttp2AcksMax) write();  // those of one large read; it keeps them when the transport is busy
  if (acks_collected_ >= kHttp2AcksMax) {
    fail_connection(ErrorCode::kEnhanceYourCalm, "too many frames that ask for an answer");
    return false;
  }
  ++acks_collected_;
  return true;
}

void Http2Session::on_frame(const FrameReader::Piece& piece) {
  const FrameHead& head = piece.head;
  if (!settings_seen_ && (head.type != FrameType::kSettings || head.has(http2::kFlagAck)))
    return fail_connection(ErrorCode::kProtocolError,
                           "no SETTINGS came first: perhaps the peer does not support HTTP/2");
  if (block_stream_ != 0 && (head.type != FrameType::kContinuation || head.stream_id != block_stream_))
    return fail_connection(ErrorCode::kProtocolError, "a header block was interrupted");
  switch (head.type) {
    case FrameType::kData:
      return on_data(piece);
    case FrameType::kHeaders:
      return on_headers(head, piece.bytes);
    case FrameType::kPriority:
      if (head.stream_id == 0) return fail_connection(ErrorCode::kProtocolError, "PRIORITY without a stream");
      if (head.length != kPriorityBytes) fail_connection(ErrorCode::kFrameSizeError, "PRIORITY of a wrong size");
      return;
    case FrameType::kRstStream:
      return on_rst_stream(head, piece.bytes);
    case FrameType::kSettings:
      return on_settings(head, piece.bytes);
    case FrameType::kPushPromise:
      return fail_connection(ErrorCode::kProtocolError, "PUSH_PROMISE, which was forbidden");
    case FrameType::kPing:
      return on_ping(head, piece.bytes);
    case FrameType::kGoAway:
      return on_goaway(head, piece.bytes);
    case FrameType::kWindowUpdate:
      return on_window_update(head, piece.bytes);
    case FrameType::kContinuation:
      return on_continuation(head, piece.bytes);
  }
  // Unknown types are ignored (section 5.5).
}

void Http2Session::on_data(const FrameReader::Piece& piece) {
  const FrameHead& head = piece.head;
  if (piece.begins) {
    if (is_idle(head.stream_id)) return fail_connection(ErrorCode::kProtocolError, "DATA for a stream that is idle");
    Exchange* exchange = streams_.find(head.stream_id);
    padding_unknown_ = exchange != nullptr && head.has(http2::kFlagPadded);
    data_left_ = head.length;
    if (exchange != nullptr) {
      if (!exchange->answered) return fail_connection(ErrorCode::kProtocolError, "DATA before the head of an answer");
      if (padding_unknown_ && head.length == 0)
        return fail_connection(ErrorCode::kFrameSizeError, "DATA without its padding");
      exchange->bytes_received += http2::kFrameHeadBytes;
    }
    const bool says_nothing = head.length == 0 && !head.has(http2::kFlagEndStream);
    empty_frames_ = says_nothing ? empty_frames_ + 1 : 0;
    if (empty_frames_ > kHttp2EmptyFramesMax)
      return fail_connection(ErrorCode::kEnhanceYourCalm, "too many empty DATA frames in a row");
  }
  if (!receive_window_.take(piece.bytes.size()))
    return fail_connection(ErrorCode::kFlowControlError, "more DATA than the connection's window allows");
  if (const std::uint32_t increment = receive_window_.reopen(); increment > 0)
    http2::append_window_update(collected_, 0, increment);
  const ByteView body = without_padding(piece);
  if (!failure_.empty()) return;
  if (Exchange* exchange = streams_.find(head.stream_id)) {
    exchange->bytes_received += piece.bytes.size();
    if (!exchange->receive_window.take(piece.bytes.size()))
      return fail_stream(*exchange, ErrorCode::kFlowControlError, "more DATA than the stream's window allows");
    const bool goes_on = !piece.ends || !head.has(http2::kFlagEndStream);
    if (const std::uint32_t increment = exchange->receive_window.reopen(); increment > 0 && goes_on)
      http2::append_window_update(collected_, head.stream_id, increment);
    if (!body.empty()) on_body(head.stream_id, body);
  }
  if (!piece.ends || !head.has(http2::kFlagEndStream)) return;
  if (Exchange* exchange = streams_.find(head.stream_id)) on_answer_ended(*exchange);
}

// The body bytes of a piece of DATA, without the byte that holds the length of the padding and the padding.
ByteView Http2Session::without_padding(const FrameReader::Piece& piece) {
  ByteView bytes = piece.bytes;
  if (padding_unknown_ && !bytes.empty()) {
    padding_unknown_ = false;
    const std::uint32_t padding = bytes[0];
    if (padding >= piece.head.length) {
      fail_connection(ErrorCode::kProtocolError, "DATA with more padding than there is");
      return {};
    }
    data_left_ = piece.head.length - 1 - padding;
    bytes = bytes.subspan(1);
  }
  bytes = bytes.first(std::min<std::size_t>(bytes.size(), data_left_));
  data_left_ -= static_cast<std::uint32_t>(bytes.size());
  return bytes;
}

void Http2Session::on_body(std::uint32_t stream_id, ByteView body) {
  Exchange& exchange = *streams_.find(stream_id);
  exchange.body_received += static_cast<std::int64_t>(body.size());
  if (exchange.status == 0)
    return fail_stream(exchange, ErrorCode::kProtocolError, "malformed answer: a body without a final head");
  if (exchange.content_length != ResponseFields::kNoLength && exchange.body_received > exchange.content_length)
    return fail_stream(exchange, ErrorCode::kProtocolError, "malformed answer: more body than its length allows");
  if (exchange.request->wants_body || exchange.status >= kFirstFailureStatus) events_.on_body(exchange.slot, body);
}

void Http2Session::on_headers(const FrameHead& head, ByteView payload) {
  if (is_idle(head.stream_id)) return fail_connection(ErrorCode::kProtocolError, "HEADERS for a stream that is idle");
  std::size_t padding = 0;
  if (head.has(http2::kFlagPadded)) {
    if (payload.empty()) return fail_connection(ErrorCode::kFrameSizeError, "HEADERS without its padding");
    padding = payload[0];
    payload = payload.subspan(1);
  }
  if (head.has(http2::kFlagPriority)) {
    if (payload.size() < kPriorityBytes)
      return fail_connection(ErrorCode::kFrameSizeError, "HEADERS without its priority");
    payload = payload.subspan(kPriorityBytes);
  }
  if (padding > payload.size())
    return fail_connection(ErrorCode::kProtocolError, "HEADERS with more padding than there is");
  payload = payload.first(payload.size() - padding);
  if (Exchange* exchange = streams_.find(head.stream_id))
    exchange->bytes_received += http2::kFrameHeadBytes + head.length;
  if (head.has(http2::kFlagEndHeaders)) return on_block(head.stream_id, head.has(http2::kFlagEndStream), payload);
  block_stream_ = head.stream_id;
  block_ends_stream_ = head.has(http2::kFlagEndStream);
  empty_frames_ = 0;
  block_.assign(payload.begin(), payload.end());
}

void Http2Session::on_continuation(const FrameHead& head, ByteView payload) {
  if (block_stream_ == 0) return fail_connection(ErrorCode::kProtocolError, "CONTINUATION of nothing");
  if (payload.empty() && ++empty_frames_ > kHttp2EmptyFramesMax)
    return fail_connection(ErrorCode::kEnhanceYourCalm, "too many empty CONTINUATION frames in one header block");
  if (block_.size() + payload.size() > kHttp2BlockBytesMax)
    return fail_connection(ErrorCode::kEnhanceYourCalm, "a header block that does not end");
  if (Exchange* exchange = streams_.find(head.stream_id))
    exchange->bytes_received += http2::kFrameHeadBytes + head.length;
  block_.insert(block_.end(), payload.begin(), payload.end());
  if (!head.has(http2::kFlagEndHeaders)) return;
  block_stream_ = 0;
  empty_frames_ = 0;
  on_block(head.stream_id, block_ends_stream_, block_);
}

void Http2Session::on_block(std::uint32_t stream_id, bool ends_stream, ByteView block) {
  current_ = streams_.find(stream_id);
  http2::HeaderDecoder::Wanted wanted;
  if (current_ != nullptr) {
    current_->answered = true;
    const bool is_head = current_->status == 0;
    wanted = {.kind = is_head ? BlockKind::kHead : BlockKind::kTrailers,
              .content_length = current_->content_length,
              .sink = this,
              .all_fields = current_->request->wants_headers};
  }
  const BlockReading reading = decoder_.decode(block, wanted);
  switch (reading.result) {
    case BlockReading::Result::kBroken:
      return fail_connection(ErrorCode::kCompressionError, "a header block that cannot be read");
    case BlockReading::Result::kTooLarge:
      return fail_connection(ErrorCode::kEnhanceYourCalm, "a header block with too many bytes of fields");
    case BlockReading::Result::kMalformed:
      if (current_ != nullptr) fail_stream(*current_, ErrorCode::kProtocolError, reading.problem);
      break;
    case BlockReading::Result::kFine:
      if (current_ != nullptr) on_head_read(*current_, reading, ends_stream);
      break;
  }
  current_ = nullptr;
}

// REQUIRES: current_ is the exchange; it is null when a callback has ended it.
void Http2Session::on_head_read(Exchange& exchange, const BlockReading& reading, bool ends_stream) {
  const bool trailers = exchange.status != 0;
  if (trailers && !ends_stream)
    return fail_stream(exchange, ErrorCode::kProtocolError, "malformed answer: trailers that do not end it");
  if (!trailers && reading.status < kFirstFinalStatus) {
    if (ends_stream)
      fail_stream(exchange, ErrorCode::kProtocolError, "malformed answer: it ended with an informational head");
    return;
  }
  exchange.content_length = reading.content_length;
  if (!trailers) {
    exchange.status = reading.status;
    if (has_no_body(*exchange.request, reading.status)) exchange.content_length = 0;
    events_.on_head(exchange.slot, ResponseHead{.status = reading.status, .http_major = 2, .http_minor = 0});
  }
  if (ends_stream && current_ != nullptr) on_answer_ended(exchange);
}

// The answer counts from its last byte on, also when the server did not wait for the whole request.
void Http2Session::on_answer_ended(Exchange& exchange) {
  if (exchange.status == 0)
    return fail_stream(exchange, ErrorCode::kProtocolError, "malformed answer: it ended without a final head");
  if (exchange.content_length != ResponseFields::kNoLength && exchange.body_received != exchange.content_length)
    return fail_stream(exchange, ErrorCode::kProtocolError, "malformed answer: less body than its length says");
  if (!exchange.request_ended) http2::append_rst_stream(collected_, exchange.stream_id, ErrorCode::kCancel);
  complete(exchange);
}

void Http2Session::on_status(std::uint16_t status) {
  if (current_ != nullptr && status >= kFirstFinalStatus) events_.on_first_byte(current_->slot);
}

void Http2Session::on_field(std::string_view name, std::string_view value) {
  if (current_ != nullptr) events_.on_header(current_->slot, name, value);
}

void Http2Session::on_rst_stream(const FrameHead& head, ByteView payload) {
  if (payload.size() != 4) return fail_connection(ErrorCode::kFrameSizeError, "RST_STREAM of a wrong size");
  if (is_idle(head.stream_id))
    return fail_connection(ErrorCode::kProtocolError, "RST_STREAM for a stream that is idle");
  Exchange* exchange = streams_.find(head.stream_id);
  if (exchange == nullptr) return;
  const std::uint32_t code = http2::read_u32(payload.data());
  // Not processed (section 8.7). After the start of an answer REFUSED_STREAM contradicts it and counts as a reset.
  if (code == static_cast<std::uint32_t>(ErrorCode::kRefusedStream) && !exchange->answered) return give_back(*exchange);
  const auto reason = http2::error_name(code);
  fail(*exchange, Outcome::kReset, fmt::format("the server reset the stream: {}", reason));
}

void Http2Session::on_settings(const FrameHead& head, ByteView payload) {
  if (head.stream_id != 0) return fail_connection(ErrorCode::kProtocolError, "SETTINGS for a stream");
  if (payload.size() % kSettingBytes != 0 || (head.has(http2::kFlagAck) && !payload.empty()))
    return fail_connection(ErrorCode::kFrameSizeError, "SETTINGS of a wrong size");
  if (head.has(http2::kFlagAck)) {
    if (settings_acknowledged_) fail_connection(ErrorCode::kProtocolError, "SETTINGS were acknowledged twice");
    settings_acknowledged_ = true;
    return;
  }
  if (!may_acknowledge()) return;
  if (!settings_seen_) peer_streams_max_ = UINT32_MAX;
  settings_seen_ = true;
  for (; !payload.empty() && failure_.empty(); payload = payload.subspan(kSettingBytes))
    on_setting(static_cast<Setting>(http2::read_u16(payload.data())), http2::read_u32(payload.data() + 2));
  if (failure_.empty()) http2::append_settings_ack(collected_);
}

void Http2Session::on_setting(Setting setting, std::uint32_t value) {
  switch (setting) {
    case Setting::kHeaderTableSize:
      return encoder_.limit_table(value);
    case Setting::kEnablePush:
      if (value != 0) fail_connection(ErrorCode::kProtocolError, "SETTINGS that allow the client to push");
      return;
    case Setting::kMaxConcurrentStreams:
      peer_streams_max_ = value;
      return;
    case Setting::kInitialWindowSize:
      return on_initial_window(value);
    case Setting::kMaxFrameSize:
      if (value < http2::kFrameBytesMax || value > http2::kLargestFrameSize)
        return fail_connection(ErrorCode::kProtocolError, "SETTINGS with an impossible frame size");
      peer_frame_max_ = value;
      return;
  }
  // Unknown settings are ignored (section 6.5.2).
}

// Windows of open streams change by the difference, possibly to a negative size (section 6.9.2).
void Http2Session::on_initial_window(std::uint32_t bytes) {
  if (bytes > http2::kLargestWindow)
    return fail_connection(ErrorCode::kFlowControlError, "SETTINGS with an impossible window");
  const std::int64_t change = std::int64_t{bytes} - peer_window_;
  peer_window_ = bytes;
  for (const auto& exchange : exchanges_) {
    if (exchange->stream_id != 0 && exchange->sent && !exchange->send_window.add(change))
      return fail_connection(ErrorCode::kFlowControlError, "SETTINGS that make a window too large");
  }
}

void Http2Session::on_ping(const FrameHead& head, ByteView payload) {
  if (payload.size() != kPingBytes) return fail_connection(ErrorCode::kFrameSizeError, "PING of a wrong size");
  if (head.stream_id != 0) return fail_connection(ErrorCode::kProtocolError, "PING for a stream");
  if (!head.has(http2::kFlagAck) && may_acknowledge()) http2::append_ping_ack(collected_, payload);
}

// Gives back or fails requests above the last processed stream, and those that were not sent.
void Http2Session::on_goaway(const FrameHead& head, ByteView payload) {
  if (payload.size() < kGoAwayBytes) return fail_connection(ErrorCode::kFrameSizeError, "GOAWAY of a wrong size");
  if (head.stream_id != 0) return fail_connection(ErrorCode::kProtocolError, "GOAWAY for a stream");
  const std::uint32_t last_id = http2::read_u31(payload.data());
  const std::uint32_t code = http2::read_u32(payload.data() + 4);
  const bool not_ours = last_id != 0 && last_id % 2 == 0;
  if (not_ours || last_id > goaway_last_id_)
    return fail_connection(ErrorCode::kProtocolError, "GOAWAY with an impossible stream");
  goaway_seen_ = true;
  goaway_last_id_ = last_id;
  const bool in_order = code == static_cast<std::uint32_t>(ErrorCode::kNoError);
  for (const auto& exchange : exchanges_) {
    if (exchange->stream_id == 0 || (exchange->sent && exchange->stream_id <= last_id)) continue;
    if (in_order && !exchange->answered) {
      give_back(*exchange);
    } else {
      fail(*exchange, Outcome::kClosed, fmt::format("refused by GOAWAY: {}", http2::error_name(code)));
    }
    if (ended_) return;
  }
}

void Http2Session::on_window_update(const FrameHead& head, ByteView payload) {
  if (payload.size() != 4) return fail_connection(ErrorCode::kFrameSizeError, "WINDOW_UPDATE of a wrong size");
  const std::uint32_t increment = http2::read_u31(payload.data());
  if (head.stream_id == 0) {
    if (increment == 0) return fail_connection(ErrorCode::kProtocolError, "WINDOW_UPDATE by nothing");
    if (!send_window_.add(increment))
      fail_connection(ErrorCode::kFlowControlError, "WINDOW_UPDATE that makes the connection's window too large");
    return;
  }
  if (is_idle(head.stream_id))
    return fail_connection(ErrorCode::kProtocolError, "WINDOW_UPDATE for a stream that is idle");
  Exchange* exchange = streams_.find(head.stream_id);
  if (exchange == nullptr) return;
  if (increment == 0) return fail_stream(*exchange, ErrorCode::kProtocolError, "WINDOW_UPDATE by nothing");
  if (!exchange->send_window.add(increment))
    fail_stream(*exchange, ErrorCode::kFlowControlError, "WINDOW_UPDATE that makes the stream's window too large");
}

}  // namespace hyperscale::load
