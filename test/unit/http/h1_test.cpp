#include "server_fixture.h"

namespace hyperscale::runtime {
namespace {

class H1 : public ServerFixture {};
INSTANTIATE_FLAVOURS(H1);

TEST_P(H1, KeepsTheConnectionBetweenRequests) {
  start();
  H1Client client(port());
  for (int i = 0; i < 3; ++i) {
    const Answer answer = client.get("/hello?name=a%20b");
    EXPECT_EQ(answer.status, 200);
    EXPECT_EQ(answer.body, "hello a b");
    EXPECT_EQ(answer.headers.at("connection"), "keep-alive");
  }
  EXPECT_EQ(count(Counter::kConnectionsAccepted, "test"), 1);
  EXPECT_EQ(server->open_connections(), 1u);
  EXPECT_EQ(metrics.value(Gauge::kConnectionsOpen, "test"), 1);
}

TEST_P(H1, AnswersPipelinedRequestsInOrder) {
  start();
  H1Client client(port());
  std::string batch;
  for (int i = 0; i < 50; ++i) batch += post("/echo", std::to_string(i));
  client.send(batch);
  for (int i = 0; i < 50; ++i) EXPECT_EQ(client.receive().body, std::to_string(i));
}

TEST_P(H1, ReadsARequestByteByByte) {
  start();
  H1Client client(port());
  for (const char c : post("/echo", "split")) ASSERT_TRUE(client.send({&c, 1}));
  EXPECT_EQ(client.receive().body, "split");
}

TEST_P(H1, ReadsChunkedBodiesWithinTheLimit) {
  limits.body_bytes_max = 10;
  start();
  H1Client client(port());
  const std::string head = "POST /echo HTTP/1.1\r\nhost: t\r\ntransfer-encoding: chunked\r\n\r\n";
  client.send(head + "5\r\nabcde\r\n3\r\nfgh\r\n0\r\n\r\n");
  EXPECT_EQ(client.receive().body, "abcdefgh");
  client.send(head + "5\r\nabcde\r\n6\r\nfghijk\r\n0\r\n\r\n");
  EXPECT_EQ(client.receive().status, 413);
  EXPECT_TRUE(client.at_end());
}

TEST_P(H1, HeadHasTheHeadersOfGetAndNoBody) {
  start();
  H1Client client(port());
  client.send("HEAD /hello HTTP/1.1\r\nhost: t\r\n\r\n");
  const Answer head = client.receive(false);
  EXPECT_EQ(head.status, 200);
  EXPECT_EQ(head.headers.at("content-length"), "11");
  EXPECT_EQ(client.get("/hello").body, "hello world") << "no stray body bytes were sent";
}

TEST_P(H1, ClosesWhenAskedTo) {
  start();
  H1Client client(port());
  client.send(get_text("/hello", "connection: close\r\n"));
  EXPECT_EQ(client.receive().headers.at("connection"), "close");
  EXPECT_TRUE(client.at_end());
  H1Client old(port());
  old.send("GET /hello HTTP/1.0\r\n\r\n");
  EXPECT_EQ(old.receive().status, 200);
  EXPECT_TRUE(old.at_end());
}

TEST_P(H1, SendsContinueBeforeAnAnnouncedBody) {
  start();
  H1Client client(port());
  client.send("POST /echo HTTP/1.1\r\nhost: t\r\ncontent-length: 2\r\nexpect: 100-continue\r\n\r\n");
  EXPECT_EQ(client.receive().status, 100);
  client.send("ok");
  EXPECT_EQ(client.receive().body, "ok");
}

TEST_P(H1, AnswersGarbageWith400AndCloses) {
  start();
  H1Client client(port());
  client.send(get_text("/hello") + "\x01\x02garbage\r\n\r\n");
  EXPECT_EQ(client.receive().status, 200);
  EXPECT_EQ(client.receive().status, 400);
  EXPECT_TRUE(client.at_end());
  EXPECT_EQ(count(Counter::kRequestsRefused, "malformed"), 1);
}

TEST_P(H1, RefusesAHeadThatIsTooLarge) {
  limits.header_bytes_max = 512;
  start();
  H1Client client(port());
  client.send("GET / HTTP/1.1\r\nhost: t\r\nx-long: " + std::string(600, 'a'));
  EXPECT_EQ(client.receive().status, 431);
  EXPECT_TRUE(client.at_end());
}

// proves part: NODE-INV-4 (reads and writes of HTTP/1.1)
TEST_P(H1, AHeadThatTricklesInIsCutOffAtTheReadTimeout) {
  limits.read_timeout = 150ms;
  limits.header_bytes_max = 64 << 20;  // a fast machine sends a lot of single bytes in that time
  start();
  H1Client client(port());
  ASSERT_TRUE(client.send("GET /hello HTTP/1.1\r\n"));
  // A byte at a time keeps the connection busy without ever completing the head.
  std::jthread trickle([&client](const std::stop_token& stop) {
    while (!stop.stop_requested() && client.send("x")) std::this_thread::yield();
  });
  EXPECT_EQ(client.receive().status, 408);
  EXPECT_TRUE(eventually([this] { return server->open_connections() == 0; }));
  EXPECT_GE(count(Counter::kIoTimeouts, "read"), 1);
}

// proves part: NODE-TIME-1 (listeners of a node; the link between nodes has fixed times)
TEST_P(H1, AnIdleConnectionIsClosed) {
  limits.idle_timeout = 100ms;
  start();
  H1Client client(port());
  EXPECT_EQ(client.get("/hello").status, 200);
  EXPECT_TRUE(client.at_end());
  EXPECT_EQ(count(Counter::kIoTimeouts, "idle"), 1);
}

TEST_P(H1, AConnectionThatSendsNothingIsClosed) {
  limits.read_timeout = 100ms;
  start();
  H1Client client(port());
  EXPECT_TRUE(client.at_end());
  EXPECT_EQ(count(Counter::kIoTimeouts, "read"), 1);
}

// proves part: NODE-INV-4 (reads and writes of HTTP/1.1)
// proves part: NODE-TIME-1 (listeners of a node; the link between nodes has fixed times)
TEST_P(H1, PeerThatStopsReadingHitsWriteTimeout) {
  limits.write_timeout = 150ms;
  start();
  H1Client client(port());
  std::string batch;
  for (int i = 0; i < 64; ++i) batch += get_text("/big");
  client.send(batch);
  EXPECT_TRUE(eventually([this] { return count(Counter::kIoTimeouts, "write") == 1; }));
  EXPECT_TRUE(eventually([this] { return server->open_connections() == 0; }));
}

TEST_P(H1, ALargeAnswerArrivesWhole) {
  start();
  H1Client client(port());
  EXPECT_EQ(client.get("/big").body, std::string(kBigBodyBytes, 'x'));
}

}  // namespace
}  // namespace hyperscale::runtime
