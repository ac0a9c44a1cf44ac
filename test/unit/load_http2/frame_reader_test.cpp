#include "load/protocols/http2/frame_reader.h"

#include "base/prng.h"

#include <string>

#include <gtest/gtest.h>

namespace hyperscale::load::http2 {
namespace {

struct Told {
  std::string text;
  std::size_t kept_most = 0;
};

// "type/stream:payload;" for each frame, pieces joined.
Told read_in(const std::string& bytes, const std::vector<std::size_t>& ends) {
  Told told;
  FrameReader reader;
  std::size_t at = 0;
  const auto feed = [&](ByteView input) {
    FrameReader::Piece piece;
    for (;;) {
      const auto step = reader.next(input, piece);
      if (step == FrameReader::Step::kMore) break;
      if (step == FrameReader::Step::kTooLarge) {
        told.text += "too large;";
        return false;
      }
      if (piece.begins)
        told.text +=
            std::to_string(static_cast<int>(piece.head.type)) + "/" + std::to_string(piece.head.stream_id) + ":";
      told.text.append(piece.bytes.begin(), piece.bytes.end());
      if (piece.ends) told.text += ";";
    }
    EXPECT_TRUE(input.empty());
    told.kept_most = std::max(told.kept_most, reader.kept_bytes());
    return true;
  };
  for (const std::size_t end : ends) {
    if (!feed(as_bytes(bytes).subspan(at, end - at))) return told;
    at = end;
  }
  feed(as_bytes(bytes).subspan(at));
  return told;
}

std::string frame(FrameType type, std::uint32_t stream_id, const std::string& payload) {
  FrameBytes bytes;
  append_frame_head(bytes,
                    {.length = static_cast<std::uint32_t>(payload.size()), .type = type, .stream_id = stream_id});
  return std::string(bytes.begin(), bytes.end()) + payload;
}

std::string sample() {
  return frame(FrameType::kSettings, 0, "") + frame(FrameType::kHeaders, 1, "head") +
         frame(FrameType::kData, 1, std::string(50, 'd')) + frame(FrameType::kData, 1, "") +
         frame(static_cast<FrameType>(77), 3, "unknown") + frame(FrameType::kGoAway, 0, std::string(30, 'g'));
}

TEST(FrameReader, EverySplitTellsTheSame) {
  const std::string bytes = sample();
  const std::string whole = read_in(bytes, {}).text;
  EXPECT_EQ(whole,
            "4/0:;1/1:head;0/1:" + std::string(50, 'd') + ";0/1:;77/3:unknown;7/0:" + std::string(30, 'g') + ";");
  std::vector<std::size_t> every;
  for (std::size_t i = 1; i < bytes.size(); ++i) {
    every.push_back(i);
    EXPECT_EQ(read_in(bytes, {i}).text, whole) << i;
  }
  EXPECT_EQ(read_in(bytes, every).text, whole);
  Prng prng(5);
  for (int round = 0; round < 500; ++round) {
    std::vector<std::size_t> ends;
    for (std::size_t at = prng.below(30); at < bytes.size(); at += prng.below(30)) ends.push_back(at);
    EXPECT_EQ(read_in(bytes, ends).text, whole);
  }
}

TEST(FrameReader, WholeFramesAreHandedOutInPlace) {
  const std::string bytes = sample();
  EXPECT_EQ(read_in(bytes, {}).kept_most, 0u);
  FrameReader reader;
  ByteView input = as_bytes(bytes);
  FrameReader::Piece piece;
  ASSERT_EQ(reader.next(input, piece), FrameReader::Step::kPiece);
  ASSERT_EQ(reader.next(input, piece), FrameReader::Step::kPiece);
  EXPECT_EQ(static_cast<const void*>(piece.bytes.data()), bytes.data() + 2 * kFrameHeadBytes);
}

TEST(FrameReader, KeepsNoMoreThanACutFrameAndNothingOfData) {
  const std::string data = frame(FrameType::kData, 1, std::string(kFrameBytesMax, 'd'));
  std::vector<std::size_t> every;
  for (std::size_t i = 1; i < data.size(); ++i) every.push_back(i);
  EXPECT_LT(read_in(data, every).kept_most, kFrameHeadBytes);
  const std::string head = frame(FrameType::kHeaders, 1, std::string(kFrameBytesMax, 'h'));
  EXPECT_EQ(read_in(head, every).kept_most, head.size() - 1);
}

TEST(FrameReader, AFrameThatIsTooLargeIsToldByItsHead) {
  const std::string large("\x00\x40\x01\x01\x00\x00\x00\x00\x01", 9);
  EXPECT_EQ(read_in(large, {}).text, "too large;");
  EXPECT_EQ(read_in(large, {4}).text, "too large;");
  EXPECT_EQ(read_in(large.substr(0, 8), {}).text, "");
}

TEST(FrameReader, TheReservedBitOfAStreamSaysNothing) {
  EXPECT_EQ(read_in(frame(FrameType::kPing, 0x80000003, "x"), {}).text, "6/3:x;");
}

TEST(FrameNames, OfErrorCodes) {
  EXPECT_EQ(error_name(0), "NO_ERROR");
  EXPECT_EQ(error_name(7), "REFUSED_STREAM");
  EXPECT_EQ(error_name(13), "HTTP_1_1_REQUIRED");
  EXPECT_EQ(error_name(14), "unknown");
}

}  // namespace
}  // namespace hyperscale::load::http2
