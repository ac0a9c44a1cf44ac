#include "wire/frame.h"

#include "wire/request_payload.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hyperscale::wire {
namespace {

using ::testing::ElementsAre;

// The example of docs/formats/frame.md, byte for byte.
// proves: ARCH-FRAME-1
TEST(Frame, HasTheDocumentedBytes) {
  const Frame request{
      .type = FrameType::kRequest, .code = 0, .correlation = 1, .payload = *encode_request("echo", as_bytes("hi"))};
  EXPECT_THAT(encode_frame(request), ElementsAre(0x00, 0x00, 0x00, 0x17,  // length of what follows
                                                 0x01, 0x01, 0x00, 0x00,  // version, type, code
                                                 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x01,  // correlation
                                                 0xb9, 0x59, 0x40, 0x99,                          // checksum
                                                 0x04, 'e', 'c', 'h', 'o', 'h', 'i'));
}

// proves: ARCH-FRAME-1
TEST(Frame, NumbersAreBigEndian) {
  const FrameHeader header =
      encode_header({.type = FrameType::kError, .code = 0x0102, .correlation = 0x1112131415161718, .payload = {}});
  const std::vector<std::uint8_t> fields(header.begin(), header.begin() + 16);
  EXPECT_THAT(fields, ElementsAre(0, 0, 0, 16, 1, 3, 1, 2, 0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17, 0x18));
}

// proves: ARCH-FRAME-1
TEST(Frame, AHeaderFollowedByThePayloadIsTheFrame) {
  const Frame frame{.type = FrameType::kPong, .code = 0, .correlation = 77, .payload = SharedBytes::copy_of("payload")};
  const FrameHeader header = encode_header(frame);
  std::vector<std::uint8_t> scattered(header.begin(), header.end());
  scattered.insert(scattered.end(), frame.payload.view().begin(), frame.payload.view().end());
  EXPECT_EQ(scattered, encode_frame(frame));
}

TEST(Frame, AnErrorFrameCarriesCodeAndMessage) {
  const Frame frame = error_frame(5, {ErrorCode::kBusy, "work queue is full"});
  EXPECT_EQ(frame.type, FrameType::kError);
  EXPECT_EQ(frame.code, static_cast<std::uint16_t>(ErrorCode::kBusy));
  EXPECT_EQ(frame.correlation, 5u);
  EXPECT_EQ(error_of(frame).to_string(), "Busy: work queue is full");
}

TEST(Frame, AnErrorNumberOfALaterVersionReadsAsInternal) {
  Frame frame = error_frame(5, {ErrorCode::kBusy, "new kind of trouble"});
  frame.code = 999;
  EXPECT_EQ(error_of(frame).code, ErrorCode::kInternal);
  EXPECT_EQ(error_of(frame).context, "new kind of trouble");
}

TEST(Frame, TypesHaveNumbersAndNames) {
  EXPECT_EQ(frame_type_from_number(0), std::nullopt);
  EXPECT_EQ(frame_type_from_number(7), std::nullopt);
  const std::vector<std::string_view> names{"request", "response", "error", "ping", "pong", "go-away"};
  for (std::uint8_t number = 1; number <= 6; ++number) {
    ASSERT_TRUE(frame_type_from_number(number));
    EXPECT_EQ(name(*frame_type_from_number(number)), names[number - 1u]);
  }
}

TEST(FrameDeathTest, AFrameThatCannotBeReadIsNotWritten) {
  EXPECT_DEATH(encode_header({.type = FrameType::kPing, .code = 3, .correlation = 0, .payload = {}}), "code 3");
  EXPECT_DEATH(encode_header({.type = FrameType::kError, .code = 0, .correlation = 0, .payload = {}}), "code 0");
  Frame huge{.type = FrameType::kResponse, .code = 0, .correlation = 0, .payload = {}};
  huge.payload = SharedBytes::adopt(std::vector<std::uint8_t>(kMaxFrameBytesCeiling));
  EXPECT_DEATH(encode_header(huge), "a payload of");
}

}  // namespace
}  // namespace hyperscale::wire
