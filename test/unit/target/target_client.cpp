#include "target_client.h"

#include "base/check.h"
#include "load/loop/socket_address.h"

#include <array>
#include <cerrno>
#include <cstdlib>

#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

namespace hyperscale::target {
namespace {

constexpr timeval kPatience{.tv_sec = 20, .tv_usec = 0};

int connect_to(const load::SocketAddress& address) {
  const int fd = ::socket(address.family(), SOCK_STREAM | SOCK_CLOEXEC, 0);
  CHECK(fd >= 0);
  ::setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &kPatience, sizeof kPatience);
  ::setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &kPatience, sizeof kPatience);
  CHECK(::connect(fd, address.get(), address.size()) == 0, "connect: {}", errno);
  return fd;
}

}  // namespace

std::unique_ptr<TargetServer> start_target(const TargetOptions& options) {
  auto server = TargetServer::start(options);
  CHECK(server.has_value(), "{}", server.error().to_string());
  return std::move(*server);
}

TargetClient::TargetClient(const TargetServer& server)
    : fd_(connect_to(*load::SocketAddress::from_literal("127.0.0.1", server.port()))) {}

TargetClient::TargetClient(const std::string& unix_path)
    : fd_(connect_to(*load::SocketAddress::from_unix_path(unix_path))) {}

TargetClient::~TargetClient() {
  ::close(fd_);
}

void TargetClient::send(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent < 0) return;  // the server has closed; reading will tell
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
}

void TargetClient::end_sending() {
  ::shutdown(fd_, SHUT_WR);
}

bool TargetClient::read_more() {
  std::array<char, 65536> buffer;
  const ssize_t got = ::recv(fd_, buffer.data(), buffer.size(), 0);
  if (got < 0 && errno == ECONNRESET) reset_ = true;
  if (got <= 0) return false;
  input_.append(buffer.data(), static_cast<std::size_t>(got));
  return true;
}

std::string TargetClient::take(std::size_t count) {
  while (input_.size() < count && read_more()) {
  }
  std::string taken = input_.substr(0, count);
  input_.erase(0, count);
  return taken;
}

std::string TargetClient::take_line() {
  while (input_.find("\r\n") == std::string::npos && read_more()) {
  }
  const std::size_t end = input_.find("\r\n");
  std::string line = input_.substr(0, end);
  input_.erase(0, end == std::string::npos ? end : end + 2);
  return line;
}

std::string TargetClient::take_chunks() {
  std::string body;
  while (true) {
    const std::size_t size = std::strtoull(take_line().c_str(), nullptr, 16);
    body += take(size);
    take_line();
    if (size == 0) return body;
  }
}

TestAnswer TargetClient::read_answer(bool head_only) {
  while (input_.find("\r\n\r\n") == std::string::npos && read_more()) {
  }
  const std::size_t end = input_.find("\r\n\r\n");
  if (end == std::string::npos) return {};
  TestAnswer answer;
  answer.head = input_.substr(0, end + 2);
  input_.erase(0, end + 4);
  if (answer.head.starts_with("HTTP/1.1 ")) answer.status = std::atoi(answer.head.c_str() + 9);
  constexpr std::string_view kLength = "\r\nContent-Length: ";
  const std::size_t length = answer.head.find(kLength);
  if (head_only) return answer;
  if (length != std::string::npos) {
    answer.body = take(std::strtoull(answer.head.c_str() + length + kLength.size(), nullptr, 10));
  } else if (answer.has_field("Transfer-Encoding: chunked")) {
    answer.body = take_chunks();
  }
  return answer;
}

TestAnswer TargetClient::call(std::string_view method, std::string_view target, std::string_view body) {
  send(fmt::format("{} {} HTTP/1.1\r\nHost: test\r\n{}\r\n{}", method, target,
                   body.empty() ? "" : fmt::format("Content-Length: {}\r\n", body.size()), body));
  return read_answer(method == "HEAD");
}

std::string TargetClient::read_rest() {
  while (read_more()) {
  }
  return std::exchange(input_, {});
}

std::string get_text(std::string_view target) {
  return fmt::format("GET {} HTTP/1.1\r\nHost: test\r\n\r\n", target);
}

TestAnswer get_once(const TargetServer& server, std::string_view target) {
  return TargetClient(server).get(target);
}

}  // namespace hyperscale::target
