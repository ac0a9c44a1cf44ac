// Http2Callbacks: what nghttp2 tells while it reads and writes frames, turned into steps of an Http2Session. Included
// by the sources of that class and by nothing else.
#pragma once

#include "load/protocols/http2/http2_session.h"

#include <nghttp2/nghttp2.h>

namespace hyperscale::load {

struct Http2Callbacks {
  // A client session that has SETTINGS and WINDOW_UPDATE in its queue.
  static nghttp2_session* make_session(Http2Session& owner, FreeListMemory& memory, const Http2Options& options);

  static ssize_t read_body(nghttp2_session*, std::int32_t id, std::uint8_t* out, std::size_t size, std::uint32_t* flags,
                           nghttp2_data_source*, void* user);

 private:
  static int on_begin_frame(nghttp2_session*, const nghttp2_frame_hd* head, void* user);
  static int on_header(nghttp2_session*, const nghttp2_frame* frame, const std::uint8_t* name, std::size_t name_size,
                       const std::uint8_t* value, std::size_t value_size, std::uint8_t flags, void* user);
  static int on_frame_recv(nghttp2_session*, const nghttp2_frame* frame, void* user);
  static int on_data_chunk_recv(nghttp2_session*, std::uint8_t flags, std::int32_t id, const std::uint8_t* data,
                                std::size_t size, void* user);
  static int on_frame_send(nghttp2_session*, const nghttp2_frame* frame, void* user);
  static int on_stream_close(nghttp2_session*, std::int32_t id, std::uint32_t code, void* user);
  static int on_invalid_frame_recv(nghttp2_session*, const nghttp2_frame* frame, int code, void* user);
  static int on_error(nghttp2_session*, int code, const char* text, std::size_t size, void* user);

  static void on_status(Http2Session& session, Http2Session::Exchange& exchange, std::string_view digits);
  static void on_head_complete(Http2Session& session, Http2Session::Exchange& exchange);
  static void on_answer_ended(Http2Session& session, std::int32_t id);
};

}  // namespace hyperscale::load
