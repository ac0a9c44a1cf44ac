#include "frame_client.h"
#include "loop_test.h"
#include "runtime/channel/async_event.h"
#include "runtime/channel/one_shot.h"
#include "runtime/clock/clock.h"
#include "runtime/metrics/metrics.h"
#include "runtime/transport/framed_server.h"
#include "wire/frame_layout.h"

#include <atomic>
#include <set>
#include <thread>
#include <vector>

#include <gmock/gmock.h>

namespace hyperscale::runtime {
namespace {

using wire::Frame;
using wire::FrameType;

class FramedTransportTest : public LoopTest {
 protected:
  ~FramedTransportTest() override { stop(); }

  // "echo" answers with the body, "wait" when release() was called, "break" throws, "big" with many bytes.
  static asio::awaitable<Result<SharedBytes>> handle(FramedTransportTest& self, wire::RequestPayload request,
                                                     CancelToken cancel) {
    ++self.handled;
    if (request.method_name() == "echo") co_return request.body;
    if (request.method_name() == "break") throw std::runtime_error("secret detail");
    if (request.method_name() == "big") co_return SharedBytes::adopt(std::string(self.big_bytes, 'b'));
    if (request.method_name() != "wait") co_return fail(ErrorCode::kNotFound, "no such method");
    const auto registration = cancel.on_cancel([&self] { ++self.canceled; });
    const auto released = self.released;
    const auto done = co_await released->wait_until(mono_now() + kTestBound);
    if (!done) co_return fail(ErrorCode::kTimeout, "nobody released it");
    co_return SharedBytes::copy_of(std::string_view("released"));
  }

  void start(FramedLimits limits = {}) {
    auto handler = [this](wire::RequestPayload request, CancelToken cancel) {
      return handle(*this, std::move(request), std::move(cancel));
    };
    server = std::make_shared<FramedServer>(
        loops.make_strand(), [this] { return loops.make_strand(); }, limits, handler, metrics);
    port = server->bind("127.0.0.1", 0)->port();
    served = spawn(server->serve());
  }
  void stop(Duration grace = kTestBound) {
    if (!server) return;
    release();
    server->stop_accepting();
    served.get();
    run(close(*server, mono_now() + grace));
    EXPECT_EQ(server->open_connections(), 0u);
    server.reset();
  }
  static asio::awaitable<void> close(FramedServer& server, MonoTime deadline) { co_await server.close(deadline); }
  void release() { released->set(true); }
  bool count_is(Counter counter, const char* label, double expected) {
    return eventually([&] { return metrics.value(counter, label) == expected; });
  }

  Metrics metrics;
  std::shared_ptr<OneShot<bool>> released = std::make_shared<OneShot<bool>>();
  std::atomic<int> handled{0};
  std::atomic<int> canceled{0};
  std::size_t big_bytes = std::size_t{8} << 20;
  std::shared_ptr<FramedServer> server;
  std::future<void> served;
  std::uint16_t port = 0;
};
BOTH_FLAVOURS(FramedTransportTest);

// proves: ARCH-FRAME-1
TEST_P(FramedTransportTest, AnswersByCorrelationAndPongsPings) {
  start();
  FrameClient client(port);
  ASSERT_TRUE(client.request(7, "echo", "hello"));
  auto answer = client.receive();
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->type, FrameType::kResponse);
  EXPECT_EQ(answer->correlation, 7u);
  EXPECT_EQ(answer->payload.text(), "hello");
  client.send({FrameType::kPing, 0, 9, SharedBytes::copy_of(std::string_view("tick"))});
  answer = client.receive();
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->type, FrameType::kPong);
  EXPECT_EQ(answer->correlation, 9u);
  EXPECT_EQ(answer->payload.text(), "tick");
}

TEST_P(FramedTransportTest, SlowRequestDoesNotBlockOthers) {
  start();
  FrameClient client(port);
  client.request(1, "wait", "");
  client.request(2, "echo", "quick");
  EXPECT_EQ(client.receive()->correlation, 2u);
  release();
  EXPECT_EQ(client.receive()->correlation, 1u);
}

// proves part: SEC-8 (handlers that throw, frames that do not open; not other errors of state sync)
// proves part: SEC-7 (kinds, values and methods; not the action inside a sealed frame, nor bundles of workflows)
TEST_P(FramedTransportTest, ErrorsAreTypedAndKeepTheConnection) {
  start();
  FrameClient client(port);
  client.request(1, "nope", "");
  EXPECT_EQ(wire::error_of(*client.receive()).code, ErrorCode::kNotFound);
  client.request(2, "break", "");
  const Error internal = wire::error_of(*client.receive());
  EXPECT_EQ(internal.code, ErrorCode::kInternal);
  EXPECT_THAT(internal.context, ::testing::Not(::testing::HasSubstr("secret detail")));
  client.send({FrameType::kRequest, 0, 3, SharedBytes()});  // no method name at all
  EXPECT_EQ(wire::error_of(*client.receive()).code, ErrorCode::kProtocol);
  client.send({FrameType::kResponse, 0, 4, SharedBytes()});
  EXPECT_EQ(wire::error_of(*client.receive()).code, ErrorCode::kProtocol);
  client.request(5, "echo", "still here");
  EXPECT_EQ(client.receive()->payload.text(), "still here");
}

// proves part: ARCH-FRAME-3 (a server and the decoder; not answers that reach a client together)
// proves part: ARCH-FRAME-4 (a server and the decoder; not answers that reach a client together)
TEST_P(FramedTransportTest, FramesThatArriveTogetherAreAllAnswered) {
  start();
  FrameClient client(port);
  std::vector<std::uint8_t> bytes;
  for (std::uint64_t i = 1; i <= 3; ++i) {
    auto payload = wire::encode_request("echo", as_bytes("together"));
    const auto frame = wire::encode_frame({FrameType::kRequest, 0, i, std::move(*payload)});
    bytes.insert(bytes.end(), frame.begin(), frame.end());
  }
  ASSERT_TRUE(client.send_raw(bytes));
  std::set<std::uint64_t> answered;
  for (int i = 0; i < 3; ++i) {
    const auto answer = client.receive();
    ASSERT_TRUE(answer);
    answered.insert(answer->correlation);
  }
  EXPECT_EQ(answered, (std::set<std::uint64_t>{1, 2, 3}));
}

// proves part: NODE-INV-10 (what a node accepts; not: what it reads as the client of another)
// proves part: ARCH-FRAME-3 (a server and the decoder; not answers that reach a client together)
// proves part: ARCH-FRAME-4 (a server and the decoder; not answers that reach a client together)
TEST_P(FramedTransportTest, AFrameThatArrivesByteByByteIsDecodedOnce) {
  start();
  FrameClient client(port);
  auto payload = wire::encode_request("echo", as_bytes("drop by drop"));
  const auto bytes = wire::encode_frame({FrameType::kRequest, 0, 1, std::move(*payload)});
  for (const std::uint8_t& byte : bytes) ASSERT_TRUE(client.send_raw(ByteView(&byte, 1)));
  EXPECT_EQ(client.receive()->payload.text(), "drop by drop");
  client.send({FrameType::kPing, 0, 2, {}});
  EXPECT_EQ(client.receive()->type, FrameType::kPong) << "there was a second answer";
  EXPECT_EQ(handled, 1);
}

std::vector<std::uint8_t> header_announcing(std::uint32_t length) {
  auto header = wire::encode_frame({FrameType::kPing, 0, 1, {}});
  for (int i = 0; i < 4; ++i)
    header[wire::layout::kLengthAt + static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(length >> (24 - 8 * i));
  return header;
}

std::size_t resident_bytes() {
  std::size_t pages = 0;
  std::size_t ignored = 0;
  std::FILE* statm = std::fopen("/proc/self/statm", "r");
  const int read = std::fscanf(statm, "%zu %zu", &ignored, &pages);
  std::fclose(statm);
  return read == 2 ? pages * 4096 : 0;
}

// proves part: NODE-IO-1 (what a node accepts; not: what it reads as the client of another)
// proves part: NODE-INV-10 (what a node accepts; not: what it reads as the client of another)
// proves part: ARCH-FRAME-5 (a server, the decoder, unpacking; not that a client stops at a megabyte)
TEST_P(FramedTransportTest, OversizedFrameGetsErrorFrameThenClose) {
  start();
  const std::size_t before = resident_bytes();
  std::vector<std::unique_ptr<FrameClient>> clients;
  for (int i = 0; i < 50; ++i) {
    clients.push_back(std::make_unique<FrameClient>(port));
    ASSERT_TRUE(clients.back()->send_raw(header_announcing(2 << 20)));
  }
  for (auto& client : clients) {
    const auto answer = client->receive();
    ASSERT_TRUE(answer);
    EXPECT_EQ(wire::error_of(*answer).code, ErrorCode::kTooLarge);
    EXPECT_TRUE(client->at_end());
  }
  EXPECT_LT(resident_bytes(), before + (std::size_t{50} << 20)) << "memory grew by what was announced";
  EXPECT_EQ(handled, 0);
  EXPECT_TRUE(count_is(Counter::kIoErrors, "frame", 50));
}

// proves part: NODE-IO-1 (what a node accepts; not: what it reads as the client of another)
TEST_P(FramedTransportTest, TheLargestFrameFitsAndTheLimitIsConfigurable) {
  FramedLimits limits;
  limits.max_frame_bytes = 1000;
  start(limits);
  constexpr std::size_t kOverhead = wire::kFrameLengthMin + 1 + 4;  // the name "echo" and its length
  FrameClient client(port);
  client.request(1, "echo", std::string(1000 - kOverhead, 'x'));
  EXPECT_EQ(client.receive()->payload.size(), 1000 - kOverhead);
  client.request(2, "echo", std::string(1000 - kOverhead + 1, 'x'));
  EXPECT_EQ(wire::error_of(*client.receive()).code, ErrorCode::kTooLarge);
  EXPECT_TRUE(client.at_end());
}

TEST_P(FramedTransportTest, BadLengthOrChecksumClosesWithError) {
  start();
  FrameClient liar(port);
  liar.send_raw(header_announcing(3));  // less than a header has
  EXPECT_EQ(wire::error_of(*liar.receive()).code, ErrorCode::kProtocol);
  EXPECT_TRUE(liar.at_end());
  FrameClient corrupt(port);
  auto bytes = wire::encode_frame({FrameType::kPing, 0, 1, SharedBytes::copy_of(std::string_view("x"))});
  bytes.back() ^= 1;
  corrupt.send_raw(bytes);
  EXPECT_EQ(wire::error_of(*corrupt.receive()).code, ErrorCode::kProtocol);
  EXPECT_TRUE(corrupt.at_end());
}

TEST_P(FramedTransportTest, APeerThatEndsInsideAFrameIsClosedAndCounted) {
  start();
  FrameClient client(port);
  client.send_raw(ByteView(header_announcing(100)).subspan(0, 10));
  client.shutdown_write();
  EXPECT_TRUE(client.at_end());
  EXPECT_TRUE(count_is(Counter::kIoErrors, "frame", 1));
}

// proves part: NODE-SHUT-5 (framed transport, close_notify of TLS, GOAWAY of HTTP/2; not plain HTTP/1.1)
TEST_P(FramedTransportTest, PeerThatSentGoAwayStillGetsItsAnswers) {
  start();
  FrameClient client(port);
  client.request(1, "wait", "");
  client.request(2, "echo", "x");
  client.send({FrameType::kGoAway, 0, 0, {}});
  client.shutdown_write();
  EXPECT_EQ(client.receive()->correlation, 2u);
  release();
  const auto answer = client.receive();
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->payload.text(), "released");
  EXPECT_TRUE(client.at_end());
  EXPECT_FALSE(client.ended_by_reset());
}

TEST_P(FramedTransportTest, CloseWithoutGoAwayCancelsTheWork) {
  start();
  FrameClient client(port);
  client.request(1, "wait", "");
  client.request(2, "echo", "x");
  EXPECT_EQ(client.receive()->correlation, 2u);
  client.shutdown_write();
  EXPECT_TRUE(eventually([this] { return canceled == 1; }));
  release();
}

// proves part: NODE-INV-4 (operations of the framed transport end, not how soon)
// proves part: NODE-TIME-1 (listeners of a node; the link between nodes has fixed times)
TEST_P(FramedTransportTest, AnIdlePeerIsCutOffAndCounted) {
  FramedLimits limits;
  limits.idle_timeout = 20ms;
  start(limits);
  FrameClient client(port);
  EXPECT_TRUE(client.at_end());
  EXPECT_FALSE(client.ended_by_reset());
  EXPECT_TRUE(count_is(Counter::kIoTimeouts, "idle", 1));
}

TEST_P(FramedTransportTest, APeerThatWaitsForItsAnswerIsNotIdle) {
  FramedLimits limits;
  limits.idle_timeout = 20ms;
  start(limits);
  FrameClient client(port);
  client.request(1, "wait", "");
  ASSERT_TRUE(eventually([&] { return handled == 1; }));
  // Several idle timeouts later:
  EXPECT_FALSE(spawn(released->wait_until(mono_now() + 100ms)).get());
  release();
  const auto answer = client.receive();
  ASSERT_TRUE(answer) << "cut off while its request was in flight";
  EXPECT_EQ(answer->payload.text(), "released");
}

// proves part: NODE-INV-4 (operations of the framed transport end, not how soon)
TEST_P(FramedTransportTest, APeerThatDripsBytesIsCutOffHoweverFastItDrips) {
  FramedLimits limits;
  limits.read_timeout = 50ms;
  start(limits);
  FrameClient client(port);
  ASSERT_TRUE(client.send_raw(header_announcing(1 << 20)));
  const std::uint8_t drop = 0;
  std::size_t sent = 0;
  while (sent < (1 << 20) - 1000 && client.send_raw(ByteView(&drop, 1))) ++sent;
  EXPECT_LT(sent, std::size_t{(1 << 20) - 1000}) << "it could drip the whole frame";
  EXPECT_TRUE(count_is(Counter::kIoTimeouts, "read", 1));
}

// proves part: NODE-INV-4 (operations of the framed transport end, not how soon)
// proves part: NODE-TIME-1 (listeners of a node; the link between nodes has fixed times)
TEST_P(FramedTransportTest, APeerThatStopsInsideAFrameIsCutOff) {
  FramedLimits limits;
  limits.read_timeout = 20ms;
  start(limits);
  FrameClient client(port);
  ASSERT_TRUE(client.send_raw(ByteView(header_announcing(100)).subspan(0, 6)));
  EXPECT_TRUE(client.at_end());
  EXPECT_TRUE(count_is(Counter::kIoTimeouts, "read", 1));
}

// proves part: NODE-INV-4 (operations of the framed transport end, not how soon)
// proves part: NODE-TIME-1 (listeners of a node; the link between nodes has fixed times)
TEST_P(FramedTransportTest, APeerThatNeverReadsIsCutOffAtTheWriteTimeout) {
  FramedLimits limits;
  limits.write_timeout = 50ms;
  big_bytes = std::size_t{32} << 20;
  start(limits);
  FrameClient client(port, 4096);
  client.request(1, "big", "");
  EXPECT_TRUE(count_is(Counter::kIoTimeouts, "write", 1));
  EXPECT_TRUE(eventually([&] { return server->open_connections() == 0; }));
}

TEST_P(FramedTransportTest, RequestsBeyondConnectionCapAreBusy) {
  start();
  FrameClient client(port);
  for (std::uint64_t i = 0; i < kInFlightPerConnectionMax; ++i) client.request(i, "wait", "");
  client.request(999, "wait", "");
  const auto refused = client.receive();
  ASSERT_TRUE(refused);
  EXPECT_EQ(refused->correlation, 999u);
  EXPECT_EQ(wire::error_of(*refused).code, ErrorCode::kBusy);
  EXPECT_EQ(metrics.value(Counter::kBusyRejections, "transport"), 1);
  release();
  for (std::size_t i = 0; i < kInFlightPerConnectionMax; ++i) EXPECT_EQ(client.receive()->payload.text(), "released");
}

TEST_P(FramedTransportTest, ConnectionsBeyondCapAreClosedAndCounted) {
  FramedLimits limits;
  limits.max_conns = 2;
  start(limits);
  FrameClient first(port);
  FrameClient second(port);
  first.request(1, "echo", "");
  second.request(1, "echo", "");
  ASSERT_TRUE(first.receive() && second.receive());
  FrameClient third(port);
  EXPECT_TRUE(third.at_end());
  EXPECT_TRUE(count_is(Counter::kConnectionsRefused, "max_conns", 1));
  first.close();
  ASSERT_TRUE(eventually([&] { return server->open_connections() == 1; }));
  FrameClient fourth(port);
  fourth.request(1, "echo", "in");
  EXPECT_TRUE(fourth.receive()) << "room was not given back";
}

TEST_P(FramedTransportTest, AddressAboveAcceptRateIsRefused) {
  FramedLimits limits;
  limits.accept_rate_per_ip = 0.001;
  limits.accept_burst_per_ip = 2;
  start(limits);
  for (int i = 0; i < 2; ++i) {
    FrameClient client(port);
    client.request(1, "echo", "");
    EXPECT_TRUE(client.receive());
  }
  FrameClient client(port);
  EXPECT_TRUE(client.at_end());
  EXPECT_TRUE(count_is(Counter::kConnectionsRefused, "accept_rate", 1));
}

TEST_P(FramedTransportTest, APeerThatVanishesCancelsItsWork) {
  start();
  FrameClient client(port);
  client.request(1, "wait", "");
  ASSERT_TRUE(eventually([&] { return handled == 1; }));
  client.reset();
  EXPECT_TRUE(eventually([&] { return canceled == 1; }));
  EXPECT_TRUE(count_is(Counter::kIoErrors, "read", 1));
}

// proves part: NODE-SHUT-5 (framed transport, close_notify of TLS, GOAWAY of HTTP/2; not plain HTTP/1.1)
TEST_P(FramedTransportTest, CloseSendsGoAwayAndFinishesInFlight) {
  start();
  FrameClient client(port);
  client.request(1, "wait", "");
  ASSERT_TRUE(eventually([&] { return handled == 1; }));
  server->stop_accepting();
  served.get();
  EXPECT_FALSE(FrameClient(port).connected());
  auto closed = spawn(close(*server, mono_now() + kTestBound));
  const auto goodbye = client.receive();
  ASSERT_TRUE(goodbye);
  EXPECT_EQ(goodbye->type, FrameType::kGoAway);
  release();
  const auto answer = client.receive();
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->payload.text(), "released");
  EXPECT_TRUE(client.at_end());
  EXPECT_FALSE(client.ended_by_reset());
  client.close();
  closed.get();
  server.reset();
}

// proves part: NODE-SHUT-5 (framed transport, close_notify of TLS, GOAWAY of HTTP/2; not plain HTTP/1.1)
TEST_P(FramedTransportTest, UnreadLastWordsDoNotLoseTheLastAnswer) {
  start();
  FrameClient client(port);
  client.request(1, "wait", "");
  ASSERT_TRUE(eventually([&] { return handled == 1; }));
  server->stop_accepting();
  served.get();
  auto closed = spawn(close(*server, mono_now() + kTestBound));
  ASSERT_EQ(client.receive()->type, FrameType::kGoAway);
  // What the peer sent before it saw the goodbye lies unread at the server when that closes.
  for (std::uint64_t i = 2; i < 40; ++i) client.request(i, "echo", std::string(1000, 'x'));
  release();
  std::string answer;  // echoes that were read in time may be answered around it
  while (const auto frame = client.receive()) {
    if (frame->correlation == 1) answer = frame->payload.text();
  }
  EXPECT_EQ(answer, "released");
  EXPECT_FALSE(client.ended_by_reset()) << "the answer was lost to a reset for a slower reader";
  client.close();
  closed.get();
  server.reset();
}

// proves part: NODE-INV-6 (a node outside of a cluster; not its config watcher)
// proves part: NODE-SAFE-3 (the token and the sockets)
TEST_P(FramedTransportTest, CloseCutsOffAtTheDeadlineWhatDoesNotFinish) {
  start();
  FrameClient client(port);
  client.request(1, "wait", "");
  ASSERT_TRUE(eventually([&] { return handled == 1; }));
  server->stop_accepting();
  served.get();
  auto closed = spawn(close(*server, mono_now() + 20ms));
  EXPECT_TRUE(eventually([&] { return canceled == 1; })) << "the work was not told that its caller is gone";
  release();
  closed.get();
  EXPECT_EQ(server->open_connections(), 0u);
  server.reset();
}

// A connection's state belongs to its strand; hammering one server from many sides must keep every answer right.
TEST_P(FramedTransportTest, ManyConnectionsGetTheirOwnAnswers) {
  start();
  std::vector<std::thread> peers;
  std::atomic<int> right{0};
  for (int p = 0; p < 8; ++p) {
    peers.emplace_back([this, p, &right] {
      FrameClient client(port);
      for (std::uint64_t i = 0; i < 100; ++i) {
        const std::string text = std::to_string(p) + "/" + std::to_string(i);
        client.request(i, "echo", text);
        const auto answer = client.receive();
        if (answer && answer->correlation == i && answer->payload.text() == text) ++right;
      }
    });
  }
  for (auto& peer : peers) peer.join();
  EXPECT_EQ(right, 800);
}

TEST(FramedServerTest, SaysWhyItCannotListen) {
  asio::io_context context;
  Metrics metrics;
  const auto make = [&] {
    return std::make_shared<FramedServer>(
        asio::make_strand(context), [&] { return asio::make_strand(context); }, FramedLimits{}, FrameHandler(),
        metrics);
  };
  EXPECT_EQ(make()->bind("no-such-host", 0).error().code, ErrorCode::kInvalidArgument);
  const auto first = make();
  const auto endpoint = first->bind("127.0.0.1", 0);
  ASSERT_TRUE(endpoint);
  EXPECT_EQ(make()->bind("127.0.0.1", endpoint->port()).error().code, ErrorCode::kUnavailable);
}

}  // namespace
}  // namespace hyperscale::runtime
