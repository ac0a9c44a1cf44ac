#include "target/request_parser.h"

#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace hyperscale::target {
namespace {

using State = RequestParser::State;

struct Seen {
  std::string method;
  std::string target;
  std::vector<std::string> fields;
  std::string body;
  std::uint64_t body_bytes = 0;
  bool keep_alive = false;
  bool operator==(const Seen&) const = default;
};

struct Outcome {
  std::vector<Seen> requests;
  std::uint16_t error_status = 0;
  std::string error;
  bool operator==(const Outcome&) const = default;
};

bool keep_all(std::string_view) {
  return true;
}

Seen look(RequestParser& parser) {
  const Request request = parser.request();
  Seen seen{std::string(request.method), std::string(request.target), {},
            std::string(request.body),   parser.body_bytes(),         parser.keep_alive()};
  for (const Field& field : request.fields) seen.fields.push_back(fmt::format("{}={}", field.name, field.value));
  return seen;
}

// Each piece is a fresh allocation, so that a view kept too long is a bug that the sanitizer sees.
void feed(RequestParser& parser, std::string piece, Outcome& outcome) {
  std::string_view rest = piece;
  while (!rest.empty() && outcome.error_status == 0) {
    const auto progress = parser.consume(rest);
    rest.remove_prefix(progress.consumed);
    if (progress.state == State::kComplete) outcome.requests.push_back(look(parser));
    if (progress.state == State::kMore) EXPECT_TRUE(rest.empty());
    if (progress.state == State::kError) {
      outcome.error_status = parser.error_status();
      outcome.error = parser.error();
    }
  }
}

Outcome parse(const std::vector<std::string>& pieces) {
  RequestParser parser(keep_all);
  Outcome outcome;
  for (const std::string& piece : pieces) feed(parser, piece, outcome);
  return outcome;
}

std::vector<std::string> single_bytes(const std::string& text) {
  std::vector<std::string> pieces;
  for (const char c : text) pieces.emplace_back(1, c);
  return pieces;
}

const std::string kStream =
    "GET / HTTP/1.1\r\nHost: a\r\n\r\n"
    "\r\nPOST /echo?x=1 HTTP/1.1\r\nhost:b\r\nContent-Length: 5\r\nX-Empty:\r\nX-Spaces: \t two words \t\r\n\r\nhello"
    "PUT /echo HTTP/1.1\r\nHost: c\r\nTransfer-Encoding: chunked\r\n\r\n"
    "5\r\nhello\r\n6;name=value\r\n world\r\n0\r\nX-Trailer: t\r\n\r\n"
    "GET /last HTTP/1.1\r\nHost: d\r\nConnection: close\r\n\r\n";

TEST(RequestParser, ReadsAStreamOfRequests) {
  const Outcome outcome = parse({kStream});
  ASSERT_EQ(outcome.error, "");
  ASSERT_EQ(outcome.requests.size(), 4u);
  EXPECT_EQ(outcome.requests[0], (Seen{"GET", "/", {"Host=a"}, "", 0, true}));
  EXPECT_EQ(
      outcome.requests[1],
      (Seen{"POST", "/echo?x=1", {"host=b", "Content-Length=5", "X-Empty=", "X-Spaces=two words"}, "hello", 5, true}));
  EXPECT_EQ(outcome.requests[2],
            (Seen{"PUT", "/echo", {"Host=c", "Transfer-Encoding=chunked"}, "hello world", 11, true}));
  EXPECT_EQ(outcome.requests[3], (Seen{"GET", "/last", {"Host=d", "Connection=close"}, "", 0, false}));
}

TEST(RequestParser, EverySplitIntoTwoGivesTheSame) {
  const Outcome whole = parse({kStream});
  for (std::size_t at = 1; at < kStream.size(); ++at) {
    EXPECT_EQ(parse({kStream.substr(0, at), kStream.substr(at)}), whole) << "split at " << at;
  }
}

TEST(RequestParser, EverySplitIntoThreeGivesTheSame) {
  const Outcome whole = parse({kStream});
  for (std::size_t first = 1; first < kStream.size(); first += 3) {
    for (std::size_t second = first + 1; second < kStream.size(); second += 2) {
      ASSERT_EQ(parse({kStream.substr(0, first), kStream.substr(first, second - first), kStream.substr(second)}), whole)
          << "split at " << first << " and " << second;
    }
  }
}

TEST(RequestParser, SingleBytesGiveTheSame) {
  EXPECT_EQ(parse(single_bytes(kStream)), parse({kStream}));
}

struct BadInput {
  const char* name;
  std::string text;
  std::uint16_t status;
};

std::string with_fields(const std::string& fields) {
  return "GET / HTTP/1.1\r\nHost: a\r\n" + fields + "\r\n";
}

std::string with_chunks(const std::string& chunks) {
  return with_fields("Transfer-Encoding: chunked\r\n") + chunks;
}

std::vector<BadInput> bad_inputs() {
  std::string many_fields;
  for (std::size_t i = 0; i < kFieldsMax; ++i) many_fields += fmt::format("X-{}: 1\r\n", i);
  std::string empty_lines;
  while (empty_lines.size() <= kHeadBytesMax) empty_lines += "\r\n";
  return {
      {"tls", "\x16\x03\x01", 400},
      {"bare line feed", "GET / HTTP/1.1\nHost: a\n\n", 400},
      {"bare line feed in fields", "GET / HTTP/1.1\r\nHost: a\n\r\n", 400},
      {"no version", "GET /\r\n\r\n", 400},
      {"two spaces", "GET  / HTTP/1.1\r\nHost: a\r\n\r\n", 400},
      {"a space in the target", "GET /a b HTTP/1.1\r\nHost: a\r\n\r\n", 400},
      {"a control character in the target", "GET /\x01 HTTP/1.1\r\nHost: a\r\n\r\n", 400},
      {"another version", "GET / HTTP/1.2\r\nHost: a\r\n\r\n", 400},
      {"HTTP/2 in words", "GET / HTTP/2.0\r\nHost: a\r\n\r\n", 400},
      {"a bad method", "G(T / HTTP/1.1\r\nHost: a\r\n\r\n", 400},
      {"no host", "GET / HTTP/1.1\r\n\r\n", 400},
      {"two hosts", with_fields("Host: b\r\n"), 400},
      {"no colon", with_fields("nonsense\r\n"), 400},
      {"no name", with_fields(": x\r\n"), 400},
      {"a space before the colon", with_fields("X : 1\r\n"), 400},
      {"a folded line", with_fields("X: 1\r\n 2\r\n"), 400},
      {"a CR in a value", with_fields("X: 1\r2\r\n"), 400},
      {"a NUL in a value", with_fields(std::string("X: 1\0002\r\n", 9)), 400},
      {"two lengths", with_fields("Content-Length: 1\r\nContent-Length: 1\r\n"), 400},
      {"a list of lengths", with_fields("Content-Length: 1, 1\r\n"), 400},
      {"a negative length", with_fields("Content-Length: -1\r\n"), 400},
      {"a signed length", with_fields("Content-Length: +1\r\n"), 400},
      {"an empty length", with_fields("Content-Length: \r\n"), 400},
      {"a hexadecimal length", with_fields("Content-Length: 0x10\r\n"), 400},
      {"both lengths", with_fields("Content-Length: 1\r\nTransfer-Encoding: chunked\r\n"), 400},
      {"two encodings", with_fields("Transfer-Encoding: gzip, chunked\r\n"), 400},
      {"chunked twice", with_fields("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n"), 400},
      {"chunked in 1.0", "GET / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n", 400},
      {"a length beyond the limit", with_fields(fmt::format("Content-Length: {}\r\n", kBodyBytesMax + 1)), 413},
      {"a length beyond 64 bits", with_fields("Content-Length: 99999999999999999999999\r\n"), 413},
      {"a chunk size that is no number", with_chunks("x\r\n"), 400},
      {"an empty chunk size", with_chunks("\r\n"), 400},
      {"a chunk size with a space", with_chunks("5 \r\nhello\r\n"), 400},
      {"a chunk size beyond the limit", with_chunks("40000001\r\n"), 413},
      {"a chunk size beyond 64 bits", with_chunks("fffffffffffffffffff\r\n"), 413},
      {"chunks beyond the limit together", with_chunks("1\r\nx\r\n40000000\r\n"), 413},
      {"a bare line feed after a chunk size", with_chunks("5\nhello\r\n"), 400},
      {"a chunk that is too long", with_chunks("5\r\nhello!\r\n"), 400},
      {"a chunk line that is too long", with_chunks("5;" + std::string(kChunkLineBytesMax, 'x') + "\r\n"), 400},
      {"a bad trailer", with_chunks("0\r\nnonsense\r\n\r\n"), 400},
      {"trailers that are too large", with_chunks("0\r\nX: " + std::string(kTrailerBytesMax, 'x') + "\r\n\r\n"), 431},
      {"a head that is too large", with_fields("X: " + std::string(kHeadBytesMax, 'x') + "\r\n"), 431},
      {"a target that is too large", "GET /" + std::string(kHeadBytesMax, 'x') + " HTTP/1.1\r\nHost: a\r\n\r\n", 431},
      {"too many fields", with_fields(many_fields), 431},
      {"empty lines without end", empty_lines, 431},
  };
}

TEST(RequestParser, BadInputIsRefusedHoweverItIsSplit) {
  for (const BadInput& bad : bad_inputs()) {
    const Outcome whole = parse({bad.text});
    EXPECT_EQ(whole.error_status, bad.status) << bad.name << ": " << whole.error;
    EXPECT_TRUE(whole.requests.empty()) << bad.name;
    EXPECT_EQ(parse(single_bytes(bad.text)), whole) << bad.name;
    for (std::size_t at = 1; at < bad.text.size() && bad.text.size() < 200; ++at) {
      EXPECT_EQ(parse({bad.text.substr(0, at), bad.text.substr(at)}), whole) << bad.name << " split at " << at;
    }
  }
}

TEST(RequestParser, LimitsAreMetExactly) {
  const std::string line = "GET / HTTP/1.1\r\nHost: a\r\nX: ";
  const std::string head = line + std::string(kHeadBytesMax - line.size() - 4, 'x') + "\r\n\r\n";
  ASSERT_EQ(head.size(), kHeadBytesMax);
  EXPECT_EQ(parse({head}).requests.size(), 1u);
  EXPECT_EQ(parse({"\r\n" + head}).error_status, 431);
  std::string fields;
  for (std::size_t i = 1; i < kFieldsMax; ++i) fields += "X: 1\r\n";
  EXPECT_EQ(parse({with_fields(fields)}).requests.size(), 1u);
}

TEST(RequestParser, KeepAliveFollowsVersionAndConnection) {
  const auto keeps = [](const std::string& version, const std::string& fields) {
    const Outcome outcome = parse({"GET / " + version + "\r\nHost: a\r\n" + fields + "\r\n"});
    return outcome.requests.at(0).keep_alive;
  };
  EXPECT_TRUE(keeps("HTTP/1.1", ""));
  EXPECT_TRUE(keeps("HTTP/1.1", "Connection: TE, Keep-Alive\r\n"));
  EXPECT_FALSE(keeps("HTTP/1.1", "Connection: TE, Close\r\n"));
  EXPECT_FALSE(keeps("HTTP/1.0", ""));
  EXPECT_TRUE(keeps("HTTP/1.0", "Connection: keep-alive\r\n"));
}

TEST(RequestParser, AsksForTheBodyOnlyOnceAndOnlyIfThePeerWaits) {
  const std::string head = with_fields("Content-Length: 2\r\nExpect: 100-continue\r\n");
  RequestParser parser(keep_all);
  parser.consume(head.substr(0, 20));
  EXPECT_FALSE(parser.take_wants_continue());
  parser.consume(head.substr(20));
  EXPECT_TRUE(parser.take_wants_continue());
  EXPECT_FALSE(parser.take_wants_continue());
  EXPECT_EQ(parser.consume("ab").state, State::kComplete);
  EXPECT_EQ(parser.consume(head + "ab").state, State::kComplete);
  EXPECT_FALSE(parser.take_wants_continue());
}

TEST(RequestParser, BodiesThatNobodyNeedsAreOnlyCounted) {
  RequestParser parser([](std::string_view target) { return target == "/keep"; });
  const std::string dropped = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello";
  EXPECT_EQ(parser.consume(dropped).state, State::kComplete);
  EXPECT_EQ(parser.request().body, "");
  EXPECT_EQ(parser.body_bytes(), 5u);
}

TEST(RequestParser, ABodyBeyondWhatIsKeptIsMarked) {
  for (const std::size_t size : {kKeptBodyBytesMax, kKeptBodyBytesMax + 1}) {
    RequestParser parser(keep_all);
    const std::string head = fmt::format("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: {}\r\n\r\n", size);
    parser.consume(head);
    EXPECT_EQ(parser.consume(std::string(size, 'x')).state, State::kComplete);
    EXPECT_EQ(parser.request().body_cut, size > kKeptBodyBytesMax);
    EXPECT_EQ(parser.body_bytes(), size);
  }
}

}  // namespace
}  // namespace hyperscale::target
