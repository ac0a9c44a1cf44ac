// What is told while a response is read: when it has begun, limits, views, large bodies, misuse.
#include "load/protocols/http1/response_parser.h"

#include "allocation_count.h"
#include "response_properties.h"

#include <gtest/gtest.h>

namespace hyperscale::load {
namespace {

using State = ResponseParser::State;

State feed(ResponseParser& parser, std::string_view text) {
  return parser.consume(as_bytes(text)).state;
}

std::string error_of(const std::string& stream) {
  return fuzz::read_whole(as_bytes(stream), Expect::kBody).error;
}

TEST(ResponseParser, BeginsAtFirstDigitOfFinalStatus) {
  ResponseParser parser;
  parser.start(Expect::kBody, nullptr);
  EXPECT_EQ(feed(parser, "HTTP/1.1 100 Continue\r\nA: b\r\n\r\nHTTP/1.1 "), State::kMore);
  EXPECT_FALSE(parser.begun());
  EXPECT_EQ(parser.status(), 0);
  EXPECT_EQ(feed(parser, "2"), State::kMore);
  EXPECT_TRUE(parser.begun());
  EXPECT_EQ(parser.status(), 0);
  EXPECT_EQ(feed(parser, "04 No Content\r\n"), State::kMore);
  EXPECT_EQ(parser.status(), 204);
  EXPECT_FALSE(parser.head_complete());
  EXPECT_EQ(feed(parser, "\r\n"), State::kComplete);
  EXPECT_TRUE(parser.head_complete());
}

TEST(ResponseParser, ReportsFinalFieldsAndTrailersInOrder) {
  const std::string stream =
      "HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n"
      "HTTP/1.1 200 OK\r\nB:  two words \r\nTransfer-Encoding: chunked\r\na:\r\n\r\n1\r\nx\r\n0\r\nT: z\r\n\r\n";
  const fuzz::Reading reading = fuzz::read_whole(as_bytes(stream), Expect::kBody);
  EXPECT_EQ(reading.fields, "B: two words\nTransfer-Encoding: chunked\na: \nT: z\n");
}

TEST(ResponseParser, AFoldIsReadAsOneSpace) {
  const std::string stream =
      "HTTP/1.1 200 OK\r\nA: b \t\r\n \t c\r\nB:\r\n  \r\n d\r\nContent-Length: 0\r\nC:\r\n \r\n\r\n";
  const fuzz::Reading reading = fuzz::read_whole(as_bytes(stream), Expect::kBody);
  EXPECT_EQ(reading.fields, "A: b c\nB: d\nContent-Length: 0\nC: \n");
}

TEST(ResponseParser, SwitchingProtocolsIsForThoseWhoAsked) {
  const std::string stream = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n\x81\x05";
  ResponseParser parser;
  parser.start(Expect::kBody, nullptr, Switching::kAsked);
  const auto progress = parser.consume(as_bytes(stream));
  EXPECT_EQ(progress.state, State::kComplete);
  EXPECT_EQ(progress.consumed, stream.size() - 2);
  EXPECT_EQ(parser.status(), 101);
  EXPECT_FALSE(parser.keep_alive());
  parser.start(Expect::kBody, nullptr);
  EXPECT_EQ(feed(parser, stream), State::kError) << "asking counts for one answer";
}

TEST(ResponseParser, ShowsBytesAroundAFault) {
  const auto around = [](const std::vector<std::string>& pieces, std::size_t most) {
    ResponseParser parser;
    parser.start(Expect::kBody, nullptr);
    for (const std::string& piece : pieces)
      if (parser.consume(as_bytes(piece)).state == State::kError) return parser.faulty_bytes(as_bytes(piece), most);
    return std::string("no fault");
  };
  const std::string garbage = "SSH-2.0-OpenSSH\r\nmore of it";
  EXPECT_EQ(around({garbage}, 100), garbage);
  EXPECT_EQ(around({garbage}, 7), "SSH-2.0");
  EXPECT_EQ(around({"H", "T", "X"}, 100), "HTX");
  const std::string head = "HTTP/1.1 200 OK\r\n";
  EXPECT_EQ(around({head + "no colon\r\nafter"}, 100), head + "no colon\r\nafter");
  EXPECT_EQ(around({head + "no colon\r\nafter"}, 10), "lon\r\nafter");
  EXPECT_EQ(around({head + "no ", "colon\r\nafter"}, 100), "no colon\r\nafter");
  EXPECT_EQ(around({head + "Transfer-Encoding: chunked\r\n\r\n1", "\r\n", "abc"}, 100), "abc");
}

TEST(ResponseParser, WholeFieldsAndBodyAreViewsOfTheInput) {
  static const std::string kStream = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";
  class Inside final : public ResponseVisitor {
   public:
    void on_field(std::string_view name, std::string_view value) override {
      EXPECT_TRUE(name.data() > kStream.data() && value.data() < kStream.data() + kStream.size());
      ++calls;
    }
    void on_body(ByteView bytes) override {
      EXPECT_EQ(bytes.data(), as_bytes(kStream).data() + kStream.size() - 5);
      ++calls;
    }
    int calls = 0;
  } inside;
  ResponseParser parser;
  parser.start(Expect::kBody, &inside);
  EXPECT_EQ(feed(parser, kStream), State::kComplete);
  EXPECT_EQ(inside.calls, 2);
}

TEST(ResponseParser, AllocatesOnlyForTheFirstSplitLine) {
  const std::string stream =
      "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: 5\r\n\r\nhello";
  ResponseParser parser;
  const auto read_split_at = [&](std::size_t cut) {
    parser.start(Expect::kBody, nullptr);
    if (cut > 0) ASSERT_EQ(feed(parser, std::string_view(stream).substr(0, cut)), State::kMore);
    ASSERT_EQ(feed(parser, std::string_view(stream).substr(cut)), State::kComplete);
  };
  if (!test::counts_allocations()) GTEST_SKIP() << "allocations are not counted in this build";
  const std::size_t before = test::allocation_count();
  for (int i = 0; i < 100; ++i) read_split_at(0);
  EXPECT_EQ(test::allocation_count(), before);
  read_split_at(stream.find("utf-8"));
  read_split_at(stream.find("Content-Length"));  // behind a line that might go on
  EXPECT_GT(test::allocation_count(), before);
  const std::size_t after_split = test::allocation_count();
  for (std::size_t cut = stream.find("Content-Type"); cut < stream.size(); ++cut) read_split_at(cut);
  EXPECT_EQ(test::allocation_count(), after_split) << "the memory of the first split line is used again";
}

TEST(ResponseParser, IsUsedAgainAfterAnErrorAndAfterHalfALine) {
  ResponseParser parser;
  parser.start(Expect::kBody, nullptr);
  EXPECT_EQ(feed(parser, "HTTP/1.1 2x0\r\n"), State::kError);
  EXPECT_EQ(feed(parser, "HTTP/1.1 200 OK\r\n\r\n"), State::kError) << "the first error is final";
  EXPECT_EQ(parser.finish(), State::kError);
  EXPECT_EQ(parser.error(), "a status that is not a number from 100 to 999");
  parser.start(Expect::kBody, nullptr);
  EXPECT_EQ(feed(parser, "HTTP/1.1 40"), State::kMore);
  parser.start(Expect::kBody, nullptr);
  EXPECT_EQ(feed(parser, "HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n"), State::kComplete);
  EXPECT_EQ(parser.status(), 200);
  EXPECT_EQ(parser.minor_version(), 0);
  EXPECT_EQ(parser.error(), "");
  EXPECT_EQ(parser.finish(), State::kComplete);
}

// A head of exactly `size` bytes.
std::string head_of(std::size_t size) {
  const std::string start = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nA: ";
  return start + std::string(size - start.size() - 4, 'x') + "\r\n\r\n";
}

TEST(ResponseParser, AHeadOfTheLimitIsAcceptedAndOneByteMoreIsNot) {
  EXPECT_EQ(error_of(head_of(kHeadBytesMax)), "");
  EXPECT_EQ(error_of(head_of(kHeadBytesMax + 1)), "a head of more than 64 KiB");
  EXPECT_EQ(error_of("HTTP/1.1 200 " + std::string(kHeadBytesMax, 'x')), "a head of more than 64 KiB")
      << "no LF at all";
  std::string many = "HTTP/1.1 200 OK\r\n";
  while (many.size() <= kHeadBytesMax) many += "A: b\r\n";
  EXPECT_EQ(error_of(many), "a head of more than 64 KiB");
}

TEST(ResponseParser, LimitsAreTheSameForAHeadThatTricklesIn) {
  for (const std::size_t size : {kHeadBytesMax, kHeadBytesMax + 1}) {
    const std::string head = head_of(size);
    fuzz::Pieces pieces(as_bytes(head));
    fuzz::check_same(fuzz::read_whole(as_bytes(head), Expect::kBody),
                     fuzz::read_pieces(Expect::kBody, [&] { return pieces.next(1); }));
  }
}

TEST(ResponseParser, EachInterimHeadHasALimitOfItsOwn) {
  std::string stream;
  while (stream.size() <= 2 * kHeadBytesMax) stream += "HTTP/1.1 103 x\r\nLink: </style.css>\r\n\r\n";
  EXPECT_EQ(error_of(stream + head_of(kHeadBytesMax)), "");
}

TEST(ResponseParser, ChunkLinesAndTrailersHaveLimits) {
  const std::string head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
  const auto chunk_line = [](std::size_t size) { return "1;" + std::string(size - 4, 'e') + "\r\n"; };
  const std::string first = chunk_line(kChunkLineBytesMax) + "x\r\n";
  EXPECT_EQ(error_of(head + first + first + "0\r\n\r\n"), "");
  EXPECT_EQ(error_of(head + chunk_line(kChunkLineBytesMax + 1)), "a chunk line of more than 4 KiB");
  EXPECT_EQ(error_of(head + std::string(kChunkLineBytesMax + 1, '0')), "a chunk line of more than 4 KiB");
  const auto trailers = [](std::size_t size) { return "A: " + std::string(size - 7, 't') + "\r\n\r\n"; };
  EXPECT_EQ(error_of(head + "0\r\n" + trailers(kTrailerBytesMax)), "");
  EXPECT_EQ(error_of(head + "0\r\n" + trailers(kTrailerBytesMax + 1)), "trailers of more than 64 KiB");
}

// Bodies above 4 GiB are only counted here; no byte of them is touched.
TEST(ResponseParser, CountsBodiesBeyond32Bits) {
  const std::vector<std::uint8_t> mebibyte(1 << 20, 'x');
  constexpr std::uint64_t kBytes = (std::uint64_t{5} << 30) + 7;
  for (const std::string head :
       {"Content-Length: 5368709127\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\n140000007\r\n", "\r\n"}) {
    ResponseParser parser;
    parser.start(Expect::kBody, nullptr);
    ASSERT_EQ(feed(parser, "HTTP/1.1 200 OK\r\n" + head), State::kMore);
    for (int i = 0; i < 5 << 10; ++i) ASSERT_EQ(parser.consume(mebibyte).state, State::kMore);
    const auto last = parser.consume(ByteView(mebibyte).first(7));
    if (last.state == State::kMore && head.starts_with("T")) EXPECT_EQ(feed(parser, "\r\n0\r\n\r\n"), State::kComplete);
    EXPECT_EQ(parser.finish(), State::kComplete);
    EXPECT_EQ(parser.body_bytes(), kBytes);
  }
}

TEST(ResponseParser, TheLargestLengthsAreAccepted) {
  ResponseParser parser;
  for (const std::string head :
       {"Content-Length: 18446744073709551615\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\n000ffffFFFFffffFFFF\r\n"}) {
    parser.start(Expect::kBody, nullptr);
    EXPECT_EQ(feed(parser, "HTTP/1.1 200 OK\r\n" + head + "body"), State::kMore);
    EXPECT_EQ(parser.body_bytes(), 4u);
    EXPECT_EQ(parser.finish(), State::kError);
    EXPECT_EQ(parser.error(), "closed inside the body");
  }
}

TEST(ResponseParserDeathTest, MisuseIsABug) {
  ResponseParser parser;
  EXPECT_DEATH(feed(parser, "HTTP"), "start\\(\\) comes before");
  EXPECT_DEATH(parser.finish(), "start\\(\\) comes before");
  parser.start(Expect::kNoBody, nullptr);
  ASSERT_EQ(feed(parser, "HTTP/1.1 200 OK\r\n\r\n"), State::kComplete);
  EXPECT_DEATH(feed(parser, "HTTP"), "start\\(\\) comes before");
}

}  // namespace
}  // namespace hyperscale::load
