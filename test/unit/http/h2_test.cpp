#include "deflated.h"
#include "h2_client.h"
#include "server_fixture.h"

#include <algorithm>
#include <chrono>
#include <future>

namespace hyperscale::runtime {
namespace {

class H2 : public ServerFixture {
 protected:
  std::unique_ptr<H2Client> connect() {
    auto client = std::make_unique<H2Client>(port());
    client->begin();
    return client;
  }
};
INSTANTIATE_FLAVOURS(H2);

// proves part: NODE-IO-2 (all but the default of 4 MiB)
TEST_P(H2, AnswersByPriorKnowledge) {
  start();
  const auto client = connect();
  const Answer hello = client->answer(client->request("GET", "/hello?name=h2"));
  EXPECT_EQ(hello.status, 200);
  EXPECT_EQ(hello.body, "hello h2");
  const Answer echo = client->answer(client->request("POST", "/echo", "body"));
  EXPECT_EQ(echo.body, "body");
  EXPECT_EQ(echo.headers.at("x-http-major"), "2");
  EXPECT_EQ(count(Counter::kConnectionsAccepted, "test"), 1);
}

TEST_P(H2, ThePrefaceMayArriveByteByByte) {
  start();
  ClientSocket socket(port());
  std::string hello = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
  hello.append("\0\0\0\x04\0\0\0\0\0", 9);  // empty SETTINGS
  for (const char c : hello) ASSERT_TRUE(socket.send({&c, 1}));
  EXPECT_EQ(socket.receive().substr(3, 1), "\x04") << "the server's SETTINGS frame";
}

TEST_P(H2, ManyStreamsRunAtOnceEachWithItsOwnBody) {
  start();
  const auto client = connect();
  std::vector<std::int32_t> ids;
  for (int i = 0; i < 100; ++i) ids.push_back(client->request("POST", "/echo", noise(3000 + i)));
  for (int i = 0; i < 100; ++i) EXPECT_EQ(client->answer(ids[i]).body, noise(3000 + i));
}

TEST_P(H2, HeldStreamBlocksOnlyItsOwnRoute) {
  start();
  const auto client = connect();
  const auto first = client->request("GET", "/hold");
  const auto second = client->request("GET", "/hold");
  ASSERT_TRUE(gate->wait_entered(2));
  EXPECT_EQ(client->answer(client->request("GET", "/hold")).status, 429);
  EXPECT_EQ(client->answer(client->request("GET", "/hello")).status, 200);
  gate->release();
  EXPECT_EQ(client->answer(first).body, "released");
  EXPECT_EQ(client->answer(second).body, "released");
}

TEST_P(H2, LargeBodiesPassFlowControlInBothDirections) {
  start();
  const auto client = connect();
  const std::string body = noise(3 << 20);
  EXPECT_EQ(client->answer(client->request("POST", "/echo", body)).body, body);
  EXPECT_EQ(client->answer(client->request("GET", "/big")).body.size(), kBigBodyBytes);
}

TEST_P(H2, ABodyOverTheLimitIsRefused) {
  limits.body_bytes_max = 1000;
  start();
  const auto client = connect();
  const auto announced = client->request("POST", "/echo", "", {{"content-length", "1001"}}, false);
  EXPECT_EQ(client->answer(announced).status, 413);
  EXPECT_EQ(client->answer(client->request("POST", "/echo", std::string(5000, 'a'))).status, 413);
  EXPECT_EQ(client->answer(client->request("POST", "/echo", std::string(1000, 'a'))).status, 200);
}

TEST_P(H2, ResetStreamCancelsHandlerAndFreesPermit) {
  start();
  const auto client = connect();
  for (int i = 1; i <= 5; ++i) {
    const auto id = client->request("GET", "/hold");
    ASSERT_TRUE(gate->wait_entered(i)) << "the route has two permits";
    client->reset(id);
    ASSERT_TRUE(gate->wait_canceled(i));
  }
  EXPECT_EQ(client->answer(client->request("GET", "/hello")).status, 200) << "the connection goes on";
}

TEST_P(H2, ALostConnectionCancelsAllItsStreams) {
  start();
  auto client = connect();
  client->request("GET", "/hold");
  client->request("GET", "/hold");
  ASSERT_TRUE(gate->wait_entered(2));
  client.reset();
  EXPECT_TRUE(gate->wait_canceled(2));
  EXPECT_TRUE(eventually([this] { return server->open_connections() == 0; }));
}

// proves part: NODE-TIME-3 (over HTTP; not: a framed request past its deadline)
// proves part: NODE-TIME-2 (one deadline that cancels the handler, and route limits; not soft and hard)
TEST_P(H2, StuckHandlerTimesOutOnlyItsStream) {
  start();
  const auto client = connect();
  const auto asked = std::chrono::steady_clock::now();
  const auto stuck = client->request("GET", "/stuck");
  EXPECT_EQ(client->answer(client->request("GET", "/hello")).status, 200);
  EXPECT_EQ(client->answer(stuck).status, 504);
  const auto took = std::chrono::steady_clock::now() - asked;
  EXPECT_GE(took, 200ms);
  EXPECT_LT(took, 2s) << "the handler itself never ends";
}

TEST_P(H2, ABodyThatDoesNotArriveIsGivenUp) {
  limits.read_timeout = 100ms;
  start();
  const auto client = connect();
  EXPECT_EQ(client->answer(client->request("POST", "/echo", "ab", {}, false)).status, 408);
  EXPECT_EQ(count(Counter::kIoTimeouts, "read"), 1);
}

// proves part: NODE-SHUT-5 (framed transport, close_notify of TLS, GOAWAY of HTTP/2; not plain HTTP/1.1)
// proves: NODE-SHUT-3
TEST_P(H2, CloseSendsGoawayAndLetsStreamsFinish) {
  start();
  const auto client = connect();
  const auto held = client->request("GET", "/hold");
  ASSERT_TRUE(gate->wait_entered(1));
  std::future<void> closed = asio::co_spawn(io, server->close(20s), asio::use_future);
  ASSERT_TRUE(client->run_until([&client] { return client->goaway; }));
  EXPECT_EQ(client->goaway_code, 0u);
  gate->release();
  EXPECT_EQ(client->answer(held).body, "released");
  EXPECT_EQ(client->socket.receive_all(), "");
  client->socket.close();
  closed.get();
}

TEST_P(H2, DrainingRefusesAndSaysGoodbye) {
  start();
  const auto client = connect();
  EXPECT_EQ(client->answer(client->request("GET", "/hello")).status, 200);
  server->set_draining();
  const auto refused = client->request("GET", "/hello");
  EXPECT_EQ(client->answer(refused).status, 503);
  EXPECT_TRUE(client->run_until([&client] { return client->goaway; }));
}

TEST_P(H2, ALargeHeadIsRefusedOnItsStreamOnly) {
  limits.header_bytes_max = 1000;
  start();
  const auto client = connect();
  EXPECT_EQ(client->answer(client->request("GET", "/hello", "", {{"x-long", std::string(2000, 'a')}})).status, 431);
  EXPECT_EQ(client->answer(client->request("GET", "/hello")).status, 200);
}

TEST_P(H2, RapidResetsEndTheConnection) {
  start();
  const auto client = connect();
  for (int i = 0; i < 1000 && client->flush(); ++i) client->reset(client->request("GET", "/hold"));
  EXPECT_TRUE(eventually([this] { return count(Counter::kRequestsRefused, "reset_flood") >= 1; }));
  EXPECT_TRUE(eventually([this] { return server->open_connections() == 0; }));
}

TEST_P(H2, AnIdleConnectionIsClosedAlthoughItPings) {
  limits.idle_timeout = 150ms;
  start();
  const auto client = connect();
  EXPECT_EQ(client->answer(client->request("GET", "/hello")).status, 200);
  std::jthread pings([&client](const std::stop_token& stop) {
    const std::string ping(
        "\0\0\x08\x06\0\0\0\0\0"
        "12345678",
        17);
    while (!stop.stop_requested() && client->socket.send(ping)) std::this_thread::yield();
  });
  EXPECT_TRUE(eventually([this] { return server->open_connections() == 0; }));
}

TEST_P(H2, HeadAndCompressedBodiesWorkAsInH1) {
  start();
  const auto client = connect();
  const Answer head = client->answer(client->request("HEAD", "/hello"));
  EXPECT_EQ(head.status, 200);
  EXPECT_EQ(head.headers.at("content-length"), "11");
  EXPECT_EQ(head.body, "");
  const std::string bomb = deflated(std::string(20 << 10, 'z'), true);
  EXPECT_EQ(client->answer(client->request("POST", "/echo", bomb, {{"content-encoding", "gzip"}})).status, 413);
  const std::string packed = deflated(noise(9000), true);
  EXPECT_EQ(client->answer(client->request("POST", "/echo", packed, {{"content-encoding", "gzip"}})).body, noise(9000));
}

TEST_P(H2, RequestsAreHeldToTheSameRulesAsInH1) {
  guard({"t"});
  start();
  const auto client = connect();
  EXPECT_EQ(client->answer(client->request("GET", "/admin", "", {{"authorization", "Bearer right"}})).body, "granted");
  EXPECT_EQ(client->answer(client->request("GET", "/admin")).status, 401);
  EXPECT_EQ(client->answer(client->request("GET", "/hello", "", {{"host", "evil.example"}})).status, 421);
  EXPECT_EQ(client->answer(client->request("GET", "/hello", "", {{"origin", "http://evil.example"}})).status, 403);
  EXPECT_EQ(client->answer(client->request("POST", "/echo", "{}", {{"content-type", "application/json"}})).status, 200);
  EXPECT_EQ(client->answer(client->request("POST", "/echo", "{}")).status, 415) << "a body that was not announced";
  EXPECT_EQ(client->answer(client->request("POST", "/echo")).status, 200) << "no body";
}

std::string half_a_head() {
  std::string bytes = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
  bytes.append("\0\0\0\x04\0\0\0\0\0", 9);             // empty SETTINGS
  bytes.append("\0\0\x20\x01\x05\0\0\0\x01\x82", 10);  // HEADERS of 32 bytes, of which one follows
  return bytes;
}

TEST_P(H2, HalfAHeadIsCutOffAtTheReadTimeout) {
  limits.read_timeout = 100ms;
  start();
  ClientSocket first(port());
  ASSERT_TRUE(first.send(half_a_head()));
  // The same after an answer, when a connection may be idle for much longer.
  const auto second = connect();
  EXPECT_EQ(second->answer(second->request("GET", "/hello")).status, 200);
  ASSERT_TRUE(second->socket.send(std::string_view("\0\0\x20\x01\x05\0\0\0\x03\x82", 10)));
  EXPECT_TRUE(eventually([this] { return server->open_connections() == 0; }));
  EXPECT_GE(count(Counter::kIoTimeouts, "read"), 2);
}

TEST_P(H2, AHeadIsCutOffBesideAStreamThatGoesOn) {
  limits.read_timeout = 100ms;
  start();
  const auto client = connect();
  client->request("GET", "/hold");
  ASSERT_TRUE(gate->wait_entered(1));
  ASSERT_TRUE(client->socket.send(std::string_view("\0\0\x20\x01\x05\0\0\0\x03\x82", 10)));
  EXPECT_TRUE(eventually([this] { return server->open_connections() == 0; }));
}

TEST_P(H2, APeerWithoutAWindowLosesItsStream) {
  limits.write_timeout = 100ms;
  limits.read_timeout = 100ms;
  start();
  H2Client client(port());
  client.begin(0);
  const auto id = client.request("GET", "/hello");
  EXPECT_EQ(client.answer(id).status, 200) << "the head needs no window";
  EXPECT_TRUE(client.streams[id].closed);
  EXPECT_EQ(client.streams[id].error_code, static_cast<std::uint32_t>(NGHTTP2_CANCEL));
  EXPECT_EQ(count(Counter::kIoTimeouts, "write"), 1);
  EXPECT_TRUE(eventually([this] { return server->open_connections() == 0; })) << "it never took an answer";
}

TEST_P(H2, AWindowOfAByteNowAndThenGainsNoTime) {
  limits.write_timeout = 200ms;
  start();
  H2Client client(port());
  client.begin(1);
  const auto id = client.request("GET", "/big");
  const auto asked = std::chrono::steady_clock::now();
  // The client gives back a byte of window for each that it takes: the answer goes on for as long as it is let.
  client.answer(id);
  EXPECT_TRUE(client.streams[id].closed);
  EXPECT_EQ(client.streams[id].error_code, static_cast<std::uint32_t>(NGHTTP2_CANCEL));
  EXPECT_LT(client.streams[id].answer.body.size(), kWritePieceBytes);
  EXPECT_LT(std::chrono::steady_clock::now() - asked, 10s);
}

TEST_P(H2, AnswersThatAreNotTakenAreBounded) {
  limits.unsent_bytes_max = 3 * kBigBodyBytes;
  start();
  H2Client client(port());
  client.begin(0);
  std::vector<std::int32_t> ids;
  for (int i = 0; i < 5; ++i) ids.push_back(client.request("GET", "/big"));
  ASSERT_TRUE(client.run_until([&] {
    return std::ranges::all_of(ids, [&](std::int32_t id) { return client.streams[id].answer.status != 0; });
  }));
  const auto is_busy = [&](std::int32_t id) { return client.streams[id].answer.status == 429; };
  EXPECT_EQ(std::ranges::count_if(ids, is_busy), 2);
  EXPECT_EQ(count(Counter::kRequestsRefused, "unsent"), 2);
}

}  // namespace
}  // namespace hyperscale::runtime
