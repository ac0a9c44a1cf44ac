// Connections that end in unusual ways, on purpose.
#include "target/answer.h"
#include "target_client.h"

#include <gtest/gtest.h>

namespace hyperscale::target {
namespace {

TEST(Http1Endings, CloseSaysSoAndCloses) {
  const auto server = start_target();
  TargetClient client(*server);
  const TestAnswer answer = client.get("/close");
  EXPECT_TRUE(answer.has_field("Connection: close"));
  EXPECT_EQ(answer.body, "bye\n");
  EXPECT_EQ(client.read_rest(), "");
  EXPECT_FALSE(client.was_reset());
}

TEST(Http1Endings, WhatFollowsACloseIsNotAnswered) {
  const auto server = start_target();
  TargetClient client(*server);
  client.send(get_text("/close") + get_text("/"));
  EXPECT_EQ(client.read_answer().body, "bye\n");
  EXPECT_EQ(client.read_rest(), "");
  EXPECT_EQ(server->counters().requests, 1u);
}

TEST(Http1Endings, ResetIsAReset) {
  const auto server = start_target();
  TargetClient client(*server);
  EXPECT_EQ(client.get("/").status, 200);
  client.send(get_text("/reset"));
  EXPECT_EQ(client.read_rest(), "");
  EXPECT_TRUE(client.was_reset());
  EXPECT_EQ(server->counters().requests, 2u);
}

TEST(Http1Endings, HalfOfTheDeclaredBodyComes) {
  const auto server = start_target();
  TargetClient client(*server);
  const TestAnswer answer = client.get("/half");
  EXPECT_TRUE(answer.has_field("Content-Length: 1024"));
  EXPECT_EQ(answer.body.size(), 512u);
  EXPECT_FALSE(client.was_reset());
}

TEST(Http1Endings, GarbageIsNotHttp) {
  const auto server = start_target();
  TargetClient client(*server);
  client.send(get_text("/garbage"));
  EXPECT_EQ(client.read_rest(), kGarbageBytes);
}

// The end of the peer's half is the only thing that moves such a connection.
TEST(Http1Endings, NeverAnswersUntilThePeerLeaves) {
  const auto server = start_target();
  TargetClient client(*server);
  client.send(get_text("/never") + get_text("/"));
  while (server->counters().requests == 0) get_once(*server, "/count");
  client.end_sending();
  EXPECT_EQ(client.read_rest(), "");
  EXPECT_EQ(server->counters().requests, 1u);
}

TEST(Http1Endings, AConnectionTakesNoMoreThanItsShareOfRequests) {
  const auto server = start_target({.max_requests_per_connection = 3});
  TargetClient client(*server);
  EXPECT_FALSE(client.get("/").has_field("Connection: close"));
  EXPECT_FALSE(client.get("/").has_field("Connection: close"));
  EXPECT_TRUE(client.get("/").has_field("Connection: close"));
  EXPECT_EQ(client.read_rest(), "");
}

}  // namespace
}  // namespace hyperscale::target
