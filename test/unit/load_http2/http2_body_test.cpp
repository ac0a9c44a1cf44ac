#include "session_pair.h"

#include <gtest/gtest.h>

namespace hyperscale::load {
namespace {

std::string pattern(std::size_t size) {
  std::string text(size, '\0');
  for (std::size_t i = 0; i < size; ++i) text[i] = static_cast<char>('a' + i * 7 % 26);
  return text;
}

TEST(Http2Body, GoesBothWaysThroughSmallWindows) {
  SessionPair pair({.streams_max = 4}, {{NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, 1000}});
  const std::string body = pattern(3'000'000);
  const PreparedRequest request = make_request("POST", body);
  pair.server.on_request = [&](std::int32_t id) { pair.server.answer(id, {.body = pair.server.request(id).body}); };
  for (std::uint32_t slot = 0; slot < 4; ++slot) pair.session.send_request(slot, request);
  pair.session.flush();
  pair.run();
  EXPECT_EQ(pair.record.completed, 4);
  for (std::uint32_t slot = 0; slot < 4; ++slot) EXPECT_TRUE(pair.record.seen[slot].body == body) << slot;
}

TEST(Http2Body, AnAnswerBelowTheWindowsNeedsNoWindowUpdate) {
  SessionPair pair;
  const PreparedRequest request = make_request();
  pair.session.send_request(0, request);
  pair.session.flush();
  pair.run();
  const std::size_t frames = pair.server.frames;
  pair.server.answer(1, {.body = pattern(4 << 20)});
  pair.run();
  EXPECT_EQ(pair.record.seen[0].body.size(), 4u << 20);
  EXPECT_EQ(pair.server.frames, frames) << "the client had nothing to say";
}

TEST(Http2Body, AClosedWindowHoldsTheBodyUntilItOpens) {
  SessionPair pair({.streams_max = 1}, {{NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, 10}}, true);
  const PreparedRequest request = make_request("POST", pattern(100));
  pair.session.flush();
  pair.run();  // the window is known now
  pair.session.send_request(0, request);
  pair.session.flush();
  pair.run();
  EXPECT_EQ(pair.server.request(1).body.size(), 10u);
  EXPECT_FALSE(pair.server.request(1).complete);
  pair.server.settings({{NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, 60}});
  pair.run();
  EXPECT_EQ(pair.server.request(1).body.size(), 60u);
  nghttp2_submit_window_update(pair.server.raw(), NGHTTP2_FLAG_NONE, 1, 1000);
  pair.run();
  EXPECT_EQ(pair.server.request(1).body, request.body);
  EXPECT_TRUE(pair.server.request(1).complete);
}

TEST(Http2Body, ABusyTransportBoundsWhatIsCollected) {
  SessionPair pair({.streams_max = 1}, {{NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, 8 << 20}});
  nghttp2_session_set_local_window_size(pair.server.raw(), NGHTTP2_FLAG_NONE, 0, 8 << 20);
  pair.session.flush();
  pair.run();
  const PreparedRequest request = make_request("POST", pattern(4 << 20));
  pair.transport.busy = true;
  pair.session.send_request(0, request);
  pair.session.flush();
  EXPECT_LE(pair.transport.held.size(), kHttp2CollectBytesMax + (32 << 10));
  int sends = 0;
  while (pair.server.request(1).body.size() < request.body.size() && sends++ < 1000) {
    pair.unblock();
    pair.run();
  }
  EXPECT_TRUE(pair.server.request(1).body == request.body);
}

// The server answers without waiting for the body and never opens its window.
TEST(Http2Body, EarlyAnswerCompletesAndStopsTheUpload) {
  SessionPair pair({.streams_max = 2}, {{NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, 10}}, true);
  const PreparedRequest request = make_request("POST", pattern(100'000));
  pair.session.flush();
  pair.run();
  pair.session.send_request(0, request);
  pair.session.flush();
  pair.run();
  pair.server.answer(1, {.status = "413", .body = "no"});
  pair.run();
  EXPECT_EQ(pair.record.seen[0].completed, 1);
  EXPECT_EQ(pair.record.seen[0].status, 413);
  EXPECT_EQ(pair.record.seen[0].body, "no");
  EXPECT_EQ(pair.server.request(1).reset, NGHTTP2_CANCEL);
  EXPECT_EQ(pair.session.in_flight(), 0u);
  EXPECT_TRUE(pair.session.usable());
}

}  // namespace
}  // namespace hyperscale::load
