#include "h1_client.h"

#include <fmt/format.h>

namespace hyperscale::runtime {

Answer H1Client::receive(bool with_body) {
  std::size_t end = std::string::npos;
  while ((end = buffer_.find("\r\n\r\n")) == std::string::npos) {
    const std::string piece = socket.receive();
    if (piece.empty()) return {};
    buffer_ += piece;
  }
  Answer answer;
  std::string head = buffer_.substr(0, end + 2);
  buffer_.erase(0, end + 4);
  answer.status = std::stoi(head.substr(9, 3));
  for (std::size_t at = head.find("\r\n") + 2; at < head.size();) {
    const std::size_t line_end = head.find("\r\n", at);
    const std::string line = head.substr(at, line_end - at);
    const std::size_t colon = line.find(": ");
    answer.headers[line.substr(0, colon)] = line.substr(colon + 2);
    at = line_end + 2;
  }
  const std::size_t size =
      with_body && answer.headers.contains("content-length") ? std::stoul(answer.headers["content-length"]) : 0;
  while (buffer_.size() < size) {
    const std::string piece = socket.receive();
    if (piece.empty()) return {};
    buffer_ += piece;
  }
  answer.body = buffer_.substr(0, size);
  buffer_.erase(0, size);
  return answer;
}

Answer H1Client::get(std::string_view path) {
  send(get_text(path));
  return receive();
}

bool H1Client::at_end() {
  return buffer_.empty() && socket.receive().empty();
}

std::string post(std::string_view path, std::string_view body, std::string_view more_headers) {
  return fmt::format(
      "POST {} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\ncontent-length: {}\r\n{}\r\n{}", path,
      body.size(), more_headers, body);
}

std::string get_text(std::string_view path, std::string_view more_headers) {
  return fmt::format("GET {} HTTP/1.1\r\nhost: 127.0.0.1\r\n{}\r\n", path, more_headers);
}

}  // namespace hyperscale::runtime
