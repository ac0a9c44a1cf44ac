#include "runtime/http/h2_nghttp2.h"

#include "base/check.h"
#include "runtime/http/response_head.h"

#include <algorithm>
#include <array>
#include <cstdlib>

#include <malloc.h>
#include <string.h>  // NOLINT(modernize-deprecated-headers): explicit_bzero is not in <cstring>

namespace hyperscale::runtime {
namespace {

constexpr std::size_t kOutboundAcksMax = 256;    // PING and SETTINGS acknowledgements that may wait to be sent
constexpr std::size_t kSettingsEntriesMax = 32;  // in one SETTINGS frame
// What a peer may send ahead: enough for a fast upload, and far below what the body limits allow anyway.
constexpr std::uint32_t kStreamWindowBytes = 256 << 10;
constexpr std::int32_t kConnectionWindowBytes = 1 << 20;

// nghttp2 keeps header fields in its tables; they may be credentials, so its memory is wiped before it is freed.
void* plain_malloc(std::size_t size, void*) {
  return std::malloc(size);
}
void wiping_free(void* memory, void*) {
  if (memory == nullptr) return;
  ::explicit_bzero(memory, ::malloc_usable_size(memory));
  std::free(memory);
}
void* plain_calloc(std::size_t count, std::size_t size, void*) {
  return std::calloc(count, size);
}
void* wiping_realloc(void* old, std::size_t size, void*) {
  if (old == nullptr) return std::malloc(size);
  void* fresh = std::malloc(size);
  if (fresh == nullptr) return nullptr;
  ::memcpy(fresh, old, std::min(size, ::malloc_usable_size(old)));
  wiping_free(old, nullptr);
  return fresh;
}

H2Session& owner_of(void* user) {
  return *static_cast<H2Session*>(user);
}

nghttp2_nv field(const std::string& name, const std::string& value) {
  const auto bytes = [](const std::string& text) {
    return reinterpret_cast<std::uint8_t*>(const_cast<char*>(text.data()));  // nghttp2 copies, it does not write
  };
  return {bytes(name), bytes(value), name.size(), value.size(), NGHTTP2_NV_FLAG_NONE};
}

}  // namespace

H2Session::Nghttp2::Nghttp2(H2Session& owner, const HttpLimits& limits)
    : memory{nullptr, plain_malloc, wiping_free, plain_calloc, wiping_realloc} {
  nghttp2_session_callbacks* callbacks = nullptr;
  nghttp2_option* option = nullptr;
  CHECK(nghttp2_session_callbacks_new(&callbacks) == 0 && nghttp2_option_new(&option) == 0, "out of memory");
  nghttp2_session_callbacks_set_on_begin_headers_callback(callbacks, on_begin_headers);
  nghttp2_session_callbacks_set_on_header_callback(callbacks, on_header);
  nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks, on_frame_recv);
  nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks, on_data_chunk_recv);
  nghttp2_session_callbacks_set_on_frame_send_callback(callbacks, on_frame_send);
  nghttp2_session_callbacks_set_on_stream_close_callback(callbacks, on_stream_close);
  nghttp2_option_set_max_outbound_ack(option, kOutboundAcksMax);
  nghttp2_option_set_max_settings(option, kSettingsEntriesMax);
  nghttp2_option_set_no_closed_streams(option, 1);
  const int code = nghttp2_session_server_new3(&session, callbacks, &owner, option, &memory);
  nghttp2_option_del(option);
  nghttp2_session_callbacks_del(callbacks);
  CHECK(code == 0, "nghttp2 says {}", nghttp2_strerror(code));
  const std::array settings{
      nghttp2_settings_entry{NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, limits.h2_streams_max},
      nghttp2_settings_entry{NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, kStreamWindowBytes},
      nghttp2_settings_entry{NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE,
                             static_cast<std::uint32_t>(limits.header_bytes_max)},
  };
  CHECK(nghttp2_submit_settings(session, NGHTTP2_FLAG_NONE, settings.data(), settings.size()) == 0);
  CHECK(nghttp2_session_set_local_window_size(session, NGHTTP2_FLAG_NONE, 0, kConnectionWindowBytes) == 0);
}

H2Session::Nghttp2::~Nghttp2() {
  nghttp2_session_del(session);
}

// No exception may pass through nghttp2, which is C: it is kept, the session fails, and receive() throws it again.
template <typename Act>
int H2Session::Nghttp2::caught(H2Session& owner, Act&& act) {
  try {
    act(owner);
    return 0;
  } catch (...) {
    owner.callback_failure_ = std::current_exception();
    return NGHTTP2_ERR_CALLBACK_FAILURE;
  }
}

int H2Session::Nghttp2::on_begin_headers(nghttp2_session*, const nghttp2_frame* frame, void* user) {
  if (frame->hd.type != NGHTTP2_HEADERS || frame->headers.cat != NGHTTP2_HCAT_REQUEST) return 0;
  return caught(owner_of(user), [&](H2Session& owner) { owner.head_began(frame->hd.stream_id); });
}

int H2Session::Nghttp2::on_header(nghttp2_session*, const nghttp2_frame* frame, const std::uint8_t* name,
                                  std::size_t name_size, const std::uint8_t* value, std::size_t value_size,
                                  std::uint8_t, void* user) {
  H2Session& owner = owner_of(user);
  Stream* stream = owner.find(frame->hd.stream_id);
  if (stream == nullptr || stream->exchange != nullptr || frame->headers.cat != NGHTTP2_HCAT_REQUEST) return 0;
  const std::string_view key(reinterpret_cast<const char*>(name), name_size);
  const std::string_view text(reinterpret_cast<const char*>(value), value_size);
  return caught(owner, [&](H2Session& session) { session.take_header(*stream, key, text); });
}

int H2Session::Nghttp2::on_frame_recv(nghttp2_session*, const nghttp2_frame* frame, void* user) {
  return caught(owner_of(user), [&](H2Session& owner) { frame_received(owner, *frame); });
}

void H2Session::Nghttp2::frame_received(H2Session& owner, const nghttp2_frame& frame) {
  const bool end_of_request = (frame.hd.flags & NGHTTP2_FLAG_END_STREAM) != 0;
  if (frame.hd.type == NGHTTP2_RST_STREAM) {
    owner.count_reset();
  } else if (frame.hd.type == NGHTTP2_HEADERS && frame.headers.cat == NGHTTP2_HCAT_REQUEST) {
    owner.head_complete(frame.hd.stream_id, end_of_request);
  } else if ((frame.hd.type == NGHTTP2_DATA || frame.hd.type == NGHTTP2_HEADERS) && end_of_request) {
    Stream* stream = owner.find(frame.hd.stream_id);
    if (stream == nullptr) return;
    stream->request_ended = true;
    if (stream->exchange) stream->exchange->body_complete();
  }
}

int H2Session::Nghttp2::on_data_chunk_recv(nghttp2_session*, std::uint8_t, std::int32_t id, const std::uint8_t* data,
                                           std::size_t size, void* user) {
  Stream* stream = owner_of(user).find(id);
  if (stream == nullptr || stream->exchange == nullptr || stream->answered) return 0;
  return caught(owner_of(user), [&](H2Session&) {
    Exchange& exchange = *stream->exchange;
    if (!exchange.ended_early() && !exchange.body().append({reinterpret_cast<const char*>(data), size})) {
      exchange.refuse(exchange.body_too_large());
    }
  });
}

// An answer that is complete before its request tells the peer to stop sending (RFC 9113, 8.1).
int H2Session::Nghttp2::on_frame_send(nghttp2_session* session, const nghttp2_frame* frame, void* user) {
  const bool end_of_answer = (frame->hd.flags & NGHTTP2_FLAG_END_STREAM) != 0 &&
                             (frame->hd.type == NGHTTP2_DATA || frame->hd.type == NGHTTP2_HEADERS);
  if (!end_of_answer) return 0;
  H2Session& owner = owner_of(user);
  ++owner.answers_;
  const Stream* stream = owner.find(frame->hd.stream_id);
  if (stream != nullptr && !stream->request_ended) {
    nghttp2_submit_rst_stream(session, NGHTTP2_FLAG_NONE, frame->hd.stream_id, NGHTTP2_NO_ERROR);
  }
  return 0;
}

int H2Session::Nghttp2::on_stream_close(nghttp2_session*, std::int32_t id, std::uint32_t, void* user) {
  return caught(owner_of(user), [&](H2Session& owner) { owner.stream_closed(id); });
}

ssize_t H2Session::Nghttp2::read_body(nghttp2_session*, std::int32_t id, std::uint8_t* out, std::size_t size,
                                      std::uint32_t* flags, nghttp2_data_source*, void* user) {
  Stream* stream = owner_of(user).find(id);
  if (stream == nullptr) return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE;
  const std::string& body = stream->response.body;
  const std::size_t count = body.copy(reinterpret_cast<char*>(out), size, stream->sent);
  stream->sent += count;
  if (stream->take_by && stream->sent >= stream->piece_end) owner_of(user).expect_piece(*stream);
  const bool all = stream->sent == body.size();
  if (all && (!stream->response.feed || stream->feed_ended)) {
    *flags |= NGHTTP2_DATA_FLAG_EOF;
  } else if (all) {
    if (stream->piece_sent) stream->piece_sent->cancel();
    if (count == 0) return NGHTTP2_ERR_DEFERRED;
  }
  return static_cast<ssize_t>(count);
}

void H2Session::Nghttp2::submit_response(std::int32_t id, const Response& response, bool with_body) {
  const std::string status_name = ":status";
  const std::string status = std::to_string(response.status);
  const std::vector<Header> headers = wire_headers(response);
  std::vector<nghttp2_nv> fields;
  fields.reserve(headers.size() + 1);
  fields.push_back(field(status_name, status));
  for (const Header& header : headers) fields.push_back(field(header.name, header.value));
  nghttp2_data_provider provider{};
  provider.read_callback = read_body;
  nghttp2_submit_response(session, id, fields.data(), fields.size(), with_body ? &provider : nullptr);
}

}  // namespace hyperscale::runtime
