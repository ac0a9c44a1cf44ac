#include "load/protocols/http/http1_session.h"

#include "allocation_count.h"
#include "load/protocols/http/request_preparation.h"
#include "load/protocols/http1/known_heads.h"
#include "load/protocols/prepared_request.h"

#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace hyperscale::load {
namespace {

using results::Outcome;

struct Wire final : Transport {
  std::string written;
  std::vector<Sending> how;
  const std::uint8_t* last = nullptr;
  bool busy = false;  // answers "not done yet"
  void start(StreamId) override {}
  bool send(ByteView bytes, Sending sending) override {
    written.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    how.push_back(sending);
    last = bytes.data();
    return !busy;
  }
  void close() override {}
};

struct Log final : SessionEvents {
  std::vector<std::string> lines;
  void on_first_byte(std::uint32_t slot) override { lines.push_back(fmt::format("{} first", slot)); }
  void on_header(std::uint32_t slot, std::string_view name, std::string_view value) override {
    lines.push_back(fmt::format("{} {}={}", slot, name, value));
  }
  void on_head(std::uint32_t slot, const ResponseHead& head) override {
    lines.push_back(fmt::format("{} head {}", slot, head.status));
  }
  void on_body(std::uint32_t slot, ByteView bytes) override {
    lines.push_back(fmt::format("{} body {}", slot, std::string(bytes.begin(), bytes.end())));
  }
  void on_response_complete(std::uint32_t slot, const ByteCounts& bytes) override {
    lines.push_back(fmt::format("{} done {}", slot, bytes.received));
  }
  void on_response_failed(std::uint32_t slot, Outcome outcome, std::string_view, const ByteCounts& bytes) override {
    lines.push_back(fmt::format("{} failed {}", slot, results::name(outcome)));
    received = bytes.received;
  }
  std::uint64_t received = 0;  // of the last failure
  void on_faulty_bytes(std::uint32_t slot, std::string_view bytes) override {
    lines.push_back(fmt::format("{} faulty {}", slot, bytes));
  }
  void on_unprocessed(std::uint32_t slot, const ByteCounts&) override {
    lines.push_back(fmt::format("{} unprocessed", slot));
  }
  void on_unwritten(std::uint32_t slot) override { lines.push_back(fmt::format("{} unwritten", slot)); }
  void on_lost(std::uint32_t slot, Outcome outcome, std::string_view, const ByteCounts&) override {
    lines.push_back(fmt::format("{} lost {}", slot, results::name(outcome)));
  }
  void on_session_over() override { lines.push_back("over"); }
};

PreparedRequest request_of(std::string url, std::uint32_t pipeline = 1) {
  RequestShape shape;
  shape.pipeline = pipeline;
  auto ready = prepare_request({.method = "GET", .url = std::move(url), .headers = {}, .body = ""}, shape);
  ready->lasting = true;
  return *ready;
}

using Lines = std::vector<std::string>;
constexpr std::string_view kOk = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi";  // 40 bytes

// proves part: HOOK-ARG-2 (plain requests without a body; not the arguments of functions)
TEST(Http1Session, OneExchangeAfterTheOther) {
  Wire wire;
  Log log;
  Http1Session session(wire, log, 1);
  const PreparedRequest request = request_of("http://h/");
  session.send_request(7, request);
  session.flush();
  EXPECT_EQ(wire.written, request.h1);
  EXPECT_EQ(wire.how, std::vector{Sending::kOnce});
  EXPECT_EQ(static_cast<const void*>(wire.last), request.h1.data()) << "what was prepared is sent, not encoded again";
  session.on_bytes(as_bytes(kOk));
  EXPECT_EQ(log.lines, (Lines{"7 first", "7 head 200", "7 done 40"}));
  EXPECT_TRUE(session.usable());
  EXPECT_EQ(session.in_flight(), 0U);
}

TEST(Http1Session, AKnownHeadIsToldAsOneThatIsRead) {
  Wire wire;
  Log log;
  KnownHeads known;
  Http1Session session(wire, log, 1, FirstRequest::kWithOthers, &known);
  const PreparedRequest request = request_of("http://h/");
  const auto answer = [&](std::string_view text) {
    log.lines.clear();
    session.send_request(0, request);
    session.flush();
    session.on_bytes(as_bytes(text));
    return log.lines;
  };
  const Lines plain = {"0 first", "0 head 200", "0 done 40"};
  EXPECT_EQ(answer(kOk), plain);
  EXPECT_EQ(answer(kOk), plain);
  const std::string moved = "HTTP/1.1 302 Found\r\nLocation: /there\r\nContent-Length: 0\r\n\r\n";
  const Lines redirect = {"0 first", "0 location=/there", "0 head 302", "0 done 59"};
  EXPECT_EQ(answer(moved), redirect);
  EXPECT_EQ(answer(moved), redirect) << "a field that is needed is told each time";
}

TEST(Http1Session, ARequestForHeadersReadsKnownHeads) {
  Wire wire;
  Log log;
  KnownHeads known;
  Http1Session session(wire, log, 1, FirstRequest::kWithOthers, &known);
  PreparedRequest curious = request_of("http://h/");
  curious.wants_headers = true;
  const PreparedRequest plain = request_of("http://h/");
  for (const bool wants_headers : {false, false, true}) {
    log.lines.clear();
    session.send_request(0, wants_headers ? curious : plain);
    session.flush();
    session.on_bytes(as_bytes(kOk));
  }
  EXPECT_EQ(log.lines, (Lines{"0 first", "0 content-length=2", "0 head 200", "0 done 40"}));
}

TEST(Http1Session, ConnectionCloseEndsTheSessionAfterItsAnswer) {
  Wire wire;
  Log log;
  Http1Session session(wire, log, 1);
  const PreparedRequest request = request_of("http://h/");
  session.send_request(0, request);
  session.flush();
  session.on_bytes(as_bytes("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"));
  EXPECT_FALSE(session.usable());
  EXPECT_EQ(log.lines.back(), "over");
}

TEST(Http1Session, PipelineIsSentOnceAndAnsweredInOrder) {
  Wire wire;
  Log log;
  Http1Session session(wire, log, 3);
  const PreparedRequest request = request_of("http://h/", 3);
  for (std::uint32_t slot : {5U, 6U, 7U}) session.send_request(slot, request);
  session.flush();
  EXPECT_EQ(wire.written, request.h1 + request.h1 + request.h1);
  EXPECT_EQ(wire.how.size(), 1U);
  session.on_bytes(as_bytes(std::string(kOk) + std::string(kOk)));
  EXPECT_EQ(session.in_flight(), 1U);
  session.on_bytes(as_bytes(kOk));
  EXPECT_EQ(log.lines, (Lines{"5 first", "5 head 200", "5 done 40", "6 first", "6 head 200", "6 done 40", "7 first",
                              "7 head 200", "7 done 40"}));
}

TEST(Http1Session, RequestsAfterCloseAreUnprocessed) {
  Wire wire;
  Log log;
  Http1Session session(wire, log, 3);
  const PreparedRequest request = request_of("http://h/", 3);
  for (std::uint32_t slot : {1U, 2U, 3U}) session.send_request(slot, request);
  session.flush();
  session.on_bytes(as_bytes("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"));
  EXPECT_EQ(log.lines, (Lines{"1 first", "1 head 200", "1 done 57", "2 unprocessed", "3 unprocessed", "over"}));
}

TEST(Http1Session, WhileTheTransportIsBusyRequestsWait) {
  Wire wire;
  Log log;
  Http1Session session(wire, log, 2);
  const PreparedRequest request = request_of("http://h/", 2);
  wire.busy = true;
  session.send_request(0, request);
  session.flush();
  session.send_request(1, request);
  session.flush();
  EXPECT_EQ(wire.how.size(), 1U);
  wire.busy = false;
  session.on_sent();
  EXPECT_EQ(wire.written, request.h1 + request.h1);
}

TEST(Http1Session, OneShotRequestIsKeptUntilSent) {
  Wire wire;
  Log log;
  Http1Session session(wire, log, 1);
  PreparedRequest request = request_of("http://h/");
  request.lasting = false;
  session.send_request(0, request);
  session.flush();
  EXPECT_EQ(wire.how, std::vector{Sending::kTracked});
}

TEST(Http1Session, ACloseBeforeTheEndFailsTheExchange) {
  Wire wire;
  Log log;
  Http1Session session(wire, log, 1);
  const PreparedRequest request = request_of("http://h/");
  session.send_request(0, request);
  session.flush();
  session.on_bytes(as_bytes("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab"));
  session.on_end();
  EXPECT_EQ(log.lines, (Lines{"0 first", "0 head 200", "0 failed closed", "over"}));
}

TEST(Http1Session, ACloseIsTheEndOfABodyWithoutLength) {
  Wire wire;
  Log log;
  Http1Session session(wire, log, 1);
  const PreparedRequest request = request_of("http://h/");
  session.send_request(0, request);
  session.flush();
  session.on_bytes(as_bytes("HTTP/1.1 200 OK\r\n\r\nall of it"));
  session.on_end();
  EXPECT_EQ(log.lines, (Lines{"0 first", "0 head 200", "0 done 28", "over"}));
}

TEST(Http1Session, NonsenseIsAProtocolFailure) {
  Wire wire;
  Log log;
  Http1Session session(wire, log, 1);
  const PreparedRequest request = request_of("http://h/");
  session.send_request(0, request);
  session.flush();
  session.on_bytes(as_bytes("this is not HTTP\r\n\r\n"));
  EXPECT_EQ(log.lines, (Lines{"0 faulty this is not HTTP\r\n\r\n", "0 failed protocol", "over"}));
  EXPECT_EQ(log.received, 20U) << "what came is counted also when it cannot be read";
}

TEST(Http1Session, CountsWhatCameOfAnUnfinishedAnswer) {
  Wire wire;
  Log log;
  Http1Session session(wire, log, 2);
  const PreparedRequest request = request_of("http://h/", 2);
  session.send_request(4, request);
  session.send_request(5, request);
  session.flush();
  EXPECT_EQ(session.bytes_of(4).received, 0U);
  session.on_bytes(as_bytes(kOk.substr(0, 39)));
  EXPECT_EQ(session.bytes_of(4).received, 39U);
  EXPECT_EQ(session.bytes_of(5).received, 0U);
}

// The connection is closed at the moment the next request is written, which the peer never reads.
TEST(Http1Session, ACloseOnAReusedConnectionLosesRequests) {
  for (const bool reset : {false, true}) {
    Wire wire;
    Log log;
    Http1Session session(wire, log, 2);
    const PreparedRequest request = request_of("http://h/", 2);
    session.send_request(0, request);
    session.flush();
    session.on_bytes(as_bytes(kOk));
    session.send_request(1, request);
    session.send_request(2, request);
    session.flush();
    log.lines.clear();
    if (reset) session.on_broken(Outcome::kReset, "Connection reset by peer");
    if (!reset) session.on_end();
    const std::string_view how = reset ? "reset" : "closed";
    EXPECT_EQ(log.lines, (Lines{fmt::format("1 lost {}", how), fmt::format("2 lost {}", how), "over"}));
  }
}

TEST(Http1Session, AnAnswerThatHadBegunIsNotLostButFailed) {
  Wire wire;
  Log log;
  Http1Session session(wire, log, 2);
  const PreparedRequest request = request_of("http://h/", 2);
  session.send_request(0, request);
  session.flush();
  session.on_bytes(as_bytes(kOk));
  session.send_request(1, request);
  session.send_request(2, request);
  session.flush();
  session.on_bytes(as_bytes("HTTP/1.1 100 Continue\r\n\r\n"));
  log.lines.clear();
  session.on_end();
  EXPECT_EQ(log.lines, (Lines{"1 failed closed", "2 lost closed", "over"}));
  EXPECT_EQ(log.received, 25U);
}

TEST(Http1Session, OtherFailuresOfAReusedConnectionLoseNothing) {
  Wire wire;
  Log log;
  Http1Session session(wire, log, 1);
  const PreparedRequest request = request_of("http://h/");
  session.send_request(0, request);
  session.flush();
  session.on_bytes(as_bytes(kOk));
  session.send_request(1, request);
  session.flush();
  log.lines.clear();
  session.on_broken(Outcome::kUnreachable, "No route to host");
  EXPECT_EQ(log.lines, (Lines{"1 failed unreachable", "over"}));
}

TEST(Http1Session, WhatWasNeverWrittenIsGivenBack) {
  enum class How { kClosed, kReset, kGarbage, kAbandoned, kCloseSaid };
  for (const How how : {How::kClosed, How::kReset, How::kGarbage, How::kAbandoned, How::kCloseSaid}) {
    SCOPED_TRACE(static_cast<int>(how));
    Wire wire;
    Log log;
    Http1Session session(wire, log, 3);
    const PreparedRequest request = request_of("http://h/", 3);
    wire.busy = true;  // the transport has not taken the first one
    session.send_request(0, request);
    session.flush();
    session.send_request(1, request);
    session.flush();
    if (how == How::kClosed) session.on_end();
    if (how == How::kReset) session.on_broken(Outcome::kReset, "Connection reset by peer");
    if (how == How::kGarbage) session.on_bytes(as_bytes("GARBAGE"));
    if (how == How::kAbandoned) session.abandon(0);
    if (how == How::kCloseSaid)
      session.on_bytes(as_bytes("HTTP/1.1 400 No\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"));
    ASSERT_GE(log.lines.size(), 2U);
    EXPECT_EQ(log.lines[log.lines.size() - 2], "1 unwritten");
    EXPECT_EQ(log.lines.back(), "over");
    EXPECT_EQ(wire.written, request.h1);
  }
}

TEST(Http1Session, AbandonedUnwrittenRequestIsNotReturned) {
  Wire wire;
  Log log;
  Http1Session session(wire, log, 2);
  const PreparedRequest request = request_of("http://h/", 2);
  wire.busy = true;
  session.send_request(0, request);
  session.flush();
  session.send_request(1, request);
  session.flush();
  session.abandon(1);
  EXPECT_EQ(log.lines, (Lines{"0 failed cut", "over"}));
}

// RFC 9112, section 9.3.2.
TEST(Http1Session, AfterALossTheFirstRequestGoesAlone) {
  Wire wire;
  Log log;
  Http1Session session(wire, log, 4, FirstRequest::kAlone);
  const PreparedRequest request = request_of("http://h/", 4);
  EXPECT_EQ(session.capacity(), 1U);
  session.send_request(0, request);
  session.flush();
  session.on_bytes(as_bytes(kOk));
  EXPECT_EQ(session.capacity(), 4U);
}

// RFC 9110, section 6.5.1.
TEST(Http1Session, TrailersAreNotTakenForTheHead) {
  Wire wire;
  Log log;
  Http1Session session(wire, log, 1);
  PreparedRequest request = request_of("http://h/");
  request.wants_headers = true;
  session.send_request(0, request);
  session.flush();
  session.on_bytes(
      as_bytes("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
               "0\r\nLocation: /x\r\nSet-Cookie: a=1\r\n\r\n"));
  EXPECT_EQ(log.lines, (Lines{"0 first", "0 transfer-encoding=chunked", "0 head 200", "0 done 83"}));
}

TEST(Http1Session, BytesThatNobodyAskedForEndTheSession) {
  Wire wire;
  Log log;
  Http1Session session(wire, log, 1);
  session.on_bytes(as_bytes(kOk));
  EXPECT_FALSE(session.usable());
  EXPECT_EQ(log.lines, Lines{"over"});
}

TEST(Http1Session, AFailureStatusHandsItsBodyOn) {
  Wire wire;
  Log log;
  Http1Session session(wire, log, 1);
  const PreparedRequest request = request_of("http://h/");
  session.send_request(0, request);
  session.flush();
  session.on_bytes(as_bytes("HTTP/1.1 500 Oops\r\nContent-Length: 3\r\n\r\nwhy"));
  EXPECT_EQ(log.lines, (Lines{"0 first", "0 head 500", "0 body why", "0 done 43"}));
}

TEST(Http1Session, OnlyCookiesAndLocationAreAlwaysReported) {
  Wire wire;
  Log log;
  Http1Session session(wire, log, 1);
  PreparedRequest request = request_of("http://h/");
  const std::string answer =
      "HTTP/1.1 302 Found\r\nX-Other: 1\r\nLOCATION: /x\r\nSet-Cookie: a=1\r\nContent-Length: 0\r\n\r\n";
  session.send_request(0, request);
  session.flush();
  session.on_bytes(as_bytes(answer));
  EXPECT_EQ(log.lines[1], "0 location=/x");
  EXPECT_EQ(log.lines[2], "0 set-cookie=a=1");
  EXPECT_EQ(log.lines[3], "0 head 302");
  log.lines.clear();
  request.wants_headers = true;
  session.send_request(0, request);
  session.flush();
  session.on_bytes(as_bytes(answer));
  EXPECT_EQ(log.lines[1], "0 x-other=1");
}

TEST(Http1Session, AbandonFailsTheOthersAndEndsTheSession) {
  Wire wire;
  Log log;
  Http1Session session(wire, log, 2);
  const PreparedRequest request = request_of("http://h/", 2);
  session.send_request(0, request);
  session.send_request(1, request);
  session.flush();
  session.abandon(0);
  EXPECT_EQ(log.lines, (Lines{"1 failed cut", "over"}));
}

TEST(Http1Session, ABrokenTransportFailsEverythingInFlight) {
  Wire wire;
  Log log;
  Http1Session session(wire, log, 2);
  const PreparedRequest request = request_of("http://h/", 2);
  session.send_request(0, request);
  session.send_request(1, request);
  session.flush();
  session.on_broken(Outcome::kReset, "Connection reset by peer");
  EXPECT_EQ(log.lines, (Lines{"0 failed reset", "1 failed reset", "over"}));
}

struct Silent final : SessionEvents {
  std::uint64_t done = 0;
  void on_first_byte(std::uint32_t) override {}
  void on_header(std::uint32_t, std::string_view, std::string_view) override {}
  void on_head(std::uint32_t, const ResponseHead&) override {}
  void on_body(std::uint32_t, ByteView) override {}
  void on_response_complete(std::uint32_t, const ByteCounts&) override { ++done; }
  void on_response_failed(std::uint32_t, Outcome, std::string_view, const ByteCounts&) override {}
  void on_unprocessed(std::uint32_t, const ByteCounts&) override {}
  void on_session_over() override {}
};

struct Sink final : Transport {
  void start(StreamId) override {}
  bool send(ByteView, Sending) override { return true; }
  void close() override {}
};

TEST(Http1Session, AnExchangeDoesNotAllocate) {
  Sink sink;
  Silent silent;
  Http1Session session(sink, silent, 1);
  const PreparedRequest request = request_of("http://h/");
  const auto exchange = [&] {
    session.send_request(0, request);
    session.flush();
    session.on_bytes(as_bytes(kOk));
  };
  exchange();
  const std::size_t before = test::allocation_count();
  for (int i = 0; i < 1000; ++i) exchange();
  EXPECT_EQ(test::allocation_count(), before);
  EXPECT_EQ(silent.done, 1001U);
}

}  // namespace
}  // namespace hyperscale::load
