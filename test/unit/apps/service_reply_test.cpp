#include "apps/hyperscale/ping/service_reply.h"

#include <gtest/gtest.h>

namespace hyperscale::app {
namespace {

using State = ServiceReply::State;

State state_of(std::string_view bytes) {
  return ServiceReply().take(bytes);
}

TEST(ServiceReply, OneLine) {
  ServiceReply reply;
  EXPECT_EQ(reply.take("220 mail.example ESMTP\r\n"), State::kComplete);
  EXPECT_EQ(reply.code(), 220);
  EXPECT_EQ(reply.first_line(), "220 mail.example ESMTP");
}

TEST(ServiceReply, ComesInAnyPieces) {
  ServiceReply reply;
  const std::string_view text = "220-one\r\n two\r\n221 not yet\r\n220 end\r\n";
  for (std::size_t i = 0; i + 1 < text.size(); ++i) ASSERT_EQ(reply.take(text.substr(i, 1)), State::kIncomplete) << i;
  EXPECT_EQ(reply.take("\n"), State::kComplete);
  EXPECT_EQ(reply.code(), 220);
  EXPECT_EQ(reply.first_line(), "220-one");
}

TEST(ServiceReply, TextAndCarriageReturnMayBeLeftOut) {
  for (const char* text : {"220\r\n", "220\n", "220 \n", "220-a\n220\n"})
    EXPECT_EQ(state_of(text), State::kComplete) << text;
}

TEST(ServiceReply, WhatCannotBecomeAReplyIsRefusedAtOnce) {
  for (const char* text : {"H", "2x", "22\n", "2200", "020 ", "620 ", "\n", " 220 x", "220\rx", "\x16\x03\x01"}) {
    EXPECT_EQ(state_of(text), State::kNoReply) << text;
  }
}

TEST(ServiceReply, AnEndlessReplyIsCut) {
  ServiceReply reply;
  State state = State::kIncomplete;
  std::size_t taken = 0;
  for (; state == State::kIncomplete && taken < 10 * kServiceReplyBytesMax; taken += 9)
    state = reply.take("220-more\n");
  EXPECT_EQ(state, State::kTooLong);
  EXPECT_LE(taken, kServiceReplyBytesMax + 9);
  EXPECT_EQ(state_of("220 " + std::string(2 * kServiceReplyBytesMax, 'x')), State::kTooLong);
}

TEST(ServiceReply, ALongPieceIsWholeWhenItsEndIsInside) {
  EXPECT_EQ(state_of("220 ok\r\n" + std::string(2 * kServiceReplyBytesMax, 'x')), State::kComplete);
}

}  // namespace
}  // namespace hyperscale::app
