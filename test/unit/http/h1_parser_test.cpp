#include "runtime/http/h1_parser.h"

#include <optional>

#include <gtest/gtest.h>

namespace hyperscale::runtime {
namespace {

using Progress = H1Parser::Progress;
constexpr std::uint64_t kHeadMax = 1024;

// Feeds the text in pieces of one size, as a connection would, and returns how it ended.
struct Parsed {
  Progress progress = Progress::kNeedMore;
  std::string body;
  std::optional<RequestHead> head;
};

Parsed parse(std::string_view text, std::size_t piece, std::uint64_t body_max = 100) {
  H1Parser parser(kHeadMax);
  BodyBuffer body(body_max);
  Parsed run;
  std::string pending;
  for (std::size_t at = 0; at < text.size(); at += piece) {
    pending += text.substr(at, piece);
    while (true) {
      const auto fed = parser.feed(pending);
      pending.erase(0, fed.used);
      run.progress = fed.progress;
      if (fed.progress == Progress::kHeadDone || (fed.progress == Progress::kDone && !run.head)) {
        run.head = std::move(parser.head());
        parser.take_body(body);
        if (fed.progress == Progress::kHeadDone) continue;
      }
      break;
    }
    if (run.progress != Progress::kNeedMore) break;
  }
  run.body = body.take();
  return run;
}

TEST(H1Parser, TheSameRequestWhateverThePieces) {
  const std::string_view text =
      "POST /x?y=1 HTTP/1.1\r\nHost: h\r\nX-Name: v\r\nAuthorization: Bearer t\r\ntransfer-encoding: chunked\r\n\r\n"
      "3\r\nabc\r\n2;ext=1\r\nde\r\n0\r\nTrailer: x\r\n\r\n";
  for (std::size_t piece = 1; piece <= text.size(); ++piece) {
    const Parsed run = parse(text, piece);
    ASSERT_EQ(run.progress, Progress::kDone) << piece;
    EXPECT_EQ(run.body, "abcde");
    EXPECT_EQ(run.head->target, "/x?y=1");
    ASSERT_EQ(run.head->headers.size(), 3u) << "authorization is kept apart, trailers are dropped";
    EXPECT_EQ(run.head->headers[1].name, "x-name");
    EXPECT_EQ(std::string(run.head->authorization.begin(), run.head->authorization.end()), "Bearer t");
  }
}

TEST(H1Parser, AnEmptyChunkedBodyMayArriveByteByByte) {
  const std::string_view text = "POST / HTTP/1.1\r\nhost: h\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n";
  for (std::size_t piece = 1; piece <= text.size(); ++piece) EXPECT_EQ(parse(text, piece).progress, Progress::kDone);
}

TEST(H1Parser, RefusesWhatAProxyMightReadDifferently) {
  for (const std::string_view bad : {
           "GET / HTTP/1.1\r\nx: 1\r\n\r\n",
           "GET / HTTP/1.1\r\nhost: a\r\nhost: b\r\n\r\n",
           "POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 3\r\ntransfer-encoding: chunked\r\n\r\n",
           "POST / HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\ncontent-length: 3\r\n\r\n",
           "POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 3\r\ncontent-length: 4\r\n\r\n",
           "POST / HTTP/1.1\r\nhost: a\r\ntransfer-encoding: gzip\r\n\r\n",
           "POST / HTTP/1.0\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n",
           "GET / HTTP/1.1\nhost: a\n\n",
           "GET / HTTP/3.0\r\nhost: a\r\n\r\n",
           "\x16\x03\x01\x02",
       }) {
    EXPECT_EQ(parse(bad, bad.size()).progress, Progress::kMalformed) << bad;
  }
}

TEST(H1Parser, TheHeadLimitCountsAllOfTheHead) {
  std::string text = "GET / HTTP/1.1\r\nhost: a\r\n";
  for (int i = 0; i < 100; ++i) text += "x-header: 0123456789\r\n";
  text += "\r\n";
  for (const std::size_t piece : {std::size_t{1}, std::size_t{100}, text.size()}) {
    EXPECT_EQ(parse(text, piece).progress, Progress::kHeadTooLarge) << piece;
  }
  EXPECT_EQ(parse("GET /" + std::string(2000, 'a'), 100).progress, Progress::kHeadTooLarge);
}

TEST(H1Parser, TheBodyLimitHoldsForBothFramings) {
  const std::string head = "POST / HTTP/1.1\r\nhost: a\r\n";
  EXPECT_EQ(parse(head + "content-length: 5\r\n\r\n12345", 1, 5).body, "12345");
  EXPECT_EQ(parse(head + "content-length: 6\r\n\r\n123456", 1, 5).progress, Progress::kBodyTooLarge);
  EXPECT_EQ(parse(head + "transfer-encoding: chunked\r\n\r\n3\r\nabc\r\n3\r\n", 1, 5).progress,
            Progress::kBodyTooLarge);
  EXPECT_EQ(parse(head + "transfer-encoding: chunked\r\n\r\nffffffffffffffff\r\n", 100, 5).progress,
            Progress::kBodyTooLarge);
  EXPECT_EQ(parse(head + "transfer-encoding: chunked\r\n\r\nxyz\r\n", 100, 5).progress, Progress::kMalformed);
}

}  // namespace
}  // namespace hyperscale::runtime
