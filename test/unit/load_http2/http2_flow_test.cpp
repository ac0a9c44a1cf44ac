// Flow control both ways (RFC 9113, sections 5.2 and 6.9), and what limits there are against floods.
#include "raw_peer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hyperscale::load {
namespace {

using http2::ErrorCode;
using results::Outcome;
using testing::HasSubstr;

constexpr std::uint16_t kHeaderTableSize = 1;
constexpr std::uint16_t kStreamsMax = 3;
constexpr std::uint16_t kInitialWindow = 4;
constexpr std::uint16_t kFrameSize = 5;

std::size_t body_bytes(const RawPeer& peer, std::uint32_t stream_id) {
  std::size_t bytes = 0;
  for (const SentFrame& frame : peer.sent(FrameType::kData)) {
    EXPECT_LE(frame.payload.size(), http2::kFrameBytesMax);
    if (frame.head.stream_id == stream_id) bytes += frame.payload.size();
  }
  return bytes;
}

std::string window_update(std::uint32_t stream_id, std::uint32_t increment) {
  return raw_frame(FrameType::kWindowUpdate, 0, stream_id, u32_text(increment));
}

TEST(Http2Flow, BodyWaitsForBothWindows) {
  RawPeer peer(1, make_request("POST", std::string(200'000, 'b')));
  EXPECT_EQ(body_bytes(peer, 1), http2::kFirstWindow);
  peer.say(window_update(1, 100'000));
  EXPECT_EQ(body_bytes(peer, 1), http2::kFirstWindow) << "the connection's window is closed";
  peer.say(window_update(0, 1000));
  EXPECT_EQ(body_bytes(peer, 1), http2::kFirstWindow + 1000);
  peer.say(window_update(0, 1'000'000));
  EXPECT_EQ(body_bytes(peer, 1), http2::kFirstWindow + 100'000);
  peer.say(window_update(1, 1'000'000));
  EXPECT_EQ(body_bytes(peer, 1), 200'000u);
  EXPECT_TRUE(peer.sent(FrameType::kData).back().head.has(http2::kFlagEndStream));
}

TEST(Http2Flow, BodiesTakeTurns) {
  RawPeer peer(3, make_request("POST", std::string(60'000, 'b')));
  for (const std::uint32_t stream_id : {1u, 3u, 5u}) EXPECT_GT(body_bytes(peer, stream_id), 16'000u) << stream_id;
  EXPECT_EQ(body_bytes(peer, 1) + body_bytes(peer, 3) + body_bytes(peer, 5), http2::kFirstWindow);
}

// Bytes that were sent are not unsent: the window is below zero until the peer has made up for it.
TEST(Http2Flow, AWindowThatShrinksGoesBelowZero) {
  RawPeer peer(1, make_request("POST", std::string(200'000, 'b')));
  peer.say(window_update(0, 1'000'000));
  peer.say(settings_frame(setting_text(kInitialWindow, 0)));
  EXPECT_EQ(body_bytes(peer, 1), http2::kFirstWindow);
  peer.say(window_update(1, http2::kFirstWindow));
  EXPECT_EQ(body_bytes(peer, 1), http2::kFirstWindow) << "just made up for";
  peer.say(window_update(1, 10));
  EXPECT_EQ(body_bytes(peer, 1), http2::kFirstWindow + 10u);
  peer.say(settings_frame(setting_text(kInitialWindow, 1'000'000)));
  EXPECT_EQ(body_bytes(peer, 1), 200'000u);
}

TEST(Http2Flow, WindowsMayNotGrowTooLarge) {
  RawPeer stream(1, make_request("POST", std::string(200'000, 'b')));
  stream.say(window_update(1, INT32_MAX));
  EXPECT_EQ(stream.record.seen[0].failure, std::nullopt) << "the window was closed: this is the most";
  stream.say(window_update(1, 1));
  EXPECT_EQ(stream.record.seen[0].failure, Outcome::kProtocol);
  EXPECT_EQ(stream.reset_code(), static_cast<std::uint32_t>(ErrorCode::kFlowControlError));
  EXPECT_TRUE(stream.session.usable());

  RawPeer settings(1, make_request("POST", std::string(200'000, 'b')));
  settings.say(window_update(1, 10) + settings_frame(setting_text(kInitialWindow, INT32_MAX)));
  EXPECT_EQ(settings.record.overs, 0) << "bytes that were sent leave room";
  settings.say(window_update(1, http2::kFirstWindow) + settings_frame(setting_text(kInitialWindow, INT32_MAX)));
  EXPECT_TRUE(settings.record.seen[0].failure.has_value());
}

TEST(Http2Flow, AHeadLargerThanAFrameIsContinued) {
  PreparedRequest request = make_request();
  request.h2.push_back({"x-long", std::string(40'000, 'l')});
  RawPeer peer(1, request, false);
  const auto heads = peer.sent(FrameType::kHeaders);
  ASSERT_EQ(heads.size(), 1u);
  EXPECT_FALSE(heads[0].head.has(http2::kFlagEndHeaders));
  EXPECT_TRUE(heads[0].head.has(http2::kFlagEndStream));
  const auto more = peer.sent(FrameType::kContinuation);
  ASSERT_EQ(more.size(), 2u);
  EXPECT_FALSE(more[0].head.has(http2::kFlagEndHeaders));
  EXPECT_TRUE(more[1].head.has(http2::kFlagEndHeaders));
  for (const SentFrame& frame : peer.sent()) EXPECT_LE(frame.payload.size(), http2::kFrameBytesMax);
  SessionPair pair;
  pair.session.send_request(0, request);
  pair.session.flush();
  pair.run();
  EXPECT_EQ(pair.server.request(1).fields.at("x-long").size(), 40'000u);
}

TEST(Http2Flow, ALargerFrameSizeIsUsedForHeadsAndNotForBodies) {
  PreparedRequest request = make_request("POST", std::string(60'000, 'b'));
  request.h2.push_back({"x-long", std::string(40'000, 'l')});
  RawPeer peer(0);
  peer.say(settings_frame(setting_text(kFrameSize, 100'000)));
  peer.session.send_request(0, request);
  peer.session.flush();
  EXPECT_TRUE(peer.sent(FrameType::kContinuation).empty());
  EXPECT_EQ(body_bytes(peer, 1), 60'000u);
}

// 3 GiB through windows of 1 GiB: both are opened again before they run dry.
TEST(Http2Flow, AnAnswerLargerThanTheWindowsArrives) {
  PreparedRequest request = make_request();
  request.wants_body = false;
  RawPeer peer(1, request);
  peer.say(head_frame(1, kStatus200));
  const std::string frame = data_frame(1, std::string(http2::kFrameBytesMax, 'd'));
  std::int64_t stream_window = kHttp2WindowBytes;
  std::int64_t connection_window = kHttp2WindowBytes;
  const std::int64_t frames = (std::int64_t{3} << 30) / http2::kFrameBytesMax;
  for (std::int64_t i = 0; i < frames; ++i) {
    stream_window -= http2::kFrameBytesMax;
    connection_window -= http2::kFrameBytesMax;
    ASSERT_GE(std::min(stream_window, connection_window), 0);
    peer.transport.out.clear();
    peer.say(frame);
    if (peer.transport.out.empty()) continue;
    ByteView out(peer.transport.out);
    for (; !out.empty(); out = out.subspan(http2::kFrameHeadBytes + 4)) {
      const auto head = http2::read_frame_head(out.data());
      ASSERT_EQ(head.type, FrameType::kWindowUpdate);
      (head.stream_id == 0 ? connection_window : stream_window) += http2::read_u31(out.data() + http2::kFrameHeadBytes);
    }
    ASSERT_LE(std::max(stream_window, connection_window), std::int64_t{http2::kLargestWindow});
  }
  peer.say(last_data_frame(1, ""));
  EXPECT_EQ(peer.record.seen[0].completed, 1);
  EXPECT_GT(peer.record.seen[0].bytes, std::uint64_t{3} << 30);
}

TEST(Http2Flow, NoStreamsAllowedMeansWaiting) {
  RawPeer peer(0);
  const PreparedRequest request = make_request();
  peer.session.send_request(0, request);
  peer.session.send_request(1, request);
  peer.say(settings_frame(setting_text(kStreamsMax, 0)));
  EXPECT_TRUE(peer.sent(FrameType::kHeaders).empty());
  EXPECT_EQ(peer.session.capacity(), 0u);
  peer.say(settings_frame(setting_text(kStreamsMax, 1)));
  EXPECT_EQ(peer.sent(FrameType::kHeaders).size(), 1u);
  peer.say(last_head_frame(1, kStatus200));
  EXPECT_EQ(peer.sent(FrameType::kHeaders).size(), 2u);
  peer.session.abandon(1);
  EXPECT_EQ(peer.session.in_flight(), 0u);
}

TEST(Http2Flow, RequestsThatWaitAreGivenBackByGoAway) {
  RawPeer peer(0);
  const PreparedRequest request = make_request();
  peer.session.send_request(0, request);
  peer.say(settings_frame(setting_text(kStreamsMax, 0)) +
           raw_frame(FrameType::kGoAway, 0, 0, u32_text(INT32_MAX) + u32_text(0)));
  EXPECT_EQ(peer.record.seen[0].unprocessed, 1);
  EXPECT_EQ(peer.record.overs, 1);
  EXPECT_TRUE(peer.sent(FrameType::kHeaders).empty());
}

TEST(Http2Flow, TheTableOfThePeerIsObeyed) {
  for (const std::uint32_t size : {0u, 50u, 200u, 100'000u}) {
    SessionPair pair({.streams_max = 10}, {{NGHTTP2_SETTINGS_HEADER_TABLE_SIZE, size}});
    const PreparedRequest request = make_request();
    pair.session.flush();
    pair.run();
    for (std::uint32_t slot = 0; slot < 5; ++slot) pair.session.send_request(slot, request);
    pair.session.flush();
    pair.run();
    ASSERT_EQ(pair.server.request_count(), 5u) << size;
    for (std::int32_t id = 1; id <= 9; id += 2) EXPECT_EQ(pair.server.request(id).fields.at("user-agent"), "test");
  }
  RawPeer peer(1);
  peer.say(settings_frame(setting_text(kHeaderTableSize, 0)));
  const PreparedRequest request = make_request();
  peer.session.send_request(7, request);
  peer.session.flush();
  EXPECT_EQ(peer.sent(FrameType::kHeaders).back().payload[0], '\x20') << "the size that is used from now on";
}

TEST(Http2Flood, QuestionsAreAnsweredUpToALimit) {
  const std::string ping = raw_frame(FrameType::kPing, 0, 0, "01234567");
  for (const std::string& question : {ping, settings_frame()}) {
    RawPeer peer;
    peer.transport.busy = true;
    std::string many;
    for (std::uint32_t i = 0; i < kHttp2AcksMax; ++i) many += question;
    peer.say(question);  // held by the transport
    peer.say(many);
    EXPECT_EQ(peer.record.overs, 0);
    peer.say(question);
    EXPECT_EQ(peer.record.overs, 1);
    EXPECT_THAT(peer.record.seen[0].detail, HasSubstr("ENHANCE_YOUR_CALM"));
  }
}

TEST(Http2Flood, AnsweredQuestionsDoNotCount) {
  RawPeer peer;
  const std::string ping = raw_frame(FrameType::kPing, 0, 0, "01234567");
  for (std::uint32_t i = 0; i < 3 * kHttp2AcksMax; ++i) peer.say(ping);
  EXPECT_EQ(peer.sent(FrameType::kPing).size(), 3u * kHttp2AcksMax);
  EXPECT_EQ(peer.record.overs, 0);
}

TEST(Http2Flood, AHeadThatDoesNotEndIsCutOff) {
  const auto continuation = [](std::size_t bytes) {
    return raw_frame(FrameType::kContinuation, 0, 1, std::string(bytes, '\x88'));
  };
  RawPeer many;
  many.say(head_frame(1, kStatus200, 0));
  for (std::uint32_t i = 0; i < kHttp2EmptyFramesMax; ++i) many.say(continuation(0));
  EXPECT_EQ(many.record.overs, 0);
  many.say(continuation(0));
  EXPECT_EQ(many.goaway_code(), static_cast<std::uint32_t>(ErrorCode::kEnhanceYourCalm));
  RawPeer large;
  large.say(head_frame(1, kStatus200, 0));
  for (int i = 0; i < 4; ++i) large.say(continuation(http2::kFrameBytesMax));
  EXPECT_EQ(large.goaway_code(), static_cast<std::uint32_t>(ErrorCode::kEnhanceYourCalm));
}

// A field of 4 KB in the table, named by one byte, thousands of times.
TEST(Http2Flood, FieldsThatUnpackToTooMuchAreCutOff) {
  RawPeer peer(2);
  std::string block = kStatus200 +
                      "\x40\x01"
                      "k\x7f\xa1\x1e" +
                      std::string(4000, 'v');
  peer.say(head_frame(1, block));
  EXPECT_EQ(peer.record.seen[0].heads, 1);
  peer.say(last_head_frame(3, kStatus200 + std::string(10'000, '\xbe')));
  EXPECT_EQ(peer.goaway_code(), static_cast<std::uint32_t>(ErrorCode::kEnhanceYourCalm));
  EXPECT_EQ(peer.record.overs, 1);
}

TEST(Http2Flood, AFrameAboveTheLimitIsNotRead) {
  RawPeer peer;
  peer.say(std::string("\x00\x40\x01\x01\x04\x00\x00\x00\x01", 9));
  EXPECT_EQ(peer.goaway_code(), static_cast<std::uint32_t>(ErrorCode::kFrameSizeError));
  RawPeer largest;
  largest.say(head_frame(1, kStatus200) + last_data_frame(1, std::string(http2::kFrameBytesMax, 'x')));
  EXPECT_EQ(largest.record.seen[0].completed, 1);
}

}  // namespace
}  // namespace hyperscale::load
