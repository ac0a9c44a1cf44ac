#include "target/filler.h"
#include "target/limits.h"
#include "target_client.h"

#include <chrono>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace hyperscale::target {
namespace {

using Clock = std::chrono::steady_clock;

std::string filler(std::size_t size) {
  std::string text;
  append_filler(text, 0, size);
  return text;
}

TEST(Http1Server, AnswersOverAConnectionThatStays) {
  const auto server = start_target();
  TargetClient client(*server);
  for (int i = 0; i < 3; ++i) {
    const TestAnswer answer = client.get("/");
    EXPECT_EQ(answer.status, 200);
    EXPECT_EQ(answer.body, "hello\n");
  }
  EXPECT_EQ(server->counters().requests, 3u);
  EXPECT_EQ(server->counters().connections, 1u);
}

TEST(Http1Server, TenThousandPipelinedAnswersKeepOrder) {
  const auto server = start_target();
  TargetClient client(*server);
  std::string requests;
  for (int i = 0; i < 10'000; ++i) requests += get_text(fmt::format("/status/{}", 200 + i % 4));
  client.send(requests);
  for (int i = 0; i < 10'000; ++i) ASSERT_EQ(client.read_answer().status, 200 + i % 4) << i;
  EXPECT_EQ(server->counters().requests, 10'000u);
}

// The peer sends everything before it reads anything: what waits for it is bounded, and nothing is lost.
TEST(Http1Server, PeerThatReadsLateLosesNothing) {
  constexpr int kRequests = 3000;
  const auto server = start_target();
  TargetClient client(*server);
  std::string requests;
  for (int i = 0; i < kRequests; ++i) requests += get_text("/size/16KiB");
  client.send(requests);
  client.end_sending();
  const std::string expected = filler(16 << 10);
  for (int i = 0; i < kRequests; ++i) ASSERT_EQ(client.read_answer().body, expected) << i;
  EXPECT_EQ(client.read_rest(), "");
}

TEST(Http1Server, BodiesOfEverySizeArriveWhole) {
  const auto server = start_target();
  TargetClient client(*server);
  for (const std::size_t size : {0u, 1u, 16384u, 16385u, 65536u, 65537u, 5'000'000u}) {
    const TestAnswer answer = client.get(fmt::format("/size/{}", size));
    EXPECT_EQ(answer.body.size(), size);
    EXPECT_EQ(answer.body, filler(size));
  }
}

TEST(Http1Server, ChunkedBodiesComeInPiecesOfTheSizeAsked) {
  const auto server = start_target();
  TargetClient client(*server);
  for (const char* target : {"/chunked/64KiB/1KiB", "/chunked/64KiB/1000", "/chunked/64KiB/1MiB"}) {
    const TestAnswer answer = client.get(target);
    EXPECT_TRUE(answer.has_field("Transfer-Encoding: chunked"));
    EXPECT_EQ(answer.body, filler(65536)) << target;
  }
  EXPECT_EQ(client.get("/chunked/0/1").body, "");
  client.send("GET /chunked/10/4 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
  const std::string raw = client.read_rest();
  EXPECT_TRUE(raw.ends_with("\r\n\r\n4\r\n0123\r\n4\r\n4567\r\n2\r\n89\r\n0\r\n\r\n")) << raw;
}

TEST(Http1Server, HeadHasTheHeadOnly) {
  const auto server = start_target();
  TargetClient client(*server);
  for (const char* target : {"/", "/size/1MiB", "/chunked/1MiB/1KiB", "/drip/1MiB/1s"}) {
    EXPECT_EQ(client.call("HEAD", target).status, 200) << target;
  }
  EXPECT_TRUE(client.call("HEAD", "/size/1MiB").has_field("Content-Length: 1048576"));
  EXPECT_EQ(client.get("/").body, "hello\n");
}

TEST(Http1Server, StatusesWithoutBodyHaveNone) {
  const auto server = start_target();
  TargetClient client(*server);
  for (const int status : {204, 304}) {
    const TestAnswer answer = client.get(fmt::format("/status/{}", status));
    EXPECT_EQ(answer.status, status);
    EXPECT_EQ(answer.head.find("Content-Length"), std::string::npos);
  }
  EXPECT_EQ(client.get("/").body, "hello\n");
}

TEST(Http1Server, Http10ClosesUnlessAskedAndIsNeverChunked) {
  const auto server = start_target();
  TargetClient once(*server);
  once.send("GET / HTTP/1.0\r\n\r\n");
  EXPECT_TRUE(once.read_rest().ends_with("hello\n"));
  TargetClient kept(*server);
  for (int i = 0; i < 2; ++i) {
    kept.send("GET /chunked/1000/10 HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
    const TestAnswer answer = kept.read_answer();
    EXPECT_TRUE(answer.has_field("Connection: keep-alive"));
    EXPECT_TRUE(answer.has_field("Content-Length: 1000"));
    EXPECT_EQ(answer.body, filler(1000));
  }
}

TEST(Http1Server, EchoOfFixedAndChunkedBodies) {
  const auto server = start_target();
  TargetClient client(*server);
  EXPECT_NE(client.call("POST", "/echo", "some text").body.find(R"("body":"some text")"), std::string::npos);
  client.send("POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n");
  EXPECT_NE(client.read_answer().body.find(R"("body":"abcde")"), std::string::npos);
  const std::string large(kKeptBodyBytesMax, 'x');
  EXPECT_NE(client.call("POST", "/echo", large).body.find(large), std::string::npos);
  EXPECT_EQ(client.call("POST", "/echo", large + "x").status, 413);
  EXPECT_EQ(client.call("POST", "/", large + large).status, 200);
  EXPECT_EQ(server->counters().body_bytes, 9 + 5 + 4 * kKeptBodyBytesMax + 1);
}

TEST(Http1Server, ContinueIsSentBeforeTheBodyIsThere) {
  const auto server = start_target();
  TargetClient client(*server);
  client.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nExpect: 100-continue\r\n\r\n");
  EXPECT_EQ(client.read_answer().status, 100);
  EXPECT_EQ(server->counters().requests, 0u);
  client.send("body");
  EXPECT_NE(client.read_answer().body.find(R"("body":"body")"), std::string::npos);
  EXPECT_EQ(server->counters().requests, 1u);
}

TEST(Http1Server, BadRequestsAreToldSoAndTheConnectionEnds) {
  const auto server = start_target();
  const auto refused = [&](const std::string& text) {
    TargetClient client(*server);
    client.send(text);
    const TestAnswer answer = client.read_answer();
    EXPECT_TRUE(answer.has_field("Connection: close"));
    EXPECT_EQ(client.read_rest(), "");
    EXPECT_FALSE(client.was_reset());
    return answer.status;
  };
  EXPECT_EQ(refused("GET / HTTP/1.1\r\n\r\n"), 400);
  EXPECT_EQ(refused("\x16\x03\x01\x02"), 400);
  EXPECT_EQ(refused("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999\r\n\r\n" + std::string(200'000, 'x')),
            413);
  EXPECT_EQ(refused("GET / HTTP/1.1\r\nX: " + std::string(100'000, 'x')), 431);
  EXPECT_EQ(refused("PRI * HTTP/2.0\r\n\r\nSX"), 400);
  EXPECT_EQ(server->counters().bad_requests, 5u);
  EXPECT_EQ(server->counters().requests, 0u);
  EXPECT_EQ(get_once(*server, "/").status, 200);
}

TEST(Http1Server, ABadRequestDoesNotTakeTheAnswersBeforeItAway) {
  const auto server = start_target();
  TargetClient client(*server);
  client.send(get_text("/") + get_text("/delay/30ms") + "nonsense\r\n\r\n");
  EXPECT_EQ(client.read_answer().body, "hello\n");
  EXPECT_EQ(client.read_answer().body, "delayed\n");
  EXPECT_EQ(client.read_answer().status, 400);
}

TEST(Http1Server, DelayedAnswersComeInTimeAndInOrder) {
  const auto server = start_target();
  TargetClient client(*server);
  const auto begin = Clock::now();
  client.send(get_text("/") + get_text("/delay/100ms") + get_text("/status/201"));
  EXPECT_EQ(client.read_answer().body, "hello\n");
  EXPECT_LT(Clock::now() - begin, 90ms);
  EXPECT_EQ(client.read_answer().body, "delayed\n");
  EXPECT_GE(Clock::now() - begin, 100ms);
  EXPECT_EQ(client.read_answer().status, 201);
}

TEST(Http1Server, APeerThatHasEndedItsHalfStillGetsEveryAnswer) {
  const auto server = start_target();
  TargetClient client(*server);
  client.send(get_text("/delay/20ms") + get_text("/delay/20ms") + get_text("/"));
  client.end_sending();
  EXPECT_EQ(client.read_answer().body, "delayed\n");
  EXPECT_EQ(client.read_answer().body, "delayed\n");
  EXPECT_EQ(client.read_answer().body, "hello\n");
  EXPECT_EQ(client.read_rest(), "");
}

TEST(Http1Server, MuchInputDuringADelayIsNotLost) {
  const auto server = start_target();
  TargetClient client(*server);
  std::string requests = get_text("/delay/50ms");
  for (int i = 0; i < 5000; ++i) requests += get_text("/");
  client.send(requests);
  EXPECT_EQ(client.read_answer().body, "delayed\n");
  for (int i = 0; i < 5000; ++i) ASSERT_EQ(client.read_answer().body, "hello\n") << i;
}

TEST(Http1Server, DripsSlowly) {
  const auto server = start_target();
  TargetClient client(*server);
  const auto begin = Clock::now();
  EXPECT_EQ(client.get("/drip/256/20ms").body, filler(256));
  EXPECT_GE(Clock::now() - begin, 60ms);
  EXPECT_EQ(client.get("/").body, "hello\n");
}

}  // namespace
}  // namespace hyperscale::target
