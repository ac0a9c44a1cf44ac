// Datagrams and interest in writability: the same promises for every backend, over real loopback sockets.
#include "allocation_count.h"
#include "load/loop/event_loop.h"
#include "plan/limits.h"

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

// A UDP socket that answers when it is told to.
class Server {
 public:
  Server() : fd_(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)) {
    sockaddr_in any{};
    any.sin_family = AF_INET;
    any.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(::bind(fd_, reinterpret_cast<sockaddr*>(&any), sizeof any), 0);
    socklen_t size = sizeof any;
    ::getsockname(fd_, reinterpret_cast<sockaddr*>(&any), &size);
    port_ = ntohs(any.sin_port);
  }
  ~Server() { ::close(fd_); }

  SocketAddress address() const { return *SocketAddress::from_literal("127.0.0.1", port_); }
  // The next datagram; nothing yet: an empty text, and `got` stays as it was.
  std::string receive(int& got) {
    std::vector<char> buffer(70'000);
    socklen_t size = sizeof from_;
    const ssize_t bytes = ::recvfrom(fd_, buffer.data(), buffer.size(), 0, reinterpret_cast<sockaddr*>(&from_), &size);
    if (bytes < 0) return {};
    ++got;
    return {buffer.data(), static_cast<std::size_t>(bytes)};
  }
  void answer(const std::string& text) {
    ASSERT_EQ(::sendto(fd_, text.data(), text.size(), 0, reinterpret_cast<sockaddr*>(&from_), sizeof from_),
              static_cast<ssize_t>(text.size()));
  }

 private:
  int fd_;
  std::uint16_t port_ = 0;
  sockaddr_in from_{};
};

struct Peer final : StreamEvents {
  std::vector<std::string> datagrams;
  bool connected = false;
  bool ended = false;
  int error = 0;
  std::function<void()> on_datagram;

  void on_connected() override { connected = true; }
  void on_data(ByteView bytes) override {
    datagrams.emplace_back(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    if (on_datagram) on_datagram();
  }
  void on_sent() override {}
  void on_end() override { ended = true; }
  void on_failed(int code) override { error = code; }
};

class DatagramTest : public testing::TestWithParam<LoopBackend> {
 protected:
  void SetUp() override {
    auto made = make_event_loop(GetParam());
    if (!made && GetParam() == LoopBackend::kIoUring) GTEST_SKIP() << made.error().context;
    ASSERT_TRUE(made);
    loop = std::move(*made);
  }

  template <typename Condition>
  testing::AssertionResult run_until(Condition condition) {
    bool late = false;
    Timer bound([](void* flag) { *static_cast<bool*>(flag) = true; }, &late);
    Timer turn([](void*) {}, nullptr);  // others than the loop's sockets are looked at too
    loop->timers().set(bound, EventLoop::now() + 20s);
    while (!condition() && !late) {
      loop->timers().set(turn, EventLoop::now() + 1ms);
      loop->run_once();
    }
    return condition() ? testing::AssertionSuccess() : testing::AssertionFailure() << "not within 20 s";
  }

  StreamId open(Peer& peer) {
    int error = 0;
    const StreamId id = loop->open_datagram(server.address(), {}, peer, error);
    EXPECT_TRUE(id) << error;
    return id;
  }
  std::string received_by_server() {
    std::string text;
    int got = 0;
    EXPECT_TRUE(run_until([&] {
      if (got == 0) text = server.receive(got);
      return got > 0;
    }));
    return text;
  }

  std::unique_ptr<EventLoop> loop;
  Server server;
};

TEST_P(DatagramTest, OneDatagramOutOneBack) {
  Peer peer;
  const StreamId id = open(peer);
  EXPECT_TRUE(loop->send(id, as_bytes("ping"), Sending::kOnce));
  EXPECT_EQ(received_by_server(), "ping");
  server.answer("pong");
  ASSERT_TRUE(run_until([&] { return !peer.datagrams.empty(); }));
  EXPECT_EQ(peer.datagrams.front(), "pong");
  EXPECT_FALSE(peer.connected);
}

TEST_P(DatagramTest, BoundariesAndEmptyOnesAreKept) {
  Peer peer;
  const StreamId id = open(peer);
  loop->send(id, as_bytes("x"), Sending::kOnce);
  received_by_server();
  for (const char* text : {"one", "", "three", ""}) server.answer(text);
  ASSERT_TRUE(run_until([&] { return peer.datagrams.size() == 4; }));
  EXPECT_EQ(peer.datagrams, (std::vector<std::string>{"one", "", "three", ""}));
  EXPECT_FALSE(peer.ended);
}

TEST_P(DatagramTest, TheLargestDatagramIsNotCut) {
  Peer peer;
  const StreamId id = open(peer);
  const std::string largest(plan::kDatagramBytesMax, 'd');
  loop->send(id, as_bytes(largest), Sending::kTracked);
  EXPECT_EQ(received_by_server().size(), largest.size());
  server.answer(largest);
  ASSERT_TRUE(run_until([&] { return !peer.datagrams.empty(); }));
  EXPECT_EQ(peer.datagrams.front(), largest);
}

TEST_P(DatagramTest, MoreThanBuffersAreReceived) {
  Peer peer;
  const StreamId id = open(peer);
  loop->send(id, as_bytes("x"), Sending::kOnce);
  received_by_server();
  constexpr std::size_t kCount = 100;
  for (std::size_t i = 0; i < kCount; ++i) server.answer(std::to_string(i));
  ASSERT_TRUE(run_until([&] { return peer.datagrams.size() == kCount; }));
  for (std::size_t i = 0; i < kCount; ++i) EXPECT_EQ(peer.datagrams[i], std::to_string(i));
}

TEST_P(DatagramTest, APortWithoutListenerIsRefused) {
  SocketAddress nobody;
  {
    Server gone;
    nobody = gone.address();
  }
  Peer peer;
  int error = 0;
  const StreamId id = loop->open_datagram(nobody, {}, peer, error);
  ASSERT_TRUE(id);
  loop->send(id, as_bytes("x"), Sending::kOnce);
  ASSERT_TRUE(run_until([&] { return peer.error != 0; }));
  EXPECT_EQ(peer.error, ECONNREFUSED);
  EXPECT_EQ(loop->descriptor(id), -1);
}

TEST_P(DatagramTest, ADatagramTooLargeFailsFromTheLoop) {
  for (const Sending sending : {Sending::kOnce, Sending::kTracked}) {
    Peer peer;
    const StreamId id = open(peer);
    static const std::string too_large(70'000, 'd');
    loop->send(id, as_bytes(too_large), sending);
    EXPECT_EQ(peer.error, 0);  // never from inside send()
    ASSERT_TRUE(run_until([&] { return peer.error != 0; }));
    EXPECT_EQ(peer.error, EMSGSIZE);
  }
}

TEST_P(DatagramTest, APausedSocketKeepsDatagramsApart) {
  Peer peer;
  const StreamId id = open(peer);
  loop->send(id, as_bytes("x"), Sending::kOnce);
  received_by_server();
  loop->pause(id);
  server.answer("a");
  server.answer("b");
  Peer other;
  const StreamId second = open(other);
  loop->send(second, as_bytes("y"), Sending::kOnce);
  received_by_server();  // gives the loop turns in which they could have been told
  EXPECT_TRUE(peer.datagrams.empty());
  loop->resume(id);
  ASSERT_TRUE(run_until([&] { return peer.datagrams.size() == 2; }));
  EXPECT_EQ(peer.datagrams, (std::vector<std::string>{"a", "b"}));
}

TEST_P(DatagramTest, ASocketCanBeClosedInsideItsCallback) {
  Peer peer;
  const StreamId id = open(peer);
  peer.on_datagram = [&] { loop->close(id); };
  loop->send(id, as_bytes("x"), Sending::kOnce);
  received_by_server();
  server.answer("a");
  server.answer("b");
  ASSERT_TRUE(run_until([&] { return !peer.datagrams.empty(); }));
  Peer other;
  const StreamId second = open(other);
  loop->send(second, as_bytes("y"), Sending::kOnce);
  received_by_server();
  EXPECT_EQ(peer.datagrams.size(), 1U);
  EXPECT_EQ(loop->descriptor(id), -1);
}

TEST_P(DatagramTest, AnExchangeDoesNotAllocate) {
  Peer peer;
  const StreamId id = open(peer);
  peer.datagrams.reserve(4);
  std::size_t allocated = 0;  // by the loop; the server of this test allocates too
  const auto exchange = [&] {
    peer.datagrams.clear();
    std::size_t before = test::allocation_count();
    loop->send(id, as_bytes("ping"), Sending::kOnce);
    loop->submit();
    allocated += test::allocation_count() - before;
    int got = 0;
    while (got == 0) server.receive(got);
    server.answer("pong");
    before = test::allocation_count();
    while (peer.datagrams.empty()) loop->run_once();
    allocated += test::allocation_count() - before;
  };
  for (int i = 0; i < 16; ++i) exchange();
  allocated = 0;
  for (int i = 0; i < 100; ++i) exchange();
  EXPECT_EQ(allocated, 0U);
}

class WritableTest : public DatagramTest {
 protected:
  void SetUp() override {
    DatagramTest::SetUp();
    ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends.data()), 0);
  }
  void TearDown() override {
    ::close(ends[0]);
    ::close(ends[1]);
  }
  void fill() const {
    const std::string much(1 << 16, 'x');
    while (::send(ends[0], much.data(), much.size(), 0) > 0) continue;
    while (::send(ends[0], "x", 1, 0) > 0) continue;
  }
  void empty() const {
    std::array<char, 1 << 16> buffer{};
    while (::recv(ends[1], buffer.data(), buffer.size(), 0) > 0) continue;
  }
  // Turns of the loop in which something else happens.
  void pass_time() {
    int fired = 0;
    Timer timer([](void* count) { ++*static_cast<int*>(count); }, &fired);
    loop->timers().set(timer, EventLoop::now() + 2ms);
    ASSERT_TRUE(run_until([&] { return fired > 0; }));
  }

  std::array<int, 2> ends{};
};

TEST_P(WritableTest, IsToldOnceWhenThereIsRoom) {
  fill();
  int told = 0;
  loop->watch_writable(ends[0], [&] { ++told; });
  pass_time();
  EXPECT_EQ(told, 0);
  empty();
  ASSERT_TRUE(run_until([&] { return told > 0; }));
  pass_time();
  EXPECT_EQ(told, 1);
}

TEST_P(WritableTest, CanBeAskedForAgainFromInside) {
  int told = 0;
  std::function<void()> again = [&] {
    if (++told < 3) loop->watch_writable(ends[0], again);
  };
  loop->watch_writable(ends[0], again);
  ASSERT_TRUE(run_until([&] { return told == 3; }));
  pass_time();
  EXPECT_EQ(told, 3);
}

TEST_P(WritableTest, CanBeTakenBack) {
  fill();
  int told = 0;
  loop->watch_writable(ends[0], [&] { ++told; });
  pass_time();
  loop->unwatch_writable(ends[0]);
  empty();
  pass_time();
  EXPECT_EQ(told, 0);
}

TEST_P(WritableTest, GoesWithReadabilityOfTheSameDescriptor) {
  fill();
  int readable = 0;
  int writable = 0;
  loop->watch(ends[0], [&] {
    std::array<char, 16> buffer{};
    while (::recv(ends[0], buffer.data(), buffer.size(), 0) > 0) ++readable;
  });
  loop->watch_writable(ends[0], [&] { ++writable; });
  ASSERT_EQ(::send(ends[1], "a", 1, 0), 1);
  ASSERT_TRUE(run_until([&] { return readable == 1; }));
  EXPECT_EQ(writable, 0);
  empty();
  ASSERT_TRUE(run_until([&] { return writable == 1; }));
  ASSERT_EQ(::send(ends[1], "b", 1, 0), 1);
  ASSERT_TRUE(run_until([&] { return readable == 2; }));
  EXPECT_EQ(writable, 1);
  loop->unwatch(ends[0]);
}

const auto kBackends = testing::Values(LoopBackend::kEpoll, LoopBackend::kIoUring);
const auto kBackendName = [](const auto& info) {
  return std::string(info.param == LoopBackend::kEpoll ? "epoll" : "io_uring");
};
INSTANTIATE_TEST_SUITE_P(Backends, DatagramTest, kBackends, kBackendName);
INSTANTIATE_TEST_SUITE_P(Backends, WritableTest, kBackends, kBackendName);

}  // namespace
}  // namespace hyperscale::load
