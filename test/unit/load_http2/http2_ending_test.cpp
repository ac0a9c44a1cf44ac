#include "session_pair.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hyperscale::load {
namespace {

using results::Outcome;
using testing::HasSubstr;

struct Started : SessionPair {
  explicit Started(std::uint32_t requests, Http2Options options = {.streams_max = 100}) : SessionPair(options) {
    for (std::uint32_t slot = 0; slot < requests; ++slot) session.send_request(slot, request);
    session.flush();
    run();
  }
  const PreparedRequest request = make_request();
};

TEST(Http2Ending, AResetFailsOneExchangeWithItsReason) {
  Started pair(3);
  pair.server.reset(3, NGHTTP2_ENHANCE_YOUR_CALM);
  pair.run();
  EXPECT_EQ(pair.record.seen[1].failure, Outcome::kReset);
  EXPECT_EQ(pair.record.seen[1].detail, "the server reset the stream: ENHANCE_YOUR_CALM");
  EXPECT_EQ(pair.session.in_flight(), 2u);
  EXPECT_TRUE(pair.session.usable());
  pair.server.answer(1, {});
  pair.server.answer(5, {});
  pair.run();
  EXPECT_EQ(pair.record.completed, 2);
}

TEST(Http2Ending, ResetInBodyFailsEvenWithNoErrorCode) {
  Started pair(1);
  pair.server.answer_head_only(1);
  pair.run();
  pair.server.reset(1, NGHTTP2_NO_ERROR);
  pair.run();
  EXPECT_EQ(pair.record.seen[0].heads, 1);
  EXPECT_EQ(pair.record.seen[0].failure, Outcome::kReset);
  EXPECT_EQ(pair.record.seen[0].completed, 0);
}

TEST(Http2Ending, GoAwayReturnsLaterAndFinishesEarlierOnes) {
  Started pair(4);
  pair.server.go_away(3, NGHTTP2_NO_ERROR);
  pair.run();
  EXPECT_FALSE(pair.session.usable());
  EXPECT_EQ(pair.record.seen[2].unprocessed, 1);
  EXPECT_EQ(pair.record.seen[3].unprocessed, 1);
  EXPECT_EQ(pair.session.in_flight(), 2u);
  EXPECT_EQ(pair.record.overs, 0);
  pair.server.answer(1, {});
  pair.run();
  EXPECT_EQ(pair.record.overs, 0);
  pair.server.answer(3, {});
  pair.run();
  EXPECT_EQ(pair.record.completed, 2);
  EXPECT_EQ(pair.record.overs, 1);
}

TEST(Http2Ending, AGoAwayWithAnErrorIsAFailureThatNamesIt) {
  Started pair(1);
  pair.server.go_away(0, NGHTTP2_ENHANCE_YOUR_CALM);
  pair.run();
  EXPECT_EQ(pair.record.seen[0].failure, Outcome::kClosed);
  EXPECT_EQ(pair.record.seen[0].detail, "refused by GOAWAY: ENHANCE_YOUR_CALM");
  EXPECT_EQ(pair.record.seen[0].unprocessed, 0);
  EXPECT_EQ(pair.record.overs, 1);
}

TEST(Http2Ending, GoAwayOnAnIdleSessionEndsIt) {
  Started pair(0);
  pair.server.go_away(0, NGHTTP2_NO_ERROR);
  pair.run();
  EXPECT_FALSE(pair.session.usable());
  EXPECT_EQ(pair.record.overs, 1);
  pair.session.on_end();
  EXPECT_EQ(pair.record.overs, 1);
}

TEST(Http2Ending, RequestsUnwrittenAtGoAwayAreReturned) {
  Started pair(1);
  pair.server.go_away(1, NGHTTP2_NO_ERROR);
  const auto bytes = pair.server.output();
  pair.session.send_request(1, pair.request);
  pair.session.on_bytes(bytes);
  EXPECT_EQ(pair.record.seen[1].unprocessed, 1);
  EXPECT_EQ(pair.session.in_flight(), 1u);
}

TEST(Http2Ending, ExhaustedStreamIdsEndSessionAfterAnswers) {
  SessionPair pair({.streams_max = 10, .first_stream_id = INT32_MAX - 2});
  const PreparedRequest request = make_request();
  pair.session.send_request(0, request);
  EXPECT_TRUE(pair.session.usable());
  pair.session.send_request(1, request);
  EXPECT_FALSE(pair.session.usable());
  pair.session.flush();
  pair.run();
  EXPECT_EQ(pair.record.overs, 0);
  pair.server.answer(INT32_MAX, {});
  pair.server.answer(INT32_MAX - 2, {});
  pair.run();
  EXPECT_EQ(pair.record.completed, 2);
  EXPECT_EQ(pair.record.overs, 1);
}

TEST(Http2Ending, AnAbandonedExchangeIsResetAndNotTold) {
  Started pair(2);
  pair.session.abandon(0);
  EXPECT_EQ(pair.session.in_flight(), 1u);
  pair.server.answer(1, {.body = "late"});  // crosses the reset
  pair.server.answer(3, {});
  const auto late = pair.server.output();
  pair.session.on_bytes(late);
  pair.run();
  EXPECT_EQ(pair.server.request(1).reset, NGHTTP2_CANCEL);
  EXPECT_FALSE(pair.record.seen.contains(0));
  EXPECT_EQ(pair.record.seen[1].completed, 1);
  EXPECT_TRUE(pair.session.usable());
}

TEST(Http2Ending, ASlotCanBeUsedAgainRightAfterItWasAbandoned) {
  Started pair(1);
  pair.transport.busy = true;
  pair.session.abandon(0);
  pair.session.send_request(0, pair.request);
  pair.session.flush();
  pair.unblock();
  pair.run();
  pair.server.answer(3, {.body = "second"});
  pair.run();
  EXPECT_EQ(pair.record.seen[0].body, "second");
  EXPECT_EQ(pair.record.seen[0].completed, 1);
}

// The request may be gone when the frames are written, so none of its texts may be read after abandon().
TEST(Http2Ending, AbandonedUnwrittenRequestIsNeverSent) {
  Started pair(0);
  {
    const auto gone = std::make_unique<PreparedRequest>(make_request("POST", std::string(1000, 'x')));
    pair.session.send_request(0, *gone);
    pair.session.abandon(0);
  }
  pair.session.flush();
  pair.run();
  EXPECT_EQ(pair.server.request_count(), 0u);
  EXPECT_EQ(pair.session.in_flight(), 0u);
  EXPECT_TRUE(pair.session.usable());
}

TEST(Http2Ending, AbandoningInsideACallbackIsAllowed) {
  Started pair(3);
  pair.record.on_complete = [&](std::uint32_t) {
    pair.session.abandon(1);
    pair.session.abandon(2);
  };
  pair.server.answer(1, {});
  pair.server.answer(3, {});
  pair.server.answer(5, {});
  pair.run();
  EXPECT_EQ(pair.record.completed, 1);
  EXPECT_EQ(pair.session.in_flight(), 0u);
}

TEST(Http2Ending, TheEndOfTheConnectionFailsWhatIsInFlight) {
  Started pair(2);
  pair.server.answer_head_only(1);
  pair.run();
  pair.session.on_end();
  EXPECT_EQ(pair.record.seen[0].failure, Outcome::kClosed);
  EXPECT_EQ(pair.record.seen[1].failure, Outcome::kClosed);
  EXPECT_EQ(pair.record.overs, 1);
  EXPECT_FALSE(pair.session.usable());
  EXPECT_EQ(pair.session.in_flight(), 0u);
}

TEST(Http2Ending, WhatWasNotWrittenGoesElsewhere) {
  Started pair(1);
  pair.session.send_request(1, pair.request);
  pair.session.on_broken(Outcome::kTls, "bad record");
  EXPECT_EQ(pair.record.seen[0].failure, Outcome::kTls);
  EXPECT_EQ(pair.record.seen[1].unprocessed, 1);
  EXPECT_EQ(pair.record.overs, 1);
}

TEST(Http2Ending, ABrokenTransportFailsEverythingWithItsOutcome) {
  Started pair(2);
  pair.session.on_broken(Outcome::kTls, "bad record");
  EXPECT_EQ(pair.record.seen[0].failure, Outcome::kTls);
  EXPECT_EQ(pair.record.seen[0].detail, "bad record");
  EXPECT_EQ(pair.record.seen[1].failure, Outcome::kTls);
  EXPECT_EQ(pair.record.overs, 1);
  pair.session.on_broken(Outcome::kReset, "again");
  EXPECT_EQ(pair.record.overs, 1);
}

TEST(Http2Ending, AServerThatSpeaksHttp1IsNamedAsSuch) {
  SessionPair pair;
  const PreparedRequest request = make_request();
  pair.session.send_request(0, request);
  pair.session.flush();
  pair.session.on_bytes(as_bytes("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n"));
  EXPECT_EQ(pair.record.seen[0].failure, Outcome::kProtocol);
  EXPECT_THAT(pair.record.seen[0].detail, HasSubstr("peer does not support HTTP/2"));
  EXPECT_EQ(pair.record.overs, 1);
}

TEST(Http2Ending, AFrameThatIsTooLargeIsAProtocolError) {
  Started pair(2);
  const std::vector<std::uint8_t> head{0xff, 0xff, 0xff, 0, 0, 0, 0, 0, 1};
  pair.session.on_bytes(head);
  EXPECT_EQ(pair.record.seen[0].failure, Outcome::kProtocol);
  EXPECT_EQ(pair.record.seen[0].detail, "FRAME_SIZE_ERROR: too large frame size");
  EXPECT_EQ(pair.record.seen[1].failure, Outcome::kProtocol);
  EXPECT_EQ(pair.record.overs, 1);
  pair.server.receive(pair.transport.out);
  EXPECT_EQ(pair.server.goaways, 1);
}

TEST(Http2Ending, AMalformedHeadFailsItsOwnExchangeOnly) {
  Started pair(2);
  pair.server.answer(1, {.fields = {{"connection", "close"}}});
  pair.server.answer(3, {});
  pair.run();
  EXPECT_EQ(pair.record.seen[0].failure, Outcome::kProtocol);
  EXPECT_THAT(pair.record.seen[0].detail, HasSubstr("connection"));
  EXPECT_EQ(pair.record.seen[1].completed, 1);
  EXPECT_TRUE(pair.session.usable());
}

TEST(Http2Ending, ABodyShorterThanItsLengthIsAProtocolError) {
  Started pair(1);
  pair.server.answer(1, {.fields = {{"content-length", "10"}}, .body = "short"});
  pair.run();
  EXPECT_EQ(pair.record.seen[0].failure, Outcome::kProtocol);
  EXPECT_FALSE(pair.record.seen[0].detail.empty());
}

}  // namespace
}  // namespace hyperscale::load
