#include "wire/frame.h"

#include "base/crc32c.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hyperscale::wire {
namespace {

using ::testing::ElementsAre;

// The byte table of docs/formats/frame.md, written out. The checksum is that of the bytes 01 01 0000 0102030405060708
// 'h' 'i'.
TEST(Frame, HasTheDocumentedBytes) {
  const Frame frame{
      .type = FrameType::kRequest, .code = 0, .correlation = 0x0102030405060708, .payload = SharedBytes::copy_of("hi")};
  const std::vector<std::uint8_t> covered{1, 1, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 'h', 'i'};
  const std::uint32_t sum = crc32c(covered);
  EXPECT_THAT(encode_frame(frame), ElementsAre(0, 0, 0, 18,             // length of what follows
                                               1, 1,                    // version, type
                                               0, 0,                    // code
                                               1, 2, 3, 4, 5, 6, 7, 8,  // correlation
                                               sum >> 24, sum >> 16 & 255, sum >> 8 & 255, sum & 255,  // checksum
                                               'h', 'i'));
}

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
