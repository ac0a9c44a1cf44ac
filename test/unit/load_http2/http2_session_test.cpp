#include "session_pair.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hyperscale::load {
namespace {

using testing::ElementsAre;
using testing::Pair;

TEST(Http2Session, CarriesARequestAndItsAnswer) {
  SessionPair pair;
  const PreparedRequest request = make_request();
  pair.server.on_request = [&](std::int32_t id) {
    pair.server.answer(id, {.fields = {{"server", "t"}, {"x-a", "1"}}, .body = "hello"});
  };
  pair.session.send_request(7, request);
  EXPECT_EQ(pair.session.in_flight(), 1u);
  pair.session.flush();
  pair.run();
  const auto& sent = pair.server.request(1).fields;
  EXPECT_EQ(sent.at(":method"), "GET");
  EXPECT_EQ(sent.at(":scheme"), "https");
  EXPECT_EQ(sent.at(":authority"), "a.example");
  EXPECT_EQ(sent.at(":path"), "/x?y=1");
  EXPECT_EQ(sent.at("user-agent"), "test");
  const Seen& seen = pair.record.seen.at(7);
  EXPECT_EQ(seen.first_bytes, 1);
  EXPECT_EQ(seen.heads, 1);
  EXPECT_EQ(seen.completed, 1);
  EXPECT_EQ(seen.status, 200);
  EXPECT_THAT(seen.fields, ElementsAre(Pair("server", "t"), Pair("x-a", "1")));
  EXPECT_EQ(seen.body, "hello");
  EXPECT_FALSE(seen.failure);
  EXPECT_EQ(pair.session.in_flight(), 0u);
  EXPECT_TRUE(pair.session.usable());
  EXPECT_EQ(pair.record.overs, 0);
}

TEST(Http2Session, ThePrefaceForbidsPushAndOpensTheWindowsWide) {
  SessionPair pair;
  pair.session.flush();
  pair.run();
  EXPECT_EQ(pair.server.client_push, 0u);
  EXPECT_GE(pair.server.client_window, 1u << 20);
  EXPECT_GE(pair.server.connection_window_raise, 1u << 20);
  EXPECT_EQ(pair.server.settings_acks, 1);
}

TEST(Http2Session, WritesTheRequestsOfOneGoInOneSend) {
  SessionPair pair;
  const PreparedRequest request = make_request();
  for (std::uint32_t slot = 0; slot < 50; ++slot) pair.session.send_request(slot, request);
  EXPECT_EQ(pair.transport.sends, 0);
  pair.session.flush();
  EXPECT_EQ(pair.transport.sends, 1);
  pair.run();
  EXPECT_EQ(pair.server.request_count(), 50u);
}

TEST(Http2Session, CollectsWhileASendIsUnderWay) {
  SessionPair pair;
  const PreparedRequest request = make_request();
  pair.transport.busy = true;
  pair.session.send_request(0, request);
  pair.session.flush();
  for (std::uint32_t slot = 1; slot < 20; ++slot) {
    pair.session.send_request(slot, request);
    pair.session.flush();
  }
  EXPECT_EQ(pair.transport.sends, 1);
  pair.unblock();
  EXPECT_EQ(pair.transport.sends, 2);
  pair.run();
  EXPECT_EQ(pair.server.request_count(), 20u);
}

TEST(Http2Session, RequestsFromCallbacksAreFlushedTogether) {
  SessionPair pair;
  const PreparedRequest request = make_request();
  pair.server.on_request = [&](std::int32_t id) { pair.server.answer(id, {.body = "x"}); };
  std::uint32_t next = 10;
  pair.record.on_complete = [&](std::uint32_t) {
    if (next >= 200) return;
    pair.session.send_request(next++, request);
    pair.session.flush();
  };
  for (std::uint32_t slot = 0; slot < 10; ++slot) pair.session.send_request(slot, request);
  pair.session.flush();
  pair.run();
  EXPECT_EQ(pair.record.completed, 200);
  EXPECT_EQ(pair.server.request_count(), 200u);
  EXPECT_LT(pair.transport.sends, 60) << "ten answers come together and so do the requests that follow";
  EXPECT_EQ(pair.session.in_flight(), 0u);
}

TEST(Http2Session, AnswersInAnyOrderFindTheirSlots) {
  SessionPair pair;
  const PreparedRequest request = make_request();
  for (std::uint32_t slot = 0; slot < 100; ++slot) pair.session.send_request(1'000'000 + slot, request);
  pair.session.flush();
  pair.run();
  for (std::int32_t id = 199; id >= 1; id -= 2) pair.server.answer(id, {.body = std::to_string(id)});
  pair.run();
  ASSERT_EQ(pair.record.completed, 100);
  for (std::uint32_t slot = 0; slot < 100; ++slot)
    EXPECT_EQ(pair.record.seen.at(1'000'000 + slot).body, std::to_string(2 * slot + 1));
}

TEST(Http2Session, ThePeersLimitOfStreamsIsTheCapacity) {
  SessionPair pair({.streams_max = 50}, {{NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, 8}});
  EXPECT_EQ(pair.session.capacity(), 50u) << "not known yet";
  pair.session.flush();
  pair.run();
  EXPECT_EQ(pair.session.capacity(), 8u);
  pair.server.settings({{NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, 1000}});
  pair.run();
  EXPECT_EQ(pair.session.capacity(), 50u);
}

TEST(Http2Session, LoweredLimitLetsOldRequestsFinish) {
  SessionPair pair;
  const PreparedRequest request = make_request();
  for (std::uint32_t slot = 0; slot < 20; ++slot) pair.session.send_request(slot, request);
  pair.session.flush();
  pair.run();
  pair.server.settings({{NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, 4}});
  pair.run();
  EXPECT_EQ(pair.session.capacity(), 4u);
  EXPECT_EQ(pair.session.in_flight(), 20u);
  for (std::int32_t id = 1; id < 40; id += 2) pair.server.answer(id, {});
  pair.run();
  EXPECT_EQ(pair.record.completed, 20);
  EXPECT_TRUE(pair.session.usable());
}

// The limit arrives after the requests were taken and before they were written: they wait, and none is lost.
TEST(Http2Session, RequestsAboveALoweredLimitWaitForTheirTurn) {
  SessionPair pair({.streams_max = 20}, {{NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, 3}});
  const PreparedRequest request = make_request();
  pair.server.on_request = [&](std::int32_t id) { pair.server.answer(id, {.body = "x"}); };
  for (std::uint32_t slot = 0; slot < 20; ++slot) pair.session.send_request(slot, request);
  pair.session.on_bytes(pair.server.output());
  pair.run();
  EXPECT_EQ(pair.record.completed, 20);
}

TEST(Http2Session, InformationalAnswersAreNotTheAnswer) {
  SessionPair pair;
  const PreparedRequest request = make_request();
  pair.session.send_request(0, request);
  pair.session.flush();
  pair.run();
  pair.server.inform(1, "100");
  pair.server.inform(1, "103");
  pair.run();
  EXPECT_EQ(pair.record.seen[0].first_bytes, 0);
  pair.server.answer(1, {.status = "204", .fields = {{"a", "b"}}});
  pair.run();
  EXPECT_EQ(pair.record.seen[0].first_bytes, 1);
  EXPECT_EQ(pair.record.seen[0].status, 204);
  EXPECT_THAT(pair.record.seen[0].fields, ElementsAre(Pair("a", "b")));
  EXPECT_EQ(pair.record.seen[0].completed, 1);
}

TEST(Http2Session, AnAnswerToHeadHasALengthAndNoBody) {
  SessionPair pair;
  const PreparedRequest request = make_request("HEAD");
  pair.server.on_request = [&](std::int32_t id) { pair.server.answer(id, {.fields = {{"content-length", "500"}}}); };
  pair.session.send_request(0, request);
  pair.session.flush();
  pair.run();
  EXPECT_EQ(pair.record.seen[0].completed, 1);
  EXPECT_EQ(pair.record.seen[0].body, "");
}

TEST(Http2Session, TrailersEndTheAnswerAndAreNotHeaders) {
  SessionPair pair;
  const PreparedRequest request = make_request();
  pair.server.on_request = [&](std::int32_t id) {
    pair.server.answer(id, {.body = "data", .trailers = {{"x-sum", "42"}}});
  };
  pair.session.send_request(0, request);
  pair.session.flush();
  pair.run();
  const Seen& seen = pair.record.seen[0];
  EXPECT_EQ(seen.completed, 1);
  EXPECT_EQ(seen.heads, 1);
  EXPECT_EQ(seen.body, "data");
  EXPECT_TRUE(seen.fields.empty());
}

TEST(Http2Session, TellsFieldsAndBodyOnlyToThoseWhoWantThem) {
  SessionPair pair;
  PreparedRequest request = make_request();
  request.wants_headers = false;
  request.wants_body = false;
  pair.server.on_request = [&](std::int32_t id) { pair.server.answer(id, {.fields = {{"a", "b"}}, .body = "data"}); };
  pair.session.send_request(0, request);
  pair.session.flush();
  pair.run();
  const Seen& seen = pair.record.seen[0];
  EXPECT_EQ(seen.completed, 1);
  EXPECT_EQ(seen.heads, 1);
  EXPECT_TRUE(seen.fields.empty());
  EXPECT_TRUE(seen.body.empty());
  EXPECT_GT(seen.bytes, 4u);
}

TEST(Http2Session, TheBodyOfAFailureIsToldUnasked) {
  SessionPair pair;
  PreparedRequest request = make_request();
  request.wants_body = false;
  pair.server.on_request = [&](std::int32_t id) { pair.server.answer(id, {.status = "500", .body = "why"}); };
  pair.session.send_request(0, request);
  pair.session.flush();
  pair.run();
  EXPECT_EQ(pair.record.seen[0].body, "why");
}

TEST(Http2Session, CountsTheBytesOfTheAnswerWithItsFrames) {
  SessionPair pair;
  const PreparedRequest request = make_request();
  pair.session.send_request(0, request);
  pair.session.flush();
  pair.run();
  pair.server.answer(1, {.body = std::string(1000, 'b')});
  const auto answer = pair.server.output();
  pair.session.on_bytes(answer);
  EXPECT_EQ(pair.record.seen[0].bytes, answer.size());
}

TEST(Http2Session, AnswersPings) {
  SessionPair pair;
  pair.session.flush();
  pair.run();
  pair.server.ping();
  pair.run();
  EXPECT_EQ(pair.server.pongs, 1);
}

}  // namespace
}  // namespace hyperscale::load
