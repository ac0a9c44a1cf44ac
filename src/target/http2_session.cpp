#include "target/http2_session.h"

#include "base/check.h"
#include "target/http2_connection.h"

#include <array>
#include <charconv>
#include <string_view>
#include <vector>

namespace hyperscale::target {
namespace {

std::string_view text(const std::uint8_t* bytes, std::size_t size) {
  return {reinterpret_cast<const char*>(bytes), size};
}

Http2Connection& owner_of(void* user) {
  return *static_cast<Http2Connection*>(user);
}

Http2Stream* stream_of(nghttp2_session* session, std::int32_t id) {
  return static_cast<Http2Stream*>(nghttp2_session_get_stream_user_data(session, id));
}

bool is_request(const nghttp2_frame* frame) {
  return frame->hd.type == NGHTTP2_HEADERS && frame->headers.cat == NGHTTP2_HCAT_REQUEST;
}

int on_begin_headers(nghttp2_session* session, const nghttp2_frame* frame, void* user) {
  if (!is_request(frame)) return 0;
  Http2Stream& stream = owner_of(user).open_stream(frame->hd.stream_id);
  nghttp2_session_set_stream_user_data(session, frame->hd.stream_id, &stream);
  return 0;
}

// Trailers arrive here too; they are ignored.
int on_header(nghttp2_session* session, const nghttp2_frame* frame, const std::uint8_t* name, std::size_t name_size,
              const std::uint8_t* value, std::size_t value_size, std::uint8_t, void*) {
  if (!is_request(frame)) return 0;
  if (Http2Stream* stream = stream_of(session, frame->hd.stream_id)) {
    stream->add_field(text(name, name_size), text(value, value_size));
  }
  return 0;
}

int on_data_chunk(nghttp2_session* session, std::uint8_t, std::int32_t id, const std::uint8_t* data, std::size_t size,
                  void*) {
  if (Http2Stream* stream = stream_of(session, id)) {
    stream->add_body(text(data, size), needs_body(stream->pseudo_field(":path")));
  }
  return 0;
}

int on_frame_recv(nghttp2_session* session, const nghttp2_frame* frame, void* user) {
  const bool carries_request = frame->hd.type == NGHTTP2_HEADERS || frame->hd.type == NGHTTP2_DATA;
  if (!carries_request || (frame->hd.flags & NGHTTP2_FLAG_END_STREAM) == 0) return 0;
  if (Http2Stream* stream = stream_of(session, frame->hd.stream_id)) owner_of(user).on_request(*stream);
  return 0;
}

int on_stream_close(nghttp2_session* session, std::int32_t id, std::uint32_t, void* user) {
  if (Http2Stream* stream = stream_of(session, id)) owner_of(user).close_stream(*stream);
  return 0;
}

ssize_t read_body(nghttp2_session*, std::int32_t, std::uint8_t* out, std::size_t size, std::uint32_t* flags,
                  nghttp2_data_source* source, void* user) {
  return owner_of(user).read_body(*static_cast<Http2Stream*>(source->ptr), out, size, flags);
}

nghttp2_session* make_session(Http2Connection& owner) {
  nghttp2_session_callbacks* callbacks = nullptr;
  CHECK(nghttp2_session_callbacks_new(&callbacks) == 0);
  nghttp2_session_callbacks_set_on_begin_headers_callback(callbacks, on_begin_headers);
  nghttp2_session_callbacks_set_on_header_callback(callbacks, on_header);
  nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks, on_data_chunk);
  nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks, on_frame_recv);
  nghttp2_session_callbacks_set_on_stream_close_callback(callbacks, on_stream_close);
  nghttp2_option* options = nullptr;
  CHECK(nghttp2_option_new(&options) == 0);
  // Closed streams are kept only for the priority tree, which is not used.
  nghttp2_option_set_no_closed_streams(options, 1);
  nghttp2_session* session = nullptr;
  const int made = nghttp2_session_server_new2(&session, callbacks, &owner, options);
  nghttp2_option_del(options);
  nghttp2_session_callbacks_del(callbacks);
  CHECK(made == 0, "nghttp2: {}", nghttp2_strerror(made));
  return session;
}

nghttp2_nv field(std::string_view name, std::string_view value) {
  const auto bytes = [](std::string_view chars) {
    return reinterpret_cast<std::uint8_t*>(const_cast<char*>(chars.data()));  // nghttp2 only reads
  };
  return {bytes(name), bytes(value), name.size(), value.size(), NGHTTP2_NV_FLAG_NO_COPY_NAME};
}

}  // namespace

Http2Session::Http2Session(Http2Connection& owner) : session_(make_session(owner)) {
  const std::array settings{
      nghttp2_settings_entry{NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, kStreamsMax},
      nghttp2_settings_entry{NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, kStreamWindowBytes},
      nghttp2_settings_entry{NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE, kHeadBytesMax},
  };
  CHECK(nghttp2_submit_settings(get(), NGHTTP2_FLAG_NONE, settings.data(), settings.size()) == 0);
  CHECK(nghttp2_session_set_local_window_size(get(), NGHTTP2_FLAG_NONE, 0, kConnectionWindowBytes) == 0);
}

void Http2Session::submit_answer(const Http2Stream& stream, bool with_body) {
  const Answer& answer = stream.answer;
  std::array<char, 3> status;
  std::to_chars(status.data(), status.data() + status.size(), answer.status);
  std::array<char, 20> length;
  const char* length_end = std::to_chars(length.data(), length.data() + length.size(), answer.body_bytes()).ptr;
  constexpr std::size_t kUsualFields = 3;
  std::array<nghttp2_nv, kUsualFields + kExtraFieldsMax> fields;
  std::size_t count = 0;
  fields[count++] = field(":status", {status.data(), status.size()});
  if (answer.may_have_body()) {
    fields[count++] = field("content-type", answer.content_type);
    fields[count++] = field("content-length", {length.data(), length_end});
  }
  CHECK(answer.extra.size() <= kExtraFieldsMax, "{} extra fields", answer.extra.size());
  for (const ExtraField& extra : answer.extra) fields[count++] = field(extra.name, extra.value);
  nghttp2_data_provider body{.source = {.ptr = const_cast<Http2Stream*>(&stream)}, .read_callback = read_body};
  const int submitted = nghttp2_submit_response(get(), stream.id, fields.data(), count, with_body ? &body : nullptr);
  CHECK(submitted == 0, "nghttp2: {}", nghttp2_strerror(submitted));
}

void Http2Session::submit_reset(const Http2Stream& stream) {
  CHECK(nghttp2_submit_rst_stream(get(), NGHTTP2_FLAG_NONE, stream.id, NGHTTP2_INTERNAL_ERROR) == 0);
}

void Http2Session::submit_goaway() {
  const std::int32_t last = nghttp2_session_get_last_proc_stream_id(get());
  CHECK(nghttp2_submit_goaway(get(), NGHTTP2_FLAG_NONE, last, NGHTTP2_NO_ERROR, nullptr, 0) == 0);
}

}  // namespace hyperscale::target
