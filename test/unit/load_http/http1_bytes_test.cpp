// What counts as sent and received over HTTP/1.1: requests as far as they were written, and all of the connection.
#include "load/protocols/http/http1_session.h"
#include "load/protocols/prepared_request.h"

#include <map>
#include <string>

#include <gtest/gtest.h>

namespace hyperscale::load {
namespace {

constexpr std::string_view kAnswer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

// Takes everything, or leaves `stuck` bytes of it in the kernel's way.
struct StuckWire final : Transport {
  std::uint64_t taken = 0;
  std::size_t stuck = 0;
  Sending how = Sending::kOnce;
  void start(StreamId) override {}
  bool send(ByteView bytes, Sending sending) override {
    taken += bytes.size();
    how = sending;
    return stuck == 0;
  }
  void close() override {}
  std::size_t unsent() const override { return stuck; }
};

struct Bytes final : SessionEvents {
  std::map<std::uint32_t, ByteCounts> of;
  void on_first_byte(std::uint32_t) override {}
  void on_header(std::uint32_t, std::string_view, std::string_view) override {}
  void on_head(std::uint32_t, const ResponseHead&) override {}
  void on_body(std::uint32_t, ByteView) override {}
  void on_response_complete(std::uint32_t slot, const ByteCounts& bytes) override { of[slot] = bytes; }
  void on_response_failed(std::uint32_t slot, results::Outcome, std::string_view, const ByteCounts& bytes) override {
    of[slot] = bytes;
  }
  void on_unprocessed(std::uint32_t slot, const ByteCounts& bytes) override { of[slot] = bytes; }
  void on_session_over() override {}
};

PreparedRequest request_of(std::size_t bytes) {
  PreparedRequest request;
  request.h1 = "POST / HTTP/1.1\r\n\r\n";
  request.h1.resize(bytes, 'b');
  request.lasting = true;
  return request;
}

TEST(Http1Bytes, AnAnsweredRequestCountsWhole) {
  StuckWire wire;
  Bytes bytes;
  Http1Session session(wire, bytes, 1);
  const PreparedRequest request = request_of(100);
  for (std::uint32_t slot = 0; slot < 2; ++slot) {
    session.send_request(slot, request);
    session.flush();
    session.on_bytes(as_bytes(kAnswer));
    EXPECT_EQ(bytes.of[slot], (ByteCounts{.sent = 100, .received = kAnswer.size()}));
  }
  EXPECT_EQ(session.bytes(), (ByteCounts{.sent = 200, .received = 2 * kAnswer.size()}));
}

TEST(Http1Bytes, ACutUploadCountsWhatWasWritten) {
  StuckWire wire;
  wire.stuck = 900'000;
  Bytes bytes;
  Http1Session session(wire, bytes, 1);
  const PreparedRequest upload = request_of(1'000'000);
  session.send_request(0, upload);
  EXPECT_EQ(session.bytes_of(0), ByteCounts()) << "not handed over yet";
  session.flush();
  EXPECT_EQ(wire.how, Sending::kTracked);
  EXPECT_EQ(session.bytes_of(0), (ByteCounts{.sent = 100'000, .received = 0}));
  session.on_broken(results::Outcome::kReset, "gone");
  EXPECT_EQ(bytes.of[0], (ByteCounts{.sent = 100'000, .received = 0}));
  EXPECT_EQ(session.bytes().sent, 100'000u);
}

TEST(Http1Bytes, AnEarlyAnswerCountsWhatWasWritten) {
  StuckWire wire;
  wire.stuck = 900'000;
  Bytes bytes;
  Http1Session session(wire, bytes, 1);
  const PreparedRequest upload = request_of(1'000'000);
  session.send_request(0, upload);
  session.flush();
  session.on_bytes(as_bytes(kAnswer));
  EXPECT_EQ(bytes.of[0], (ByteCounts{.sent = 100'000, .received = kAnswer.size()}));
}

TEST(Http1Bytes, OfAPipelineThePartBeforeTheStopCounts) {
  StuckWire wire;
  wire.stuck = 150;
  Bytes bytes;
  Http1Session session(wire, bytes, 4);
  const PreparedRequest request = request_of(100);
  for (std::uint32_t slot = 0; slot < 3; ++slot) session.send_request(slot, request);
  session.flush();
  session.send_request(3, request);
  session.on_broken(results::Outcome::kReset, "gone");
  EXPECT_EQ(bytes.of[0].sent, 100u);
  EXPECT_EQ(bytes.of[1].sent, 50u);
  EXPECT_EQ(bytes.of[2].sent, 0u);
  EXPECT_EQ(bytes.of[3].sent, 0u);
}

TEST(Http1Bytes, WhatCameUnaskedIsOfTheConnection) {
  StuckWire wire;
  Bytes bytes;
  Http1Session session(wire, bytes, 1);
  const PreparedRequest request = request_of(100);
  session.send_request(0, request);
  session.flush();
  const std::string with_garbage = std::string(kAnswer) + "GARBAGE";
  session.on_bytes(as_bytes(with_garbage));
  EXPECT_EQ(bytes.of[0].received, kAnswer.size());
  EXPECT_EQ(session.bytes().received, with_garbage.size());
}

}  // namespace
}  // namespace hyperscale::load
