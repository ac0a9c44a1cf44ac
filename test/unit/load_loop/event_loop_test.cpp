// The same promises for every backend, over real loopback sockets.
#include "load/loop/event_loop.h"

#include "allocation_count.h"

#include <array>
#include <cerrno>
#include <string>
#include <vector>

#include <arpa/inet.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

namespace hyperscale::load {
namespace {

class Listener {
 public:
  Listener() : fd_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in any{};
    any.sin_family = AF_INET;
    any.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(::bind(fd_, reinterpret_cast<sockaddr*>(&any), sizeof any), 0);
    EXPECT_EQ(::listen(fd_, 64), 0);
    socklen_t size = sizeof any;
    ::getsockname(fd_, reinterpret_cast<sockaddr*>(&any), &size);
    port_ = ntohs(any.sin_port);
  }
  ~Listener() { ::close(fd_); }
  SocketAddress address() const { return *SocketAddress::from_literal("127.0.0.1", port_); }
  int accept() const { return ::accept(fd_, nullptr, nullptr); }
  int descriptor() const { return fd_; }

 private:
  int fd_;
  std::uint16_t port_ = 0;
};

struct Peer final : StreamEvents {
  bool connected = false;
  std::string received;
  int sent = 0;
  bool ended = false;
  int error = 0;
  std::function<void()> on_bytes;

  void on_connected() override { connected = true; }
  void on_data(ByteView bytes) override {
    received.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    if (on_bytes) on_bytes();
  }
  void on_sent() override { ++sent; }
  void on_end() override { ended = true; }
  void on_failed(int code) override { error = code; }
};

class EventLoopTest : public testing::TestWithParam<LoopBackend> {
 protected:
  void SetUp() override {
    auto made = make_event_loop(GetParam());
    if (!made && GetParam() == LoopBackend::kIoUring) GTEST_SKIP() << made.error().context;
    ASSERT_TRUE(made);
    loop = std::move(*made);
  }

  // Runs the loop until the condition holds; a lost event would hang, so there is a bound.
  template <typename Condition>
  testing::AssertionResult run_until(Condition condition) {
    bool late = false;
    Timer bound([](void* flag) { *static_cast<bool*>(flag) = true; }, &late);
    loop->timers().set(bound, EventLoop::now() + 20s);
    while (!condition() && !late) loop->run_once();
    return condition() ? testing::AssertionSuccess() : testing::AssertionFailure() << "not within 20 s";
  }

  StreamId connect(Peer& peer) {
    int error = 0;
    const StreamId id = loop->connect(listener.address(), {}, peer, error);
    EXPECT_TRUE(id) << error;
    EXPECT_TRUE(run_until([&] { return peer.connected; }));
    return id;
  }

  std::unique_ptr<EventLoop> loop;
  Listener listener;
};

TEST_P(EventLoopTest, ConnectsSendsAndReceives) {
  Peer peer;
  const StreamId id = connect(peer);
  const int server = listener.accept();
  loop->send(id, as_bytes("ping"), Sending::kOnce);
  ASSERT_EQ(::send(server, "pong", 4, 0), 4);
  ASSERT_TRUE(run_until([&] { return peer.received == "pong"; }));
  std::array<char, 16> buffer{};
  EXPECT_EQ(::recv(server, buffer.data(), buffer.size(), 0), 4);
  EXPECT_EQ(std::string(buffer.data(), 4), "ping");
  ::close(server);
}

TEST_P(EventLoopTest, DataAndEndThatComeTogetherAreBothTold) {
  Peer peer;
  connect(peer);
  const int server = listener.accept();
  ASSERT_EQ(::send(server, "bye", 3, 0), 3);
  ::close(server);
  ASSERT_TRUE(run_until([&] { return peer.ended; }));
  EXPECT_EQ(peer.received, "bye");
}

TEST_P(EventLoopTest, ARefusedConnectionFailsWithItsErrno) {
  SocketAddress nobody;
  {
    Listener gone;
    nobody = gone.address();
  }
  Peer peer;
  int error = 0;
  const StreamId id = loop->connect(nobody, {}, peer, error);
  if (id) {
    ASSERT_TRUE(run_until([&] { return peer.error != 0; }));
  }
  EXPECT_EQ(id ? peer.error : error, ECONNREFUSED);
  EXPECT_EQ(loop->descriptor(id), -1);
}

TEST_P(EventLoopTest, AResetIsAFailure) {
  Peer peer;
  connect(peer);
  const int server = listener.accept();
  const linger at_once{1, 0};
  ::setsockopt(server, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
  ::close(server);
  ASSERT_TRUE(run_until([&] { return peer.error != 0; }));
  EXPECT_EQ(peer.error, ECONNRESET);
}

TEST_P(EventLoopTest, ATrackedSendThatDoesNotFitIsFinishedLater) {
  Peer peer;
  const StreamId id = connect(peer);
  const int server = listener.accept();
  const std::string much(8 << 20, 'x');
  ASSERT_FALSE(loop->send(id, as_bytes(much), Sending::kTracked));
  std::size_t got = 0;
  std::vector<char> buffer(1 << 20);
  ::fcntl(server, F_SETFL, O_NONBLOCK);
  ASSERT_TRUE(run_until([&] {
    for (;;) {
      const ssize_t bytes = ::recv(server, buffer.data(), buffer.size(), 0);
      if (bytes <= 0) break;
      got += static_cast<std::size_t>(bytes);
    }
    return got == much.size() && peer.sent == 1;
  }));
  ::close(server);
}

TEST_P(EventLoopTest, AStreamCanBeClosedInsideItsOwnCallback) {
  Peer peer;
  const StreamId id = connect(peer);
  const int server = listener.accept();
  peer.on_bytes = [&] { loop->close(id); };
  ASSERT_EQ(::send(server, "x", 1, 0), 1);
  ASSERT_TRUE(run_until([&] { return !peer.received.empty(); }));
  EXPECT_EQ(loop->descriptor(id), -1);
  // The peer sees the end, although a receive was under way.
  ::fcntl(server, F_SETFL, O_NONBLOCK);
  char byte = 0;
  ssize_t got = -1;
  ASSERT_TRUE(run_until([&] { return (got = ::recv(server, &byte, 1, 0)) >= 0; }));
  EXPECT_EQ(got, 0);
  EXPECT_FALSE(peer.ended);
  ::close(server);
}

TEST_P(EventLoopTest, CloseWithResetSendsARst) {
  Peer peer;
  const StreamId id = connect(peer);
  const int server = listener.accept();
  loop->close(id, EventLoop::Close::kReset);
  ::fcntl(server, F_SETFL, O_NONBLOCK);
  char byte = 0;
  ASSERT_TRUE(run_until([&] { return ::recv(server, &byte, 1, 0) == 0 || errno == ECONNRESET; }));
  EXPECT_EQ(errno, ECONNRESET);
  ::close(server);
}

TEST_P(EventLoopTest, EventsCanMoveToAnotherOwner) {
  Peer first;
  Peer second;
  const StreamId id = connect(first);
  const int server = listener.accept();
  loop->set_events(id, second);
  ASSERT_EQ(::send(server, "x", 1, 0), 1);
  ASSERT_TRUE(run_until([&] { return !second.received.empty(); }));
  EXPECT_TRUE(first.received.empty());
  ::close(server);
}

TEST_P(EventLoopTest, APausedStreamGetsItsBytesAfterwards) {
  Peer peer;
  const StreamId id = connect(peer);
  const int server = listener.accept();
  loop->pause(id);
  ASSERT_EQ(::send(server, "kept", 4, 0), 4);
  Peer other;
  connect(other);  // gives the loop turns in which the bytes could have been told
  EXPECT_TRUE(peer.received.empty());
  loop->resume(id);
  ASSERT_TRUE(run_until([&] { return peer.received == "kept"; }));
  ::close(server);
}

TEST_P(EventLoopTest, AWatchedDescriptorIsToldAsLongAsItIsReadable) {
  std::array<int, 2> ends{};
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends.data()), 0);
  int told = 0;
  loop->watch(ends[0], [&] { ++told; });
  ASSERT_EQ(::send(ends[1], "x", 1, 0), 1);
  ASSERT_TRUE(run_until([&] { return told >= 3; }));
  loop->unwatch(ends[0]);
  const int before = told;
  Peer peer;
  connect(peer);
  EXPECT_EQ(told, before);
  ::close(ends[0]);
  ::close(ends[1]);
}

TEST_P(EventLoopTest, TimersFireInsideTheLoopAndNotBefore) {
  MonoTime fired_at;
  Timer timer([](void* when) { *static_cast<MonoTime*>(when) = EventLoop::now(); }, &fired_at);
  const MonoTime due = EventLoop::now() + 3ms;
  loop->timers().set(timer, due);
  ASSERT_TRUE(run_until([&] { return fired_at != MonoTime(); }));
  EXPECT_GE(fired_at, due);
}

TEST_P(EventLoopTest, APingPongDoesNotAllocate) {
  Peer peer;
  const StreamId id = connect(peer);
  const int server = listener.accept();
  peer.received.reserve(4096);
  const auto exchange = [&] {
    peer.received.clear();
    loop->send(id, as_bytes("ping"), Sending::kOnce);
    std::array<char, 16> buffer{};
    bool got = false;
    ::fcntl(server, F_SETFL, O_NONBLOCK);
    while (peer.received != "pong") {
      if (!got && ::recv(server, buffer.data(), buffer.size(), 0) == 4) {
        got = true;
        ::send(server, "pong", 4, 0);
      }
      if (!got) {
        Timer soon([](void*) {}, nullptr);
        loop->timers().set(soon, EventLoop::now());
        loop->run_once();
      } else {
        loop->run_once();
      }
    }
  };
  for (int i = 0; i < 16; ++i) exchange();
  const std::size_t before = test::allocation_count();
  for (int i = 0; i < 100; ++i) exchange();
  EXPECT_EQ(test::allocation_count(), before);
  ::close(server);
}

INSTANTIATE_TEST_SUITE_P(Backend, EventLoopTest, testing::Values(LoopBackend::kEpoll, LoopBackend::kIoUring),
                         [](const auto& info) { return info.param == LoopBackend::kEpoll ? "epoll" : "io_uring"; });

}  // namespace
}  // namespace hyperscale::load
