// The nghttp2 side of H2Session: the session object, its options, and the callbacks that turn frames into calls of
// H2Session. Included by the two sources of that class and by nothing else.
#pragma once

#include "runtime/http/h2_session.h"

#include <nghttp2/nghttp2.h>

namespace hyperscale::runtime {

struct H2Session::Nghttp2 {
  explicit Nghttp2(H2Session& owner, const HttpLimits& limits);
  ~Nghttp2();
  Nghttp2(const Nghttp2&) = delete;
  Nghttp2& operator=(const Nghttp2&) = delete;

  // Queues the answer of a stream. The body is read from the stream as the peer's window allows.
  void submit_response(std::int32_t id, const Response& response, bool with_body);

  nghttp2_session* session = nullptr;
  nghttp2_mem memory{};

 private:
  template <typename Act>
  static int caught(H2Session& owner, Act&& act);
  static void frame_received(H2Session& owner, const nghttp2_frame& frame);
  static int on_begin_headers(nghttp2_session*, const nghttp2_frame* frame, void* user);
  static int on_header(nghttp2_session*, const nghttp2_frame* frame, const std::uint8_t* name, std::size_t name_size,
                       const std::uint8_t* value, std::size_t value_size, std::uint8_t flags, void* user);
  static int on_frame_recv(nghttp2_session*, const nghttp2_frame* frame, void* user);
  static int on_data_chunk_recv(nghttp2_session*, std::uint8_t flags, std::int32_t id, const std::uint8_t* data,
                                std::size_t size, void* user);
  static int on_frame_send(nghttp2_session*, const nghttp2_frame* frame, void* user);
  static int on_stream_close(nghttp2_session*, std::int32_t id, std::uint32_t code, void* user);
  static ssize_t read_body(nghttp2_session*, std::int32_t id, std::uint8_t* out, std::size_t size, std::uint32_t* flags,
                           nghttp2_data_source*, void* user);
};

}  // namespace hyperscale::runtime
