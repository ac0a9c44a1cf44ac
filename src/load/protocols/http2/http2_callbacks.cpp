#include "load/protocols/http2/http2_callbacks.h"

#include "base/check.h"
#include "load/protocols/prepared_request.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace hyperscale::load {
namespace {

constexpr std::uint64_t kFrameHeadBytes = 9;
constexpr std::uint16_t kFirstFailureStatus = 400;

Http2Session& owner_of(void* user) {
  return *static_cast<Http2Session*>(user);
}

FreeListMemory& memory_of(void* user) {
  return *static_cast<FreeListMemory*>(user);
}

void* pool_malloc(std::size_t bytes, void* user) {
  return memory_of(user).allocate(bytes);
}
void pool_free(void* memory, void* user) {
  memory_of(user).release(memory);
}
void* pool_calloc(std::size_t count, std::size_t bytes, void* user) {
  void* memory = memory_of(user).allocate(count * bytes);
  if (memory != nullptr) std::memset(memory, 0, count * bytes);
  return memory;
}
void* pool_realloc(void* memory, std::size_t bytes, void* user) {
  return memory_of(user).resize(memory, bytes);
}

std::string_view text_of(const std::uint8_t* bytes, std::size_t size) {
  return {reinterpret_cast<const char*>(bytes), size};
}

}  // namespace

nghttp2_session* Http2Callbacks::make_session(Http2Session& owner, FreeListMemory& memory,
                                              const Http2Options& options) {
  nghttp2_session_callbacks* callbacks = nullptr;
  nghttp2_option* option = nullptr;
  CHECK(nghttp2_session_callbacks_new(&callbacks) == 0 && nghttp2_option_new(&option) == 0, "out of memory");
  nghttp2_session_callbacks_set_on_begin_frame_callback(callbacks, on_begin_frame);
  nghttp2_session_callbacks_set_on_header_callback(callbacks, on_header);
  nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks, on_frame_recv);
  nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks, on_data_chunk_recv);
  nghttp2_session_callbacks_set_on_frame_send_callback(callbacks, on_frame_send);
  nghttp2_session_callbacks_set_on_stream_close_callback(callbacks, on_stream_close);
  nghttp2_session_callbacks_set_on_invalid_frame_recv_callback(callbacks, on_invalid_frame_recv);
  nghttp2_session_callbacks_set_error_callback2(callbacks, on_error);
  nghttp2_option_set_no_closed_streams(option, 1);
  nghttp2_mem pool{&memory, pool_malloc, pool_free, pool_calloc, pool_realloc};
  nghttp2_session* session = nullptr;
  const int code = nghttp2_session_client_new3(&session, callbacks, &owner, option, &pool);
  nghttp2_option_del(option);
  nghttp2_session_callbacks_del(callbacks);
  CHECK(code == 0, "nghttp2 says {}", nghttp2_strerror(code));
  const std::array settings{
      nghttp2_settings_entry{NGHTTP2_SETTINGS_ENABLE_PUSH, 0},
      nghttp2_settings_entry{NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, kHttp2WindowBytes},
  };
  CHECK(nghttp2_submit_settings(session, NGHTTP2_FLAG_NONE, settings.data(), settings.size()) == 0);
  CHECK(nghttp2_session_set_local_window_size(session, NGHTTP2_FLAG_NONE, 0, kHttp2WindowBytes) == 0);
  CHECK(nghttp2_session_set_next_stream_id(session, options.first_stream_id) == 0);
  return session;
}

ssize_t Http2Callbacks::read_body(nghttp2_session*, std::int32_t id, std::uint8_t* out, std::size_t size,
                                  std::uint32_t* flags, nghttp2_data_source*, void* user) {
  Http2Session::Exchange* exchange = owner_of(user).find(id);
  if (exchange == nullptr || exchange->told) return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE;
  const std::string& body = exchange->request->body;
  const std::size_t count = std::min(size, body.size() - exchange->body_sent);
  body.copy(reinterpret_cast<char*>(out), count, exchange->body_sent);
  exchange->body_sent += count;
  if (exchange->body_sent == body.size()) *flags |= NGHTTP2_DATA_FLAG_EOF;
  return static_cast<ssize_t>(count);
}

int Http2Callbacks::on_begin_frame(nghttp2_session*, const nghttp2_frame_hd* head, void* user) {
  const bool is_data = head->type == NGHTTP2_DATA;
  if (!is_data && head->type != NGHTTP2_HEADERS && head->type != NGHTTP2_CONTINUATION) return 0;
  Http2Session::Exchange* exchange = owner_of(user).find(head->stream_id);
  // The bytes of DATA are counted as they come.
  if (exchange != nullptr) exchange->bytes_received += kFrameHeadBytes + (is_data ? 0 : head->length);
  return 0;
}

void Http2Callbacks::on_status(Http2Session& session, Http2Session::Exchange& exchange, std::string_view digits) {
  exchange.status = 0;  // nghttp2 has seen to it that there are three digits
  for (const char digit : digits) exchange.status = static_cast<std::uint16_t>(exchange.status * 10 + (digit - '0'));
  if (exchange.status >= 200) session.events_.on_first_byte(exchange.slot);
}

int Http2Callbacks::on_header(nghttp2_session*, const nghttp2_frame* frame, const std::uint8_t* name,
                              std::size_t name_size, const std::uint8_t* value, std::size_t value_size, std::uint8_t,
                              void* user) {
  Http2Session& session = owner_of(user);
  Http2Session::Exchange* exchange = session.find(frame->hd.stream_id);
  if (exchange == nullptr || exchange->told || exchange->head_done) return 0;
  if (name[0] == ':') {
    on_status(session, *exchange, text_of(value, value_size));
  } else if (exchange->status >= 200 && (exchange->request->wants_headers || always_told(text_of(name, name_size)))) {
    session.events_.on_header(exchange->slot, text_of(name, name_size), text_of(value, value_size));
  }
  return 0;
}

void Http2Callbacks::on_head_complete(Http2Session& session, Http2Session::Exchange& exchange) {
  if (exchange.told || exchange.head_done || exchange.status < 200) return;
  exchange.head_done = true;
  session.events_.on_head(exchange.slot, ResponseHead{.status = exchange.status, .http_major = 2, .http_minor = 0});
}

// The answer counts from its last byte on, also when the server did not wait for the whole request.
void Http2Callbacks::on_answer_ended(Http2Session& session, std::int32_t id) {
  Http2Session::Exchange* exchange = session.find(id);
  if (exchange == nullptr) return;
  exchange->answer_ended = true;
  if (exchange->told || nghttp2_session_get_stream_local_close(session.session_, id) != 0) return;
  nghttp2_submit_rst_stream(session.session_, NGHTTP2_FLAG_NONE, id, NGHTTP2_CANCEL);
  session.complete(*exchange);
}

int Http2Callbacks::on_frame_recv(nghttp2_session*, const nghttp2_frame* frame, void* user) {
  Http2Session& session = owner_of(user);
  switch (frame->hd.type) {
    case NGHTTP2_HEADERS:
      if (auto* exchange = session.find(frame->hd.stream_id)) on_head_complete(session, *exchange);
      [[fallthrough]];
    case NGHTTP2_DATA:
      if ((frame->hd.flags & NGHTTP2_FLAG_END_STREAM) != 0) on_answer_ended(session, frame->hd.stream_id);
      break;
    case NGHTTP2_RST_STREAM:
      if (auto* exchange = session.find(frame->hd.stream_id)) exchange->reset_by_peer = true;
      break;
    case NGHTTP2_GOAWAY:
      session.goaway_last_id_ = frame->goaway.last_stream_id;
      session.goaway_code_ = frame->goaway.error_code;
      break;
    default:
      break;
  }
  return 0;
}

int Http2Callbacks::on_data_chunk_recv(nghttp2_session*, std::uint8_t, std::int32_t id, const std::uint8_t* data,
                                       std::size_t size, void* user) {
  Http2Session& session = owner_of(user);
  Http2Session::Exchange* exchange = session.find(id);
  if (exchange == nullptr) return 0;
  exchange->bytes_received += size;
  if (exchange->told) return 0;
  if (exchange->request->wants_body || exchange->status >= kFirstFailureStatus)
    session.events_.on_body(exchange->slot, {data, size});
  return 0;
}

// A GOAWAY of ours with an error says what the peer did wrong.
int Http2Callbacks::on_frame_send(nghttp2_session*, const nghttp2_frame* frame, void* user) {
  if (frame->hd.type != NGHTTP2_GOAWAY) return 0;
  Http2Session& session = owner_of(user);
  if (!session.last_error_.empty()) return 0;
  session.last_error_ = nghttp2_http2_strerror(frame->goaway.error_code);
  if (frame->goaway.opaque_data_len > 0) {
    session.last_error_ += ": ";
    session.last_error_ += text_of(frame->goaway.opaque_data, frame->goaway.opaque_data_len);
  }
  return 0;
}

int Http2Callbacks::on_stream_close(nghttp2_session*, std::int32_t id, std::uint32_t code, void* user) {
  Http2Session& session = owner_of(user);
  Http2Session::Exchange* exchange = session.find(id);
  if (exchange == nullptr) return 0;
  if (exchange->told) {
    session.release(*exchange);
  } else if (exchange->answer_ended && exchange->head_done && code == NGHTTP2_NO_ERROR) {
    session.release(*exchange);
    session.complete(*exchange);
  } else {
    session.release(*exchange);
    session.fail_closed_stream(*exchange, id, code);
  }
  return 0;
}

int Http2Callbacks::on_invalid_frame_recv(nghttp2_session*, const nghttp2_frame*, int code, void* user) {
  Http2Session& session = owner_of(user);
  if (session.last_error_.empty()) session.last_error_ = nghttp2_strerror(code);
  return 0;
}

int Http2Callbacks::on_error(nghttp2_session*, int, const char* text, std::size_t size, void* user) {
  owner_of(user).last_error_.assign(text, size);
  return 0;
}

}  // namespace hyperscale::load
