// Heads that are recognised by their bytes: which are, and that what they say is what was read.
#include "load/protocols/http1/known_heads.h"

#include "allocation_count.h"
#include "load/protocols/http1/response_parser.h"

#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace hyperscale::load {
namespace {

struct Fields final : ResponseVisitor {
  int told = 0;
  std::string body;
  void on_field(std::string_view, std::string_view) override { ++told; }
  void on_body(ByteView bytes) override { body.append(bytes.begin(), bytes.end()); }
};

struct Read {
  ResponseParser::State state;
  std::uint16_t status;
  int fields;
  std::string body;
};

Read read(KnownHeads& known, std::string_view text) {
  Fields fields;
  ResponseParser parser;
  parser.start(Expect::kBody, &fields, Switching::kRefused, &known);
  const auto progress = parser.consume(as_bytes(text));
  return {progress.state, parser.status(), fields.told, fields.body};
}

std::string answer_at(std::string_view date, std::string_view body = "hi") {
  return fmt::format("HTTP/1.1 200 OK\r\nServer: s\r\nDate: {}\r\nContent-Length: {}\r\n\r\n{}", date, body.size(),
                     body);
}

constexpr std::string_view kNoon = "Wed, 18 Nov 2026 12:00:00 GMT";
constexpr std::string_view kLater = "Wed, 18 Nov 2026 12:00:01 GMT";

TEST(KnownHeads, TheSameBytesAreReadOnce) {
  KnownHeads known;
  EXPECT_EQ(read(known, answer_at(kNoon)).fields, 3);
  const Read again = read(known, answer_at(kNoon));
  EXPECT_EQ(again.fields, 0);
  EXPECT_EQ(again.status, 200);
  EXPECT_EQ(again.state, ResponseParser::State::kComplete);
  EXPECT_EQ(again.body, "hi");
}

TEST(KnownHeads, OnlyTheDateMayDiffer) {
  KnownHeads known;
  read(known, answer_at(kNoon));
  EXPECT_EQ(read(known, answer_at(kLater)).fields, 0);
  EXPECT_EQ(read(known, answer_at("Wed, 8 Nov 2026 12:00:01 GMT")).fields, 3) << "another length";
  const Read longer = read(known, answer_at(kNoon, "hello"));
  EXPECT_EQ(longer.fields, 3);
  EXPECT_EQ(longer.body, "hello");
}

TEST(KnownHeads, AControlCharacterInTheDateIsSeen) {
  KnownHeads known;
  read(known, answer_at(kNoon));
  for (const char bad : {'\r', '\0', '\x7f'}) {
    std::string text = answer_at(kNoon);
    text[text.find("12:00")] = bad;
    EXPECT_EQ(read(known, text).state, ResponseParser::State::kError) << static_cast<int>(bad);
  }
  std::string two_lines = answer_at(kNoon);
  two_lines[two_lines.find("12:00")] = '\n';
  EXPECT_EQ(read(known, two_lines).fields, 4) << "what follows the line feed is a field";
}

TEST(KnownHeads, AFoldedDateIsNotTakenForOneInTheInput) {
  KnownHeads known;
  const std::string text = "HTTP/1.1 200 OK\r\nDate: Wed,\r\n 18 Nov\r\nContent-Length: 0\r\n\r\n";
  EXPECT_EQ(read(known, text).fields, 2);
  EXPECT_EQ(read(known, text).state, ResponseParser::State::kComplete);
}

TEST(KnownHeads, AHeadThatArrivesInPiecesIsRead) {
  KnownHeads known;
  const std::string text = answer_at(kNoon);
  read(known, text);
  for (std::size_t cut = 1; cut < text.find("\r\n\r\n") + 4; ++cut) {
    Fields fields;
    ResponseParser parser;
    parser.start(Expect::kBody, &fields, Switching::kRefused, &known);
    EXPECT_EQ(parser.consume(as_bytes(text).first(cut)).state, ResponseParser::State::kMore);
    EXPECT_EQ(parser.consume(as_bytes(text).subspan(cut)).state, ResponseParser::State::kComplete) << cut;
    EXPECT_EQ(fields.told, 3) << cut;
  }
}

// An upgrade is an answer only to those who asked for it.
TEST(KnownHeads, ASwitchOfProtocolsIsNeverKnown) {
  KnownHeads known;
  const std::string text = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n";
  ResponseParser parser;
  parser.start(Expect::kBody, nullptr, Switching::kAsked, &known);
  EXPECT_EQ(parser.consume(as_bytes(text)).state, ResponseParser::State::kComplete);
  EXPECT_EQ(read(known, text).state, ResponseParser::State::kError);
}

TEST(KnownHeads, AnInterimHeadIsNoAnswer) {
  KnownHeads known;
  const std::string text = "HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 204 No\r\nA: b\r\n\r\n";
  for (int i = 0; i < 2; ++i) {
    const Read got = read(known, text);
    EXPECT_EQ(got.status, 204);
    EXPECT_EQ(got.fields, 1);
  }
}

TEST(KnownHeads, EverChangingHeadsAreRarelyLookedUp) {
  KnownHeads known;
  int i = 0;
  for (; i < 1000; ++i) read(known, fmt::format("HTTP/1.1 204 No\r\nId: {:05}\r\n\r\n", i));
  int recognised = 0;
  for (int j = 0; j < 200; ++j) recognised += read(known, answer_at(kNoon)).fields == 0 ? 1 : 0;
  EXPECT_GT(recognised, 100) << "and are found again when they become the same";
}

TEST(KnownHeads, TheOldestMakesRoom) {
  KnownHeads known;
  for (std::size_t i = 0; i <= kKnownHeads; ++i) read(known, answer_at(kNoon, std::string(i, 'x')));
  EXPECT_EQ(read(known, answer_at(kNoon, std::string(kKnownHeads, 'x'))).fields, 0);
  EXPECT_EQ(read(known, answer_at(kNoon, "")).fields, 3);
}

TEST(KnownHeads, ALongHeadIsReadEachTime) {
  KnownHeads known;
  const std::string text = fmt::format("HTTP/1.1 204 No\r\nA: {}\r\n\r\n", std::string(kKnownHeadBytesMax, 'a'));
  EXPECT_EQ(read(known, text).fields, 1);
  EXPECT_EQ(read(known, text).fields, 1);
}

TEST(KnownHeads, NothingIsAllocated) {
  if (!test::counts_allocations()) GTEST_SKIP() << "allocations are not counted in this build";
  KnownHeads known;
  const std::string text = answer_at(kNoon);
  ResponseParser parser;
  const std::size_t before = test::allocation_count();
  for (int i = 0; i < 10; ++i) {
    parser.start(Expect::kBody, nullptr, Switching::kRefused, &known);
    parser.consume(as_bytes(text));
  }
  EXPECT_EQ(test::allocation_count(), before);
}

}  // namespace
}  // namespace hyperscale::load
