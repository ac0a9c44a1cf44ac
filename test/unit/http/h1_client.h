// H1Client: sends raw HTTP/1.1 text and reads answers one at a time from a ClientSocket.
#pragma once

#include "client_socket.h"

#include <map>
#include <string>
#include <string_view>

namespace hyperscale::runtime {

struct Answer {
  int status = 0;  // 0: the connection ended before an answer
  std::map<std::string, std::string> headers;
  std::string body;
};

class H1Client {
 public:
  explicit H1Client(std::uint16_t port) : socket(port) {}

  bool send(std::string_view bytes) { return socket.send(bytes); }
  Answer receive(bool with_body = true);
  Answer get(std::string_view path);
  // True when the server has closed and nothing more was sent.
  bool at_end();

  ClientSocket socket;

 private:
  std::string buffer_;
};

// A request with a body and any further header lines (each with its line end).
std::string post(std::string_view path, std::string_view body, std::string_view more_headers = {});
std::string get_text(std::string_view path, std::string_view more_headers = {});

}  // namespace hyperscale::runtime
