#include "plan/limits.h"
#include "raw_harness.h"

#include <gmock/gmock.h>

namespace hyperscale::load {
namespace {

using results::Outcome;
using testing::HasSubstr;

class TcpClientTest : public RawHarness {
 protected:
  TcpClientTest() : RawHarness(Protocol::kTcp) {}
  void TearDown() override {
    for (const int fd : accepted) ::close(fd);
    RawHarness::TearDown();
  }

  const PreparedRaw& ping(const std::string& until = "\r\n") { return call(server.port, "PING\r\n", until); }
  // The next connection, with what it has sent.
  int accept() {
    int fd = -1;
    EXPECT_TRUE(run_until([&] {
      fd = ::accept4(server.get(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
      return fd >= 0;
    }));
    accepted.push_back(fd);
    return fd;
  }
  // Reads until so many bytes have come.
  std::string receive(int fd, std::size_t count) {
    std::string text;
    EXPECT_TRUE(run_until([&] {
      std::vector<char> buffer(1 << 16);
      for (ssize_t got = 0; (got = ::recv(fd, buffer.data(), buffer.size(), 0)) > 0;)
        text.append(buffer.data(), static_cast<std::size_t>(got));
      return text.size() >= count;
    }));
    return text;
  }
  // Whether the client has closed the connection.
  testing::AssertionResult is_closed(int fd) {
    return run_until([&] {
      std::array<char, 256> buffer{};
      const ssize_t got = ::recv(fd, buffer.data(), buffer.size(), 0);
      return got == 0 || (got < 0 && errno == ECONNRESET);
    });
  }
  static void send(int fd, std::string_view text) {
    ASSERT_EQ(::send(fd, text.data(), text.size(), MSG_NOSIGNAL), static_cast<ssize_t>(text.size()));
  }
  // One whole exchange on a connection that is there, or on a new one with -1.
  int exchange(const PreparedRaw& what, int fd = -1) {
    const std::size_t before = done.size();
    start(what);
    if (fd < 0) fd = accept();
    EXPECT_EQ(receive(fd, what.bytes.size()), what.bytes);
    send(fd, "+PONG\r\n");
    EXPECT_TRUE(run_until_done(before + 1));
    EXPECT_EQ(last().outcome, Outcome::kOk) << last().message;
    return fd;
  }

  TestSocket server{SOCK_STREAM};
  std::vector<int> accepted;
};

TEST_P(TcpClientTest, AnAnswerEndsWithUntil) {
  exchange(ping());
  EXPECT_EQ(last().body, "+PONG\r\n");
  EXPECT_TRUE(last().complete);
  EXPECT_EQ(last().bytes_sent, 6U);
  EXPECT_EQ(last().bytes_received, 7U);
  EXPECT_EQ(last().connections_opened, 1);
  EXPECT_EQ(opened, 1);
  EXPECT_EQ(client->in_flight(), 0U);
}

TEST_P(TcpClientTest, AnAnswerMayComeByteByByte) {
  start(ping());
  const int fd = accept();
  receive(fd, 6);
  for (const char byte : std::string_view("+PO\rNG\r\n")) {
    EXPECT_TRUE(done.empty());
    send(fd, std::string_view(&byte, 1));
    Timer turn([](void*) {}, nullptr);
    loop->timers().set(turn, EventLoop::now() + 1ms);
    loop->run_once();
  }
  ASSERT_TRUE(run_until_done());
  EXPECT_EQ(last().body, "+PO\rNG\r\n");
  EXPECT_EQ(last().bytes_received, 8U);
}

TEST_P(TcpClientTest, AnAnswerOfSoManyBytes) {
  start(call(server.port, "x", "", 10));
  const int fd = accept();
  receive(fd, 1);
  send(fd, "12345");
  EXPECT_FALSE(run_until([&, turns = 0]() mutable { return ++turns > 5 || !done.empty(); }) && !done.empty());
  send(fd, "67890");
  ASSERT_TRUE(run_until_done());
  EXPECT_EQ(last().body, "1234567890");
}

TEST_P(TcpClientTest, WithoutARuleTheFirstBytesAreIt) {
  start(call(server.port, "x"));
  const int fd = accept();
  receive(fd, 1);
  send(fd, "whatever");
  ASSERT_TRUE(run_until_done());
  EXPECT_EQ(last().body, "whatever");
}

TEST_P(TcpClientTest, AConnectionIsUsedAgain) {
  const PreparedRaw& what = ping();
  const int fd = exchange(what);
  exchange(what, fd);
  exchange(what, fd);
  EXPECT_EQ(opened, 1);
  EXPECT_EQ(last().connections_opened, 0);
}

TEST_P(TcpClientTest, WithoutKeepAliveEachHasItsOwn) {
  environment->keep_alive = false;
  const PreparedRaw& what = ping();
  const int first = exchange(what);
  EXPECT_TRUE(is_closed(first));
  exchange(what);
  EXPECT_EQ(opened, 2);
}

TEST_P(TcpClientTest, AConnectionHasSoManyExchanges) {
  environment->exchanges_per_connection = 2;
  const PreparedRaw& what = ping();
  const int first = exchange(what);
  exchange(what, first);
  EXPECT_TRUE(is_closed(first));
  exchange(what);
  EXPECT_EQ(opened, 2);
}

TEST_P(TcpClientTest, BytesBehindAnAnswerAreNoAnswer) {
  const PreparedRaw& what = ping();
  start(what);
  const int fd = accept();
  receive(fd, 6);
  send(fd, "+PONG\r\n-STRAY\r\n");
  // The next exchange begins from inside the report of this one, as it does under load.
  on_done = [&] {
    on_done = nullptr;
    start(what);
  };
  ASSERT_TRUE(run_until_done());
  EXPECT_EQ(done.front().body, "+PONG\r\n");
  EXPECT_EQ(done.front().bytes_received, 7U);
  EXPECT_EQ(unasked, 8U);
  EXPECT_TRUE(is_closed(fd));
  const int second = accept();
  receive(second, 6);
  send(second, "+SECOND\r\n");
  ASSERT_TRUE(run_until_done(2));
  EXPECT_EQ(last().body, "+SECOND\r\n");
}

TEST_P(TcpClientTest, UnsolicitedBytesEndAConnection) {
  const PreparedRaw& what = ping();
  const int first = exchange(what);
  send(first, "-STRAY\r\n");
  EXPECT_TRUE(is_closed(first));
  EXPECT_EQ(unasked, 8U);
  exchange(what);
  EXPECT_EQ(opened, 2);
}

TEST_P(TcpClientTest, AConnectionThatThePeerClosedIsOpenedAgain) {
  const PreparedRaw& what = ping();
  const int first = exchange(what);
  ::shutdown(first, SHUT_RDWR);
  EXPECT_TRUE(is_closed(first));
  run_until([&, turns = 0]() mutable { return ++turns > 5; });
  exchange(what);
  EXPECT_EQ(opened, 2);
}

TEST_P(TcpClientTest, ACloseBeforeTheAnswerIsClosed) {
  start(ping());
  const int fd = accept();
  receive(fd, 6);
  ::shutdown(fd, SHUT_RDWR);
  ASSERT_TRUE(run_until_done());
  EXPECT_EQ(last().outcome, Outcome::kClosed);
  EXPECT_EQ(last().message, "the peer closed the connection without an answer");
  EXPECT_TRUE(last().sent);
  EXPECT_FALSE(last().complete);
}

// An HTTP GET would be sent again. What these bytes do, nobody knows.
TEST_P(TcpClientTest, NothingIsSentTwiceOnALostConnection) {
  const PreparedRaw& what = ping();
  const int fd = exchange(what);
  start(what);
  EXPECT_EQ(receive(fd, 6), "PING\r\n");
  ::shutdown(fd, SHUT_RDWR);
  ASSERT_TRUE(run_until_done(2));
  EXPECT_EQ(last().outcome, Outcome::kClosed);
  EXPECT_THAT(last().message, HasSubstr("had answered 1 exchange before; bytes are not sent twice"));
  run_until([&, turns = 0]() mutable { return ++turns > 5; });
  EXPECT_EQ(::accept4(server.get(), nullptr, nullptr, SOCK_NONBLOCK), -1);
  EXPECT_EQ(done.size(), 2U);
}

TEST_P(TcpClientTest, ACloseInsideTheAnswerIsClosed) {
  start(ping());
  const int fd = accept();
  receive(fd, 6);
  send(fd, "+PON");
  ::shutdown(fd, SHUT_RDWR);
  ASSERT_TRUE(run_until_done());
  EXPECT_EQ(last().outcome, Outcome::kClosed);
  EXPECT_EQ(last().message, "the peer closed the connection after 4 B of the answer");
  EXPECT_EQ(last().body, "+PON");
  EXPECT_EQ(last().bytes_received, 4U);
}

TEST_P(TcpClientTest, AResetIsReset) {
  start(ping());
  const int fd = accept();
  receive(fd, 6);
  const linger at_once{1, 0};
  ::setsockopt(fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
  ::close(fd);
  accepted.clear();
  ASSERT_TRUE(run_until_done());
  EXPECT_EQ(last().outcome, Outcome::kReset);
}

TEST_P(TcpClientTest, ARefusedConnectionIsRefused) {
  server.close();
  start(ping());
  ASSERT_TRUE(run_until_done());
  EXPECT_EQ(last().outcome, Outcome::kRefused);
  EXPECT_FALSE(last().sent);
  EXPECT_THAT(last().message, HasSubstr("connect to 127.0.0.1:"));
}

TEST_P(TcpClientTest, AnAnswerThatDoesNotEndIsALimit) {
  start(ping("END"));
  const int fd = accept();
  receive(fd, 6);
  const std::string much(1 << 16, 'x');
  ASSERT_TRUE(run_until([&] {
    while (::send(fd, much.data(), much.size(), MSG_NOSIGNAL) > 0) continue;
    return !done.empty();
  }));
  EXPECT_EQ(last().outcome, Outcome::kBodyLimit);
  EXPECT_THAT(last().message, HasSubstr("did not end within 16 MiB"));
  EXPECT_TRUE(is_closed(fd));
  EXPECT_EQ(environment->bodies->bytes(), 0U);
}

TEST_P(TcpClientTest, AnExecutorKeepsSoManyBytes) {
  environment->bodies = std::make_shared<KeptBodies>(10);
  start(call(server.port, "x", "", 20));
  const int fd = accept();
  receive(fd, 1);
  send(fd, "1234567890");
  run_until([&, turns = 0]() mutable { return ++turns > 5; });
  send(fd, "1234567890");
  ASSERT_TRUE(run_until_done());
  EXPECT_EQ(last().outcome, Outcome::kBodyLimit);
  EXPECT_EQ(last().message, kNoRoomForBody);
  EXPECT_EQ(environment->bodies->bytes(), 0U);
}

TEST_P(TcpClientTest, MuchIsSentAsAWhole) {
  lasting = false;
  const std::string much(8 << 20, 'y');
  start(call(server.port, much, "\n"));
  const int fd = accept();
  EXPECT_EQ(receive(fd, much.size()).size(), much.size());
  send(fd, "\n");
  ASSERT_TRUE(run_until_done());
  EXPECT_EQ(last().bytes_sent, much.size());
}

TEST_P(TcpClientTest, AnAnswerBeforeAllWasSentEndsTheConnection) {
  const std::string much(8 << 20, 'y');
  start(call(server.port, much, "\n"));
  const int fd = accept();
  send(fd, "no\n");
  ASSERT_TRUE(run_until_done());
  EXPECT_EQ(last().outcome, Outcome::kOk);
  EXPECT_LT(last().bytes_sent, much.size());
  ASSERT_TRUE(run_until([&, turns = 0]() mutable { return ++turns > 3; }));
  exchange(ping());
  EXPECT_EQ(opened, 2);
}

TEST_P(TcpClientTest, NoAnswerInTimeIsATimeout) {
  environment->timeouts.total = 30ms;
  start(ping());
  const int fd = accept();
  ASSERT_TRUE(run_until_done());
  EXPECT_EQ(last().outcome, Outcome::kFirstByteTimeout);
  EXPECT_EQ(last().message, "no answer within the timeout of 30ms");
  EXPECT_TRUE(is_closed(fd));
}

TEST_P(TcpClientTest, AnAnswerThatStopsIsATimeout) {
  PreparedRaw& what = const_cast<PreparedRaw&>(ping());
  what.timeout = 30ms;
  start(what);
  const int fd = accept();
  send(fd, "+PO");
  ASSERT_TRUE(run_until_done());
  EXPECT_EQ(last().outcome, Outcome::kBodyTimeout);
  EXPECT_EQ(last().message, "the answer did not end within the timeout of 30ms");
  EXPECT_EQ(last().body, "+PO");
}

TEST_P(TcpClientTest, TheFirstByteHasALimitOfItsOwn) {
  environment->timeouts.first_byte = 20ms;
  const MonoTime began = EventLoop::now();
  start(ping());
  accept();
  ASSERT_TRUE(run_until_done());
  EXPECT_EQ(last().outcome, Outcome::kFirstByteTimeout);
  EXPECT_EQ(last().message, "no answer within the first-byte timeout of 20ms");
  EXPECT_LT(EventLoop::now() - began, 5s) << "it waited for the limit of connecting";
}

TEST_P(TcpClientTest, ExchangesAtOnceHaveConnectionsOfTheirOwn) {
  make_client(2);
  const PreparedRaw& what = ping();
  start(what, 0);
  start(what, 1);
  const int first = accept();
  const int second = accept();
  receive(first, 6);
  receive(second, 6);
  send(second, "+B\r\n");
  send(first, "+A\r\n");
  ASSERT_TRUE(run_until_done(2));
  EXPECT_EQ(opened, 2);
  EXPECT_NE(done[0].slot, done[1].slot);
}

TEST_P(TcpClientTest, ANewUserHasNewConnections) {
  const PreparedRaw& what = ping();
  const int first = exchange(what);
  client->become_new_user();
  EXPECT_TRUE(is_closed(first));
  exchange(what);
  EXPECT_EQ(opened, 2);
}

TEST_P(TcpClientTest, WhatIsInFlightCanBeCut) {
  start(ping());
  const int fd = accept();
  receive(fd, 6);
  client->cut(Outcome::kCut, "over");
  ASSERT_EQ(done.size(), 1U);
  EXPECT_EQ(last().outcome, Outcome::kCut);
  EXPECT_EQ(client->in_flight(), 0U);
  EXPECT_TRUE(is_closed(fd));
}

TEST_P(TcpClientTest, AHostWithoutAddressIsDns) {
  plan::Request request;
  request.url = "tcp://nowhere.test:1";
  request.body = "x";
  auto ready = prepare_raw(request, true);
  ASSERT_TRUE(ready);
  start(*ready);
  ASSERT_EQ(done.size(), 1U);
  EXPECT_EQ(last().outcome, Outcome::kDns);
  EXPECT_EQ(last().message, "no address is known for nowhere.test:1");
}

INSTANTIATE_TEST_SUITE_P(Backends, TcpClientTest, kBackends, kBackendName);

}  // namespace
}  // namespace hyperscale::load
