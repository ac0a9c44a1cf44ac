// H2Client: a small blocking HTTP/2 client on nghttp2, for tests.
#pragma once

#include "client_socket.h"
#include "h1_client.h"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nghttp2/nghttp2.h>

namespace hyperscale::runtime {

class H2Client {
 public:
  struct Stream {
    Answer answer;
    bool closed = false;
    std::uint32_t error_code = 0;
    std::string to_send;
    std::size_t sent = 0;
    bool send_end = true;
  };
  using Fields = std::vector<std::pair<std::string, std::string>>;

  explicit H2Client(std::uint16_t port);
  ~H2Client();

  // Sends the preface and SETTINGS; after start_tls() of the socket when TLS is wanted. `window`: what each stream may
  // send at first.
  void begin(std::uint32_t window = NGHTTP2_INITIAL_WINDOW_SIZE);
  std::int32_t request(std::string_view method, std::string_view path, std::string body = {}, const Fields& more = {},
                       bool end_of_body = true);
  void reset(std::int32_t id);
  bool flush();
  // Reads and writes until the condition holds; false when the connection ended before.
  bool run_until(const std::function<bool()>& condition);
  // Runs until the stream is closed and gives its answer.
  Answer answer(std::int32_t id);

  ClientSocket socket;
  std::map<std::int32_t, Stream> streams;
  bool goaway = false;
  std::uint32_t goaway_code = 0;

 private:
  static int on_header(nghttp2_session*, const nghttp2_frame*, const std::uint8_t*, std::size_t, const std::uint8_t*,
                       std::size_t, std::uint8_t, void*);
  static int on_data(nghttp2_session*, std::uint8_t, std::int32_t, const std::uint8_t*, std::size_t, void*);
  static int on_close(nghttp2_session*, std::int32_t, std::uint32_t, void*);
  static int on_frame(nghttp2_session*, const nghttp2_frame*, void*);
  static ssize_t read_body(nghttp2_session*, std::int32_t, std::uint8_t*, std::size_t, std::uint32_t*,
                           nghttp2_data_source*, void*);
  nghttp2_session* session_ = nullptr;
};

}  // namespace hyperscale::runtime
