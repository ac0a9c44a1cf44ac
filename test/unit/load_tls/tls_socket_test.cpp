#include "tls_pair.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

namespace hyperscale::load {
namespace {

// The server's end of a socket pair, driven by the same loop.
class SocketServer {
 public:
  SocketServer(EventLoop& loop, TestTlsContext& context, int fd) : tls(context), loop_(loop), fd_(fd) {
    loop_.watch(fd_, [this] { read(); });
  }
  ~SocketServer() { close(); }
  SocketServer(const SocketServer&) = delete;
  SocketServer& operator=(const SocketServer&) = delete;

  void close() {
    if (fd_ < 0) return;
    loop_.unwatch(fd_);
    ::close(std::exchange(fd_, -1));
  }
  // Writes what the socket takes.
  void write() {
    const auto more = tls.wire();
    out_.insert(out_.end(), more.begin(), more.end());
    while (sent_ < out_.size() && fd_ >= 0) {
      const ssize_t sent = ::send(fd_, out_.data() + sent_, out_.size() - sent_, MSG_NOSIGNAL | MSG_DONTWAIT);
      if (sent <= 0) return;
      sent_ += static_cast<std::size_t>(sent);
    }
  }

  TestTlsServer tls;
  bool at_end = false;
  bool dies_at_first_byte = false;

 private:
  void read() {
    if (dies_at_first_byte) return close();
    std::vector<std::uint8_t> buffer(100'000);
    const ssize_t got = ::recv(fd_, buffer.data(), buffer.size(), MSG_DONTWAIT);
    if (got > 0) tls.feed(ByteView(buffer).first(static_cast<std::size_t>(got)));
    if (got == 0) {
      at_end = true;
      close();
    }
    write();
  }
  EventLoop& loop_;
  int fd_;
  std::vector<std::uint8_t> out_;
  std::size_t sent_ = 0;
};

class TlsSocket : public testing::TestWithParam<LoopBackend> {
 protected:
  void SetUp() override {
    auto made = make_event_loop(GetParam());
    if (!made) GTEST_SKIP() << made.error().to_string();
    loop = std::move(*made);
    ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, fds), 0);
    server = std::make_unique<SocketServer>(*loop, server_context, fds[1]);
    context = client_context(trusting(authority));
    transport = std::make_unique<TlsTransport>(*loop, *context, context->server("a.example", 443), record);
    transport->start(loop->adopt(fds[0], nobody));
  }
  void TearDown() override {
    transport.reset();
    server.reset();
  }
  template <typename Condition>
  void run_until(Condition condition) {
    bool late = false;
    Timer deadline([](void* flag) { *static_cast<bool*>(flag) = true; }, &late);
    loop->timers().set(deadline, EventLoop::now() + 20s);
    while (!condition() && !late) {
      loop->run_once();
      server->write();
    }
    ASSERT_FALSE(late);
  }

  class Nobody final : public StreamEvents {
    void on_connected() override {}
    void on_data(ByteView) override { ADD_FAILURE(); }
    void on_sent() override {}
    void on_end() override {}
    void on_failed(int) override {}
  };

  TestAuthority authority;
  TestTlsContext server_context{authority.issue()};
  std::unique_ptr<EventLoop> loop;
  int fds[2] = {-1, -1};
  Nobody nobody;
  TransportRecord record;
  std::shared_ptr<TlsContext> context;
  std::unique_ptr<SocketServer> server;
  std::unique_ptr<TlsTransport> transport;
};
INSTANTIATE_TEST_SUITE_P(Loops, TlsSocket, testing::Values(LoopBackend::kEpoll, LoopBackend::kIoUring),
                         [](const auto& loop) { return loop.param == LoopBackend::kEpoll ? "Epoll" : "IoUring"; });

TEST_P(TlsSocket, LargeBodiesGoBothWaysAtOnce) {
  const std::string body(8'000'000, 'b');
  run_until([&] { return record.readies == 1 && server->tls.handshake_done(); });
  const bool accepted = transport->send(as_bytes(body), Sending::kTracked);
  server->tls.send(body);
  server->write();
  run_until([&] { return server->tls.received.size() == body.size() && record.received.size() == body.size(); });
  run_until([&] { return accepted || record.sents == 1; });
  EXPECT_TRUE(server->tls.received == body);
  EXPECT_TRUE(record.received == body);
  EXPECT_FALSE(record.failure) << record.detail;
}

TEST_P(TlsSocket, CloseSaysGoodbye) {
  run_until([&] { return record.readies == 1 && server->tls.handshake_done(); });
  transport->close();
  run_until([&] { return server->at_end; });
  EXPECT_FALSE(record.failure);
}

TEST_P(TlsSocket, APeerThatDiesInTheHandshakeIsATlsFailure) {
  server->dies_at_first_byte = true;
  run_until([&] { return record.failure.has_value(); });
  EXPECT_EQ(record.failure, results::Outcome::kTls);
  EXPECT_EQ(record.readies, 0);
}

TEST_P(TlsSocket, APeerThatDiesLaterFailsTheTransport) {
  run_until([&] { return record.readies == 1 && server->tls.handshake_done(); });
  server->close();
  run_until([&] { return record.failure.has_value(); });
}

}  // namespace
}  // namespace hyperscale::load
