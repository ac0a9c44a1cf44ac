#include "raw_harness.h"

#include <gmock/gmock.h>

namespace hyperscale::load {
namespace {

using results::Outcome;
using testing::HasSubstr;

class UdpClientTest : public RawHarness {
 protected:
  UdpClientTest() : RawHarness(Protocol::kUdp) {}

  // The next datagram of the client; `sender` is where answers go.
  std::string receive(sockaddr_in& sender) {
    std::array<char, 2048> buffer{};
    ssize_t got = -1;
    EXPECT_TRUE(run_until([&] {
      if (got >= 0) return true;
      socklen_t size = sizeof sender;
      got = ::recvfrom(server.get(), buffer.data(), buffer.size(), 0, reinterpret_cast<sockaddr*>(&sender), &size);
      return got >= 0;
    }));
    return {buffer.data(), static_cast<std::size_t>(std::max<ssize_t>(got, 0))};
  }
  void answer(const sockaddr_in& to, std::string_view text) {
    ASSERT_EQ(::sendto(server.get(), text.data(), text.size(), 0, reinterpret_cast<const sockaddr*>(&to), sizeof to),
              static_cast<ssize_t>(text.size()));
  }
  void turns(int count) {
    ASSERT_TRUE(run_until([&, turn = 0]() mutable { return ++turn > count; }));
  }

  TestSocket server{SOCK_DGRAM};
  sockaddr_in from{};
};

TEST_P(UdpClientTest, OneDatagramOutOneBack) {
  const PreparedRaw& what = call(server.port, "ask");
  std::uint16_t port = 0;
  for (int i = 1; i <= 3; ++i) {
    start(what);
    EXPECT_EQ(receive(from), "ask");
    if (port != 0) {
      EXPECT_EQ(from.sin_port, port) << "a user keeps its socket";
    }
    port = from.sin_port;
    answer(from, "answer");
    ASSERT_TRUE(run_until_done(static_cast<std::size_t>(i)));
    EXPECT_EQ(last().outcome, Outcome::kOk);
    EXPECT_EQ(last().body, "answer");
    EXPECT_EQ(last().bytes_sent, 3U);
    EXPECT_EQ(last().bytes_received, 6U);
    EXPECT_EQ(last().connections_opened, 0);
  }
}

TEST_P(UdpClientTest, AnEmptyDatagramIsAnAnswer) {
  start(call(server.port, "ask"));
  receive(from);
  answer(from, "");
  ASSERT_TRUE(run_until_done());
  EXPECT_EQ(last().outcome, Outcome::kOk);
  EXPECT_EQ(last().body, "");
  EXPECT_TRUE(last().complete);
}

TEST_P(UdpClientTest, AnAnswerMayHaveSeveralDatagrams) {
  start(call(server.port, "ask", "END"));
  receive(from);
  answer(from, "one ");
  answer(from, "two ");
  answer(from, "END of it");
  ASSERT_TRUE(run_until_done());
  EXPECT_EQ(last().body, "one two END of it");
}

TEST_P(UdpClientTest, APortWithoutListenerIsRefused) {
  server.close();
  start(call(server.port, "ask"));
  ASSERT_TRUE(run_until_done());
  EXPECT_EQ(last().outcome, Outcome::kRefused);
  EXPECT_THAT(last().message, HasSubstr("nobody listens on that port"));
  EXPECT_TRUE(last().turned_away) << "or a closed loop would spin";
}

// A name may have addresses that the server does not listen on, and datagrams have no connection that would tell.
TEST_P(UdpClientTest, AfterARefusalAnotherAddressIsUsed) {
  environment->endpoints = {
      {.host = "two.test", .port = server.port, .addresses = {"127.0.0.2", "127.0.0.1"}, .lookup_time = {}}};
  plan::Request request;
  request.url = "udp://two.test:" + std::to_string(server.port);
  request.body = "ask";
  const auto ready = prepare_raw(request, true);
  ASSERT_TRUE(ready);
  start(*ready);
  ASSERT_TRUE(run_until_done());
  EXPECT_EQ(last().outcome, Outcome::kRefused);
  for (std::size_t i = 2; i <= 3; ++i) {
    start(*ready);
    receive(from);
    answer(from, "answer");
    ASSERT_TRUE(run_until_done(i));
    EXPECT_EQ(last().outcome, Outcome::kOk) << last().message;
  }
}

TEST_P(UdpClientTest, ALateDatagramIsCountedAndNoAnswer) {
  environment->timeouts.total = 20ms;
  const PreparedRaw& what = call(server.port, "ask");
  start(what);
  receive(from);
  ASSERT_TRUE(run_until_done());
  EXPECT_EQ(last().outcome, Outcome::kFirstByteTimeout);
  EXPECT_EQ(last().message, "no answer within the timeout of 20ms");
  environment->timeouts.total = 20s;
  start(what);
  sockaddr_in second{};
  receive(second);
  EXPECT_NE(second.sin_port, from.sin_port);
  answer(from, "too late");
  ASSERT_TRUE(run_until([&] { return late == 1; }));
  EXPECT_EQ(done.size(), 1U);
  EXPECT_EQ(unasked, 8U);
  answer(second, "in time");
  ASSERT_TRUE(run_until_done(2));
  EXPECT_EQ(last().body, "in time");
}

TEST_P(UdpClientTest, WatchedSocketsAreBounded) {
  environment->timeouts.total = 1ms;
  const PreparedRaw& what = call(server.port, "ask");
  for (std::size_t i = 0; i < kLateSocketsMax + 3; ++i) {
    start(what);
    ASSERT_TRUE(run_until_done(i + 1));
  }
  EXPECT_EQ(environment->late->size(), kLateSocketsMax);
}

TEST_P(UdpClientTest, AnUnsolicitedDatagramIsNoAnswer) {
  const PreparedRaw& what = call(server.port, "ask");
  start(what);
  receive(from);
  answer(from, "answer");
  ASSERT_TRUE(run_until_done());
  answer(from, "again");
  ASSERT_TRUE(run_until([&] { return unasked == 5; }));
  start(what);
  sockaddr_in second{};
  receive(second);
  EXPECT_NE(second.sin_port, from.sin_port);
  answer(second, "answer");
  ASSERT_TRUE(run_until_done(2));
  EXPECT_EQ(last().outcome, Outcome::kOk);
  EXPECT_EQ(late, 0);
}

TEST_P(UdpClientTest, OthersThanThePeerAreNotHeard) {
  start(call(server.port, "ask"));
  receive(from);
  const TestSocket stranger{SOCK_DGRAM};
  ::sendto(stranger.get(), "lie", 3, 0, reinterpret_cast<const sockaddr*>(&from), sizeof from);
  turns(5);
  EXPECT_TRUE(done.empty());
  answer(from, "truth");
  ASSERT_TRUE(run_until_done());
  EXPECT_EQ(last().body, "truth");
}

TEST_P(UdpClientTest, WhatIsInFlightCanBeCut) {
  start(call(server.port, "ask"));
  receive(from);
  client->cut(Outcome::kCut, "over");
  ASSERT_EQ(done.size(), 1U);
  EXPECT_EQ(last().outcome, Outcome::kCut);
  answer(from, "answer");
  turns(3);
  EXPECT_EQ(done.size(), 1U);
}

INSTANTIATE_TEST_SUITE_P(Backends, UdpClientTest, kBackends, kBackendName);

}  // namespace
}  // namespace hyperscale::load
