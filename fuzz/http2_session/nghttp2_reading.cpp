// The same conversation as nghttp2's client session reads it, with its options as near to this client as they go.
#include "base/check.h"
#include "conversation.h"
#include "load/protocols/http2/frame.h"

#include <algorithm>

#include <nghttp2/nghttp2.h>

namespace hyperscale::load::fuzz {
namespace {

struct Peer {
  nghttp2_session* session = nullptr;
  Reading reading;
  std::array<bool, kRequests> head_done{};
  std::array<bool, kRequests> answer_ended{};
  std::array<bool, kRequests> answered{};
  std::array<bool, kRequests> reset{};
  std::array<bool, kRequests> refused{};
  std::int32_t goaway_last = INT32_MAX;
  std::uint32_t goaway_code = 0;
};

Peer& peer_of(void* user) {
  return *static_cast<Peer*>(user);
}

// -1: none of ours.
int index_of(std::int32_t id) {
  return id % 2 == 1 && id < static_cast<std::int32_t>(2 * kRequests) ? id / 2 : -1;
}

int on_header(nghttp2_session*, const nghttp2_frame* frame, const std::uint8_t* name, std::size_t,
              const std::uint8_t* value, std::size_t value_size, std::uint8_t, void* user) {
  const int index = index_of(frame->hd.stream_id);
  Peer& peer = peer_of(user);
  if (index < 0 || peer.head_done[index] || name[0] != ':') return 0;
  const int status = std::stoi(std::string(value, value + value_size));
  peer.reading.exchanges[index].status = status;
  // There is no such status (RFC 9110, section 15); nghttp2 is content with three digits.
  return status < 100 ? NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE : 0;
}

// Fields with forbidden bytes make an answer malformed (section 8.2.1). nghttp2 leaves them out unless it is told.
int on_invalid_header(nghttp2_session*, const nghttp2_frame*, const std::uint8_t*, std::size_t, const std::uint8_t*,
                      std::size_t, std::uint8_t, void*) {
  return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE;
}

int on_frame_recv(nghttp2_session*, const nghttp2_frame* frame, void* user) {
  Peer& peer = peer_of(user);
  if (frame->hd.type == NGHTTP2_GOAWAY) {
    peer.goaway_last = frame->goaway.last_stream_id;
    peer.goaway_code = frame->goaway.error_code;
  }
  const int index = index_of(frame->hd.stream_id);
  if (index < 0) return 0;
  if (frame->hd.type == NGHTTP2_RST_STREAM) {
    peer.reset[index] = true;
    peer.refused[index] = frame->rst_stream.error_code == NGHTTP2_REFUSED_STREAM;
  }
  if (frame->hd.type == NGHTTP2_HEADERS) peer.answered[index] = true;
  if (frame->hd.type != NGHTTP2_HEADERS && frame->hd.type != NGHTTP2_DATA) return 0;
  if (frame->hd.type == NGHTTP2_HEADERS && peer.reading.exchanges[index].status >= 200) peer.head_done[index] = true;
  if ((frame->hd.flags & NGHTTP2_FLAG_END_STREAM) != 0) peer.answer_ended[index] = true;
  return 0;
}

int on_data(nghttp2_session*, std::uint8_t, std::int32_t id, const std::uint8_t* data, std::size_t size, void* user) {
  const int index = index_of(id);
  if (index >= 0) peer_of(user).reading.exchanges[index].body.append(data, data + size);
  return 0;
}

int on_stream_close(nghttp2_session*, std::int32_t id, std::uint32_t code, void* user) {
  const int index = index_of(id);
  if (index < 0) return 0;
  Peer& peer = peer_of(user);
  ExchangeReading& exchange = peer.reading.exchanges[index];
  const bool complete = peer.answer_ended[index] && peer.head_done[index] && code == NGHTTP2_NO_ERROR;
  const bool by_goaway = !peer.reset[index] && id > peer.goaway_last && peer.goaway_code == NGHTTP2_NO_ERROR;
  const bool left_out = !peer.answered[index] && (by_goaway || peer.refused[index]);
  exchange.fate = complete ? Fate::kComplete : left_out ? Fate::kUnprocessed : Fate::kFailed;
  return 0;
}

ssize_t read_body(nghttp2_session*, std::int32_t, std::uint8_t* out, std::size_t, std::uint32_t* flags,
                  nghttp2_data_source*, void*) {
  *out = 'b';
  *flags = NGHTTP2_DATA_FLAG_EOF;
  return 1;
}

nghttp2_session* make_session(Peer& peer) {
  nghttp2_session_callbacks* callbacks = nullptr;
  nghttp2_option* option = nullptr;
  CHECK(nghttp2_session_callbacks_new(&callbacks) == 0 && nghttp2_option_new(&option) == 0);
  nghttp2_session_callbacks_set_on_header_callback(callbacks, on_header);
  nghttp2_session_callbacks_set_on_invalid_header_callback(callbacks, on_invalid_header);
  nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks, on_frame_recv);
  nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks, on_data);
  nghttp2_session_callbacks_set_on_stream_close_callback(callbacks, on_stream_close);
  nghttp2_option_set_no_closed_streams(option, 1);
  // White space around values is let through, and there may be any number of settings.
  nghttp2_option_set_no_rfc9113_leading_and_trailing_ws_validation(option, 1);
  nghttp2_option_set_max_settings(option, 1 << 20);
  // A header block is bounded by its bytes, not by the number of its frames.
  nghttp2_option_set_max_continuations(option, 1 << 20);
  nghttp2_session* session = nullptr;
  CHECK(nghttp2_session_client_new2(&session, callbacks, &peer, option) == 0);
  nghttp2_option_del(option);
  nghttp2_session_callbacks_del(callbacks);
  return session;
}

nghttp2_nv field(std::string_view name, std::string_view value) {
  const auto bytes = [](std::string_view text) {
    return reinterpret_cast<std::uint8_t*>(const_cast<char*>(text.data()));
  };
  return {bytes(name), bytes(value), name.size(), value.size(), NGHTTP2_NV_FLAG_NONE};
}

void submit_requests(nghttp2_session* session) {
  const std::array settings{nghttp2_settings_entry{NGHTTP2_SETTINGS_ENABLE_PUSH, 0},
                            nghttp2_settings_entry{NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, (1 << 30) - 1}};
  nghttp2_submit_settings(session, NGHTTP2_FLAG_NONE, settings.data(), settings.size());
  for (std::size_t i = 0; i < kRequests; ++i) {
    const std::string_view method = i == 1 ? "HEAD" : i == 2 ? "POST" : "GET";
    const std::array fields{field(":method", method), field(":scheme", "http"), field(":authority", "a"),
                            field(":path", "/")};
    nghttp2_data_provider body{};
    body.read_callback = read_body;
    nghttp2_submit_request(session, nullptr, fields.data(), fields.size(), i == 2 ? &body : nullptr, nullptr);
  }
}

void drain(nghttp2_session* session) {
  const std::uint8_t* data = nullptr;
  while (nghttp2_session_mem_send(session, &data) > 0) {
  }
}

// False: the connection is over.
bool feed(Peer& peer, ByteView bytes) {
  const ssize_t read = nghttp2_session_mem_recv(peer.session, bytes.data(), bytes.size());
  if (read < 0) {
    peer.reading.problem = nghttp2_strerror(static_cast<int>(read));
    return false;
  }
  drain(peer.session);
  return nghttp2_session_want_read(peer.session) != 0 || nghttp2_session_want_write(peer.session) != 0;
}

}  // namespace

Reading read_with_nghttp2(const Said& said) {
  Peer peer;
  peer.session = make_session(peer);
  submit_requests(peer.session);
  drain(peer.session);
  // Frame by frame, with a chance to send behind each: between two of them in one read nghttp2 still has streams that
  // it is about to reset, and takes frames for them as errors of the connection.
  bool open = true;
  for (ByteView rest = as_bytes(said.bytes); open && !rest.empty();) {
    std::size_t size = rest.size();
    if (size >= http2::kFrameHeadBytes)
      size = std::min<std::size_t>(size, http2::kFrameHeadBytes + http2::read_frame_head(rest.data()).length);
    open = feed(peer, rest.first(size));
    rest = rest.subspan(size);
  }
  peer.reading.over = !open;
  for (ExchangeReading& exchange : peer.reading.exchanges)
    if (!open && exchange.fate == Fate::kOpen) exchange.fate = Fate::kFailed;
  nghttp2_session_del(peer.session);
  return peer.reading;
}

}  // namespace hyperscale::load::fuzz
