#include "node/fleet/api_call.h"

#include "base/errno_text.h"
#include "base/owned_fd.h"
#include "load/protocols/http1/response_parser.h"
#include "runtime/clock/clock.h"

#include <array>
#include <cerrno>

#include <fmt/format.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>

namespace hyperscale::node {
namespace {

using load::ResponseParser;

std::string request_of(const ApiCall& call) {
  std::string text = fmt::format("{} {} HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\ncontent-length: {}\r\n",
                                 call.method, call.path, call.body.size());
  if (!call.token.empty()) text += fmt::format("authorization: Bearer {}\r\n", call.token);
  if (!call.body.empty()) text += "content-type: application/json\r\n";
  return text.append("\r\n").append(call.body);
}

class Answer final : public load::ResponseVisitor {
 public:
  void on_field(std::string_view, std::string_view) override {}
  void on_body(ByteView bytes) override { body.append(reinterpret_cast<const char*>(bytes.data()), bytes.size()); }
  std::string body;
};

// A connection to a port of this machine; no call waits beyond the deadline. Failures are sentences.
class Connection {
 public:
  Connection(std::uint16_t port, MonoTime deadline)
      : port_(port), deadline_(deadline), socket_(::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0)) {}

  Status connect() {
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(port_);
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (::connect(socket_.get(), reinterpret_cast<const sockaddr*>(&to), sizeof to) == 0) return {};
    if (errno != EINPROGRESS) return failed(errno_text(errno));
    if (Status ready = wait(POLLOUT); !ready) return ready;
    int error = 0;
    socklen_t size = sizeof error;
    ::getsockopt(socket_.get(), SOL_SOCKET, SO_ERROR, &error, &size);
    return error == 0 ? Status() : failed(errno_text(error));
  }

  Status write(std::string_view text) {
    while (!text.empty()) {
      const ssize_t sent = ::send(socket_.get(), text.data(), text.size(), MSG_NOSIGNAL);
      if (sent < 0 && errno != EAGAIN && errno != EINTR) return failed(errno_text(errno));
      if (sent > 0) text.remove_prefix(static_cast<std::size_t>(sent));
      if (sent < 0) {
        if (Status ready = wait(POLLOUT); !ready) return ready;
      }
    }
    return {};
  }

  Status read(ResponseParser& parser, const Answer& answer) {
    std::array<std::uint8_t, 16 << 10> chunk;
    for (;;) {
      const ssize_t got = ::recv(socket_.get(), chunk.data(), chunk.size(), 0);
      if (got < 0 && errno != EAGAIN && errno != EINTR) return failed(errno_text(errno));
      if (got < 0) {
        if (Status ready = wait(POLLIN); !ready) return ready;
        continue;
      }
      const auto state =
          got == 0 ? parser.finish() : parser.consume(ByteView(chunk).first(static_cast<std::size_t>(got))).state;
      if (state == ResponseParser::State::kComplete) return {};
      if (state == ResponseParser::State::kError) return failed(parser.error());
      if (answer.body.size() > kApiAnswerBytesMax) return failed("its answer is too large");
    }
  }

 private:
  Status wait(short events) const {
    for (;;) {
      const Duration left = deadline_ - runtime::mono_now();
      if (left <= Duration::zero()) return failed("timed out");
      pollfd polled{socket_.get(), events, 0};
      const int ready = ::poll(&polled, 1, static_cast<int>(left / 1ms + 1));
      if (ready > 0) return {};
      if (ready < 0 && errno != EINTR) return failed(errno_text(errno));
    }
  }
  tl::unexpected<Error> failed(std::string_view why) const {
    return fail(ErrorCode::kUnavailable, fmt::format("no answer on port {}: {}", port_, why));
  }

  const std::uint16_t port_;
  const MonoTime deadline_;
  const OwnedFd socket_;
};

}  // namespace

Result<std::string> call_api(std::uint16_t port, const ApiCall& call, Duration timeout) {
  Answer answer;
  ResponseParser parser;
  parser.start(load::Expect::kBody, &answer);
  Connection connection(port, runtime::mono_now() + timeout);
  if (Status done = connection.connect(); !done) return fail(done.error());
  if (Status done = connection.write(request_of(call)); !done) return fail(done.error());
  if (Status done = connection.read(parser, answer); !done) return fail(done.error());
  if (parser.status() >= 300) {
    return fail(ErrorCode::kUnavailable,
                fmt::format("{} {}: {} {}", call.method, call.path, parser.status(), answer.body));
  }
  return std::move(answer.body);
}

}  // namespace hyperscale::node
