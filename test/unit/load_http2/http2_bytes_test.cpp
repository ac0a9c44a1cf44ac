// What counts as sent and received: frames of a request as far as they were written, frames of the connection apart.
#include "raw_peer.h"

#include <gtest/gtest.h>

namespace hyperscale::load {
namespace {

std::uint64_t frame_bytes(const std::vector<SentFrame>& frames) {
  std::uint64_t bytes = 0;
  for (const SentFrame& frame : frames) bytes += http2::kFrameHeadBytes + frame.payload.size();
  return bytes;
}

TEST(Http2Bytes, ARequestCountsItsFramesAsWritten) {
  RawPeer peer(2);
  const auto heads = peer.sent(FrameType::kHeaders);
  ASSERT_EQ(heads.size(), 2u);
  const std::string answer = head_frame(1, kStatus200) + last_data_frame(1, "hello");
  peer.say(answer + last_head_frame(3, kStatus200));
  EXPECT_EQ(peer.record.seen[0].bytes_sent, http2::kFrameHeadBytes + heads[0].payload.size());
  EXPECT_EQ(peer.record.seen[1].bytes_sent, http2::kFrameHeadBytes + heads[1].payload.size());
  EXPECT_LT(peer.record.seen[1].bytes_sent, peer.record.seen[0].bytes_sent) << "fields are in the table by now";
  EXPECT_EQ(peer.record.seen[0].bytes, answer.size());
}

TEST(Http2Bytes, EveryByteIsOfARequestOrOfTheConnection) {
  RawPeer peer(1, make_request("POST", std::string(40'000, 'b')));
  std::uint64_t said = settings_frame().size();
  for (const std::string& bytes :
       {raw_frame(FrameType::kPing, 0, 0, "01234567"), raw_frame(FrameType::kWindowUpdate, 0, 0, u32_text(9)),
        head_frame(1, kStatus200), last_data_frame(1, "body"), data_frame(1, "late")}) {
    said += bytes.size();
    peer.say(bytes);
  }
  EXPECT_EQ(peer.session.bytes(), (ByteCounts{.sent = peer.transport.out.size(), .received = said}));
  const std::uint64_t request = frame_bytes(peer.sent(FrameType::kHeaders)) + frame_bytes(peer.sent(FrameType::kData));
  EXPECT_EQ(peer.record.seen[0].bytes_sent, request);
  const std::uint64_t others = http2::kPreface.size() + frame_bytes(peer.sent(FrameType::kSettings)) +
                               frame_bytes(peer.sent(FrameType::kPing)) +
                               frame_bytes(peer.sent(FrameType::kWindowUpdate));
  EXPECT_EQ(peer.session.bytes().sent - request, others);
}

TEST(Http2Bytes, ACutUploadCountsWhatWasWritten) {
  SessionPair pair;
  const PreparedRequest upload = make_request("POST", std::string(1'000'000, 'u'));
  pair.session.send_request(0, upload);
  pair.session.flush();
  const std::uint64_t written = pair.transport.out.size();
  EXPECT_EQ(pair.session.bytes(), (ByteCounts{.sent = written, .received = 0}));
  EXPECT_LT(written, 70'000u) << "the window is 64 KiB";
  pair.session.on_end();
  EXPECT_EQ(pair.record.seen[0].failure, results::Outcome::kClosed);
  const std::uint64_t preface = http2::kPreface.size() + 9 + 12 + 13;
  EXPECT_EQ(pair.record.seen[0].bytes_sent, written - preface);
}

TEST(Http2Bytes, ARequestThatWasNotWrittenCountsNothing) {
  SessionPair pair;
  const PreparedRequest request = make_request();
  pair.transport.busy = true;
  pair.session.send_request(0, request);
  pair.session.flush();
  pair.session.send_request(1, request);
  pair.session.flush();
  EXPECT_EQ(pair.session.bytes_of(0), ByteCounts());
  EXPECT_EQ(pair.session.bytes_of(1), ByteCounts());
  EXPECT_EQ(pair.session.bytes(), ByteCounts());
  pair.session.on_broken(results::Outcome::kReset, "gone");
  EXPECT_EQ(pair.record.seen[0].bytes_sent, 0u);
  EXPECT_EQ(pair.record.seen[1].bytes_sent, 0u);
}

TEST(Http2Bytes, OfASendThatStoppedThePartBeforeCounts) {
  SessionPair pair;
  const PreparedRequest request = make_request();
  pair.transport.busy = true;
  for (std::uint32_t slot = 0; slot < 3; ++slot) pair.session.send_request(slot, request);
  pair.session.flush();
  const std::size_t second = 9 + http2::read_frame_head(pair.transport.held.data() + 58 + 9 +
                                                        http2::read_frame_head(pair.transport.held.data() + 58).length)
                                     .length;
  pair.transport.unsent_tail = second + 4;  // the third request and four bytes of the second
  EXPECT_EQ(pair.session.bytes_of(2).sent, 0u);
  EXPECT_EQ(pair.session.bytes_of(1).sent, second - 4);
  EXPECT_EQ(pair.session.bytes().sent, pair.transport.held.size() - second - 4);
  pair.session.on_broken(results::Outcome::kReset, "gone");
  EXPECT_EQ(pair.record.seen[0].bytes_sent, pair.transport.held.size() - 58 - 2 * second);
  EXPECT_EQ(pair.record.seen[1].bytes_sent, second - 4);
  EXPECT_EQ(pair.record.seen[2].bytes_sent, 0u);
}

TEST(Http2Bytes, AnAbandonedRequestCountsWhatWasWritten) {
  RawPeer peer(1, make_request("POST", std::string(500'000, 'u')));
  const std::uint64_t written = frame_bytes(peer.sent(FrameType::kHeaders)) + frame_bytes(peer.sent(FrameType::kData));
  EXPECT_EQ(peer.session.bytes_of(0).sent, written);
  peer.session.abandon(0);
  EXPECT_EQ(peer.session.bytes_of(0), ByteCounts());
  EXPECT_EQ(peer.session.bytes().sent, peer.transport.out.size());
}

}  // namespace
}  // namespace hyperscale::load
