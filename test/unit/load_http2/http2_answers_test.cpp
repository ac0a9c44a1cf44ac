// What an answer may be (RFC 9113, section 8): a malformed one costs its stream and no more.
#include "raw_peer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hyperscale::load {
namespace {

using http2::ErrorCode;
using results::Outcome;

const std::string kStatus100 = literal(":status", "100");

std::vector<std::pair<const char*, std::string>> malformed_answers() {
  const std::string length5 = kStatus200 + literal("content-length", "5");
  return {
      {"no :status", last_head_frame(1, literal("a", "b"))},
      {"no field at all", last_head_frame(1, "")},
      {"two :status", last_head_frame(1, kStatus200 + kStatus200)},
      {":status behind a field", last_head_frame(1, literal("a", "b") + kStatus200)},
      {":status of two digits", last_head_frame(1, literal(":status", "20"))},
      {":status of four digits", last_head_frame(1, literal(":status", "2000"))},
      {":status of letters", last_head_frame(1, literal(":status", "2x0"))},
      {":status 099", last_head_frame(1, literal(":status", "099"))},
      {":status 101", last_head_frame(1, literal(":status", "101"))},
      {"a pseudo field of requests", last_head_frame(1, kStatus200 + literal(":path", "/"))},
      {"a name in capitals", last_head_frame(1, kStatus200 + literal("Server", "x"))},
      {"a name with a blank", last_head_frame(1, kStatus200 + literal("a b", "x"))},
      {"an empty name", last_head_frame(1, kStatus200 + literal("", "x"))},
      {"a colon alone", last_head_frame(1, kStatus200 + literal(":", "x"))},
      {"a value with NUL", last_head_frame(1, kStatus200 + literal("a", std::string("x\0y", 3)))},
      {"a value with a line break", last_head_frame(1, kStatus200 + literal("a", "x\r\ny: z"))},
      {"connection", last_head_frame(1, kStatus200 + literal("connection", "close"))},
      {"keep-alive", last_head_frame(1, kStatus200 + literal("keep-alive", "1"))},
      {"proxy-connection", last_head_frame(1, kStatus200 + literal("proxy-connection", "close"))},
      {"transfer-encoding", last_head_frame(1, kStatus200 + literal("transfer-encoding", "chunked"))},
      {"upgrade", last_head_frame(1, kStatus200 + literal("upgrade", "h3"))},
      {"te", last_head_frame(1, kStatus200 + literal("te", "gzip"))},
      {"a length of letters", last_head_frame(1, kStatus200 + literal("content-length", "x"))},
      {"a negative length", last_head_frame(1, kStatus200 + literal("content-length", "-1"))},
      {"an empty length", last_head_frame(1, kStatus200 + literal("content-length", ""))},
      {"a length beyond 63 bits", last_head_frame(1, kStatus200 + literal("content-length", "9223372036854775808"))},
      {"two lengths", last_head_frame(1, kStatus200 + literal("content-length", "0") + literal("content-length", "0"))},
      {"a length in 103", head_frame(1, literal(":status", "103") + literal("content-length", "0"))},
      {"a length in 204", last_head_frame(1, literal(":status", "204") + literal("content-length", "1"))},
      {"less body than its length", head_frame(1, length5) + last_data_frame(1, "1234")},
      {"more body than its length", head_frame(1, length5) + data_frame(1, "123456")},
      {"a length and no body", last_head_frame(1, length5)},
      {"a length and trailers only", head_frame(1, length5) + last_head_frame(1, literal("a", "b"))},
      {"a body in 204", head_frame(1, literal(":status", "204")) + data_frame(1, "x")},
      {"a body in 304", head_frame(1, literal(":status", "304")) + data_frame(1, "x")},
      {"an end behind 100", last_head_frame(1, kStatus100)},
      {"a body behind 100", head_frame(1, kStatus100) + data_frame(1, "x")},
      {"an empty end behind 100", head_frame(1, kStatus100) + last_data_frame(1, "")},
      {"trailers that do not end", head_frame(1, kStatus200) + head_frame(1, literal("a", "b"))},
      {"a second head", head_frame(1, kStatus200) + last_head_frame(1, kStatus200)},
      {"trailers with connection", head_frame(1, kStatus200) + last_head_frame(1, literal("connection", "x"))},
      {"an increment by 0", raw_frame(FrameType::kWindowUpdate, 0, 1, u32_text(0))},
  };
}

TEST(Http2Answers, AMalformedOneFailsAloneAndIsReset) {
  for (const auto& [what, bytes] : malformed_answers()) {
    for (const bool bytewise : {false, true}) {
      RawPeer peer(2);
      if (bytewise) {
        peer.say_bytewise(bytes);
      } else {
        peer.say(bytes);
      }
      EXPECT_EQ(peer.record.seen[0].failure, Outcome::kProtocol) << what;
      EXPECT_FALSE(peer.record.seen[0].detail.empty()) << what;
      EXPECT_EQ(peer.reset_code(), static_cast<std::uint32_t>(ErrorCode::kProtocolError)) << what;
      peer.say(last_head_frame(3, kStatus200));
      EXPECT_EQ(peer.record.seen[1].completed, 1) << what;
      EXPECT_TRUE(peer.session.usable()) << what;
    }
  }
}

TEST(Http2Answers, OddOnesThatAreFine) {
  const std::vector<std::pair<const char*, std::string>> fine = {
      {"te: trailers", last_head_frame(1, kStatus200 + literal("te", "Trailers"))},
      {"white space around a value", last_head_frame(1, kStatus200 + literal("a", " b\t"))},
      {"bytes above 0x7f in a value", last_head_frame(1, kStatus200 + literal("a", "\xc3\xa9"))},
      {"a length of 0 in 204", last_head_frame(1, literal(":status", "204") + literal("content-length", "0"))},
      {"a length in 304", last_head_frame(1, literal(":status", "304") + literal("content-length", "12"))},
      {"a length in pieces of body",
       head_frame(1, kStatus200 + literal("content-length", "5")) + data_frame(1, "123") + last_data_frame(1, "45")},
      {"several informational heads", head_frame(1, kStatus100) +
                                          head_frame(1, literal(":status", "103") + literal("link", "x")) +
                                          last_head_frame(1, kStatus200)},
      {"empty DATA before the end", head_frame(1, kStatus200) + data_frame(1, "") + last_data_frame(1, "")},
      {"trailers", head_frame(1, kStatus200) + data_frame(1, "x") + last_head_frame(1, literal("sum", "1"))},
      {"a status that nobody knows", last_head_frame(1, literal(":status", "999"))},
  };
  for (const auto& [what, bytes] : fine) {
    RawPeer peer;
    peer.say(bytes);
    EXPECT_EQ(peer.record.seen[0].completed, 1) << what << ": " << peer.record.seen[0].detail;
    EXPECT_EQ(peer.record.seen[0].heads, 1) << what;
  }
}

TEST(Http2Answers, AnAnswerToHeadMayNameALengthButHasNoBody) {
  RawPeer peer(2, make_request("HEAD"));
  peer.say(last_head_frame(1, kStatus200 + literal("content-length", "500")));
  EXPECT_EQ(peer.record.seen[0].completed, 1);
  peer.say(head_frame(3, kStatus200 + literal("content-length", "500")) + data_frame(3, "x"));
  EXPECT_EQ(peer.record.seen[1].failure, Outcome::kProtocol);
}

// A callback may give its own exchange up, or the whole session, at any moment of an answer.
class Impatient final : public SessionEvents {
 public:
  std::function<void()> at_first_byte, at_header, at_head, at_body;
  int ends = 0;
  bool gave_up = false;

 private:
  void call(const std::function<void()>& what) {
    EXPECT_FALSE(gave_up) << "told after it was over";
    if (!what) return;
    gave_up = true;
    what();
  }
  void on_first_byte(std::uint32_t) override { call(at_first_byte); }
  void on_header(std::uint32_t, std::string_view, std::string_view) override { call(at_header); }
  void on_head(std::uint32_t, const ResponseHead&) override { call(at_head); }
  void on_body(std::uint32_t, ByteView) override { call(at_body); }
  void on_response_complete(std::uint32_t, const ByteCounts&) override { ++ends; }
  void on_response_failed(std::uint32_t, Outcome, std::string_view, const ByteCounts&) override { ++ends; }
  void on_unprocessed(std::uint32_t, const ByteCounts&) override { ++ends; }
  void on_session_over() override { ++ends; }
};

TEST(Http2Answers, ACallbackMayAbandonOrSilence) {
  const PreparedRequest request = make_request();
  for (int moment = 0; moment < 4; ++moment) {
    for (const bool silences : {false, true}) {
      FreeListMemory memory;
      QueueTransport transport;
      Impatient events;
      Http2Session session(transport, events, memory, {.streams_max = 2});
      session.send_request(0, request);
      session.flush();
      const auto give_up = [&] {
        if (silences) return session.silence();
        session.abandon(0);
        if (session.in_flight() == 0) session.send_request(1, request);  // takes the same record
      };
      (moment == 0   ? events.at_first_byte
       : moment == 1 ? events.at_header
       : moment == 2 ? events.at_head
                     : events.at_body) = give_up;
      session.on_bytes(as_bytes(settings_frame() + head_frame(1, kStatus200 + literal("a", "b")) +
                                last_data_frame(1, "body") + last_head_frame(1, kStatus200)));
      EXPECT_EQ(events.ends, 0) << moment;
      if (!silences) {
        EXPECT_EQ(session.in_flight(), 1u) << moment;
      }
    }
  }
}

}  // namespace
}  // namespace hyperscale::load
