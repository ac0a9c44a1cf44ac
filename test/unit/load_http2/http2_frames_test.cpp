// What a peer may send and what it may not, frame by frame (RFC 9113, section 6).
#include "raw_peer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hyperscale::load {
namespace {

using http2::ErrorCode;
using results::Outcome;
using testing::HasSubstr;

constexpr std::uint8_t kPadded = http2::kFlagPadded;

struct Violation {
  const char* what;
  std::string bytes;
  ErrorCode code;
};

std::vector<Violation> connection_errors() {
  const auto protocol = ErrorCode::kProtocolError;
  const auto size = ErrorCode::kFrameSizeError;
  const auto flow = ErrorCode::kFlowControlError;
  const std::string open = head_frame(1, kStatus200);
  return {
      {"DATA on stream 0", data_frame(0, "x"), protocol},
      {"DATA on an idle stream", data_frame(9, "x"), protocol},
      {"DATA on an even stream", data_frame(2, "x"), protocol},
      {"DATA before the head", data_frame(1, "x"), protocol},
      {"DATA that is all padding and more", open + data_frame(1, "\x05hi", kPadded), protocol},
      {"padded DATA without bytes", open + data_frame(1, "", kPadded), size},
      {"HEADERS on stream 0", head_frame(0, kStatus200), protocol},
      {"HEADERS on an idle stream", head_frame(11, kStatus200), protocol},
      {"HEADERS on an even stream", head_frame(2, kStatus200), protocol},
      {"HEADERS with too much padding", head_frame(1, "\x09\x88", kPadded | http2::kFlagEndHeaders), protocol},
      {"padded HEADERS without bytes", head_frame(1, "", kPadded | http2::kFlagEndHeaders), size},
      {"HEADERS without its priority", head_frame(1, "\x88", http2::kFlagPriority | http2::kFlagEndHeaders), size},
      {"a block that is no HPACK", head_frame(1, "\xff\xff\xff\xff\xff\xff"), ErrorCode::kCompressionError},
      {"an index beyond the table", head_frame(1, "\xff\x20"), ErrorCode::kCompressionError},
      {"CONTINUATION of nothing", raw_frame(FrameType::kContinuation, 4, 1, "\x88"), protocol},
      {"a block that another frame interrupts",
       head_frame(1, "\x88", 0) + raw_frame(FrameType::kPing, 0, 0, "01234567"), protocol},
      {"a block that an unknown frame interrupts",
       head_frame(1, "\x88", 0) + raw_frame(static_cast<FrameType>(0x50), 0, 1, "x"), protocol},
      {"CONTINUATION of another stream", head_frame(1, "\x88", 0) + raw_frame(FrameType::kContinuation, 4, 3, ""),
       protocol},
      {"PRIORITY on stream 0", raw_frame(FrameType::kPriority, 0, 0, "12345"), protocol},
      {"PRIORITY of four bytes", raw_frame(FrameType::kPriority, 0, 1, "1234"), size},
      {"RST_STREAM on stream 0", raw_frame(FrameType::kRstStream, 0, 0, u32_text(8)), protocol},
      {"RST_STREAM on an idle stream", raw_frame(FrameType::kRstStream, 0, 9, u32_text(8)), protocol},
      {"RST_STREAM of three bytes", raw_frame(FrameType::kRstStream, 0, 1, "123"), size},
      {"SETTINGS on a stream", raw_frame(FrameType::kSettings, 0, 1, ""), protocol},
      {"SETTINGS of seven bytes", settings_frame("1234567"), size},
      {"an ACK of SETTINGS with bytes", raw_frame(FrameType::kSettings, 1, 0, setting_text(3, 1)), size},
      {"two ACKs of one SETTINGS",
       raw_frame(FrameType::kSettings, 1, 0, "") + raw_frame(FrameType::kSettings, 1, 0, ""), protocol},
      {"a server that allows push", settings_frame(setting_text(2, 1)), protocol},
      {"a window beyond 31 bits", settings_frame(setting_text(4, 1u << 31)), flow},
      {"a frame size below the least", settings_frame(setting_text(5, 16383)), protocol},
      {"a frame size above the most", settings_frame(setting_text(5, 1u << 24)), protocol},
      {"PUSH_PROMISE", raw_frame(FrameType::kPushPromise, 4, 1, u32_text(2) + "\x82"), protocol},
      {"PING on a stream", raw_frame(FrameType::kPing, 0, 1, "01234567"), protocol},
      {"PING of seven bytes", raw_frame(FrameType::kPing, 0, 0, "0123456"), size},
      {"GOAWAY on a stream", raw_frame(FrameType::kGoAway, 0, 1, u32_text(0) + u32_text(0)), protocol},
      {"GOAWAY of seven bytes", raw_frame(FrameType::kGoAway, 0, 0, "0123456"), size},
      {"GOAWAY with a stream of the server", raw_frame(FrameType::kGoAway, 0, 0, u32_text(2) + u32_text(0)), protocol},
      {"WINDOW_UPDATE of three bytes", raw_frame(FrameType::kWindowUpdate, 0, 0, "123"), size},
      {"WINDOW_UPDATE by 0", raw_frame(FrameType::kWindowUpdate, 0, 0, u32_text(0)), protocol},
      {"WINDOW_UPDATE on an idle stream", raw_frame(FrameType::kWindowUpdate, 0, 9, u32_text(1)), protocol},
      {"WINDOW_UPDATE beyond the most", raw_frame(FrameType::kWindowUpdate, 0, 0, u32_text(INT32_MAX)), flow},
  };
}

TEST(Http2Frames, WhatBreaksTheConnectionEndsItWithAReason) {
  for (const Violation& violation : connection_errors()) {
    for (const bool bytewise : {false, true}) {
      RawPeer peer(2);
      if (bytewise) {
        peer.say_bytewise(violation.bytes);
      } else {
        peer.say(violation.bytes);
      }
      EXPECT_EQ(peer.record.overs, 1) << violation.what;
      EXPECT_EQ(peer.goaway_code(), static_cast<std::uint32_t>(violation.code)) << violation.what;
      for (std::uint32_t slot = 0; slot < 2; ++slot)
        EXPECT_EQ(peer.record.seen[slot].failure, Outcome::kProtocol) << violation.what;
      EXPECT_THAT(peer.record.seen[0].detail, HasSubstr(http2::error_name(static_cast<std::uint32_t>(violation.code))))
          << violation.what;
    }
  }
}

TEST(Http2Frames, TheFirstFrameIsSettings) {
  for (const std::string& first :
       {raw_frame(FrameType::kPing, 0, 0, "01234567"), raw_frame(FrameType::kSettings, http2::kFlagAck, 0, ""),
        head_frame(1, kStatus200)}) {
    RawPeer peer(1, make_request(), false);
    peer.say(first);
    EXPECT_EQ(peer.record.overs, 1);
    EXPECT_THAT(peer.record.seen[0].detail, HasSubstr("SETTINGS"));
  }
}

// What follows is legal if odd, and the answer behind it arrives.
TEST(Http2Frames, WhatIsToleratedChangesNothing) {
  const std::vector<std::pair<const char*, std::string>> odd = {
      {"a type that nobody knows", raw_frame(static_cast<FrameType>(0xfa), 0xff, 1, std::string(5000, 'u'))},
      {"a type that nobody knows, on an idle stream", raw_frame(static_cast<FrameType>(0x0b), 0, 99, "")},
      {"PRIORITY on any stream", raw_frame(FrameType::kPriority, 0, 7, std::string("\0\0\0\0\x10", 5))},
      {"settings that nobody knows", settings_frame(setting_text(0x99, 7) + setting_text(8, 1))},
      {"an ACK of PING", raw_frame(FrameType::kPing, http2::kFlagAck, 0, "01234567")},
      {"an ACK of our SETTINGS", raw_frame(FrameType::kSettings, http2::kFlagAck, 0, "")},
      {"WINDOW_UPDATE", raw_frame(FrameType::kWindowUpdate, 0, 1, u32_text(5))},
      {"the reserved bit of a stream number", raw_frame(FrameType::kWindowUpdate, 0, 0x80000001, u32_text(5))},
  };
  for (const auto& [what, bytes] : odd) {
    for (const bool bytewise : {false, true}) {
      RawPeer peer;
      const std::string all = bytes + head_frame(1, kStatus200) + last_data_frame(1, "body");
      if (bytewise) {
        peer.say_bytewise(all);
      } else {
        peer.say(all);
      }
      EXPECT_EQ(peer.record.seen[0].completed, 1) << what;
      EXPECT_EQ(peer.record.seen[0].body, "body") << what;
      EXPECT_TRUE(peer.session.usable()) << what;
    }
  }
}

TEST(Http2Frames, PaddingIsNotBody) {
  const std::string padded_head = head_frame(1, std::string("\x03\0\0\0\0\x07\x88", 7) + "abc",
                                             kPadded | http2::kFlagPriority | http2::kFlagEndHeaders);
  const std::string padded_body = data_frame(1, std::string("\x04") + "hello" + std::string(4, '\0'), kPadded);
  const std::string all_padding = data_frame(1, std::string("\x02\0\0", 3), kPadded | http2::kFlagEndStream);
  for (const bool bytewise : {false, true}) {
    RawPeer peer;
    const std::string all = padded_head + padded_body + all_padding;
    if (bytewise) {
      peer.say_bytewise(all);
    } else {
      peer.say(all);
    }
    EXPECT_EQ(peer.record.seen[0].completed, 1);
    EXPECT_EQ(peer.record.seen[0].body, "hello");
    EXPECT_EQ(peer.record.seen[0].bytes, all.size());
  }
}

TEST(Http2Frames, AHeadInPiecesIsOneHead) {
  RawPeer peer;
  peer.say(head_frame(1, kStatus200, http2::kFlagEndStream));
  EXPECT_EQ(peer.record.seen[0].heads, 0);
  peer.say(raw_frame(FrameType::kContinuation, 0, 1, literal("a", "b").substr(0, 3)));
  peer.say(raw_frame(FrameType::kContinuation, 0, 1, ""));
  peer.say_bytewise(raw_frame(FrameType::kContinuation, http2::kFlagEndHeaders, 1, literal("a", "b").substr(3)));
  EXPECT_EQ(peer.record.seen[0].completed, 1);
  EXPECT_THAT(peer.record.seen[0].fields, testing::ElementsAre(testing::Pair("a", "b")));
}

TEST(Http2Frames, LateFramesAreDroppedButKeepHpackInStep) {
  RawPeer peer(3);
  peer.session.abandon(0);
  EXPECT_EQ(peer.reset_code(), static_cast<std::uint32_t>(ErrorCode::kCancel));
  const std::string added =
      "\x88\x40\x01"
      "k\x01"
      "v";  // into the table
  peer.say(head_frame(1, added) + data_frame(1, "late") + raw_frame(FrameType::kWindowUpdate, 0, 1, u32_text(9)) +
           raw_frame(FrameType::kRstStream, 0, 1, u32_text(0)));
  peer.say(last_head_frame(3, "\x88\xbe"));  // out of it
  EXPECT_EQ(peer.record.seen[1].completed, 1);
  EXPECT_THAT(peer.record.seen[1].fields, testing::ElementsAre(testing::Pair("k", "v")));
  peer.say(data_frame(3, "after the end") + last_head_frame(3, kStatus200));
  peer.say(last_head_frame(5, kStatus200));
  EXPECT_EQ(peer.record.seen[2].completed, 1);
  EXPECT_FALSE(peer.record.seen.contains(0));
  EXPECT_TRUE(peer.session.usable());
}

TEST(Http2Frames, PingsAreAnsweredWithTheirBytes) {
  RawPeer peer;
  peer.say(raw_frame(FrameType::kPing, 0, 0, "abcdefgh"));
  const auto pings = peer.sent(FrameType::kPing);
  ASSERT_EQ(pings.size(), 1u);
  EXPECT_EQ(pings[0].payload, "abcdefgh");
  EXPECT_TRUE(pings[0].head.has(http2::kFlagAck));
}

TEST(Http2Frames, GoAwayMayNotTakeBackWhatItRefused) {
  RawPeer peer(3);
  peer.say(raw_frame(FrameType::kGoAway, 0, 0, u32_text(INT32_MAX) + u32_text(0)));
  EXPECT_EQ(peer.session.in_flight(), 3u);
  EXPECT_FALSE(peer.session.usable());
  peer.say(raw_frame(FrameType::kGoAway, 0, 0, u32_text(3) + u32_text(0) + "bye"));
  EXPECT_EQ(peer.record.seen[2].unprocessed, 1);
  peer.say(raw_frame(FrameType::kGoAway, 0, 0, u32_text(5) + u32_text(0)));
  EXPECT_EQ(peer.record.seen[0].failure, Outcome::kProtocol);
  EXPECT_EQ(peer.record.overs, 1);
}

}  // namespace
}  // namespace hyperscale::load
