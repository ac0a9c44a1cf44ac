// SessionPair: an Http2Session and a TestServer joined by two byte queues, and a record of what the session told.
#pragma once

#include "load/protocols/http2/http2_session.h"
#include "load/protocols/prepared_request.h"
#include "test_server.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace hyperscale::load {

// Takes everything at once, or nothing while `busy`.
class QueueTransport final : public Transport {
 public:
  void start(StreamId) override {}
  bool send(ByteView bytes, Sending) override {
    ++sends;
    if (busy) {
      held = bytes;
      return false;
    }
    out.insert(out.end(), bytes.begin(), bytes.end());
    return true;
  }
  void close() override {}
  std::size_t unsent() const override { return unsent_tail ? *unsent_tail : busy ? held.size() : 0; }

  std::vector<std::uint8_t> out;
  ByteView held;
  bool busy = false;
  std::optional<std::size_t> unsent_tail;  // of what is held
  int sends = 0;
};

struct Seen {
  int first_bytes = 0;
  int heads = 0;
  int completed = 0;
  std::uint16_t status = 0;
  Fields fields;
  std::string body;
  std::uint64_t bytes = 0;  // received
  std::uint64_t bytes_sent = 0;
  int unprocessed = 0;
  std::optional<results::Outcome> failure;
  std::string detail;
  bool operator==(const Seen&) const = default;
};

class SessionRecord final : public SessionEvents {
 public:
  void on_first_byte(std::uint32_t slot) override { ++seen[slot].first_bytes; }
  void on_header(std::uint32_t slot, std::string_view name, std::string_view value) override {
    EXPECT_EQ(seen[slot].first_bytes, 1);
    EXPECT_EQ(seen[slot].heads, 0);
    seen[slot].fields.emplace_back(name, value);
  }
  void on_head(std::uint32_t slot, const ResponseHead& head) override {
    ++seen[slot].heads;
    seen[slot].status = head.status;
    EXPECT_EQ(head.http_major, 2);
    EXPECT_EQ(head.http_minor, 0);
  }
  void on_body(std::uint32_t slot, ByteView bytes) override {
    seen[slot].body.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  }
  void on_response_complete(std::uint32_t slot, const ByteCounts& bytes) override {
    ++seen[slot].completed;
    ++completed;
    count(slot, bytes);
    EXPECT_EQ(overs, 0);
    if (on_complete) on_complete(slot);
  }
  void on_response_failed(std::uint32_t slot, results::Outcome outcome, std::string_view detail,
                          const ByteCounts& bytes) override {
    EXPECT_FALSE(seen[slot].failure) << "told twice";
    seen[slot].failure = outcome;
    seen[slot].detail = detail;
    count(slot, bytes);
    EXPECT_EQ(overs, 0);
  }
  void on_unprocessed(std::uint32_t slot, const ByteCounts& bytes) override {
    ++seen[slot].unprocessed;
    count(slot, bytes);
    EXPECT_EQ(overs, 0);
  }
  void on_session_over() override { ++overs; }
  void count(std::uint32_t slot, const ByteCounts& bytes) {
    seen[slot].bytes = bytes.received;
    seen[slot].bytes_sent = bytes.sent;
  }

  std::map<std::uint32_t, Seen> seen;
  int completed = 0;
  int overs = 0;
  std::function<void(std::uint32_t)> on_complete;
};

inline PreparedRequest make_request(std::string method = "GET", std::string body = {}) {
  PreparedRequest request;
  request.is_head = method == "HEAD";
  request.h2 = {{":method", std::move(method)},
                {":scheme", "https"},
                {":authority", "a.example"},
                {":path", "/x?y=1"},
                {"user-agent", "test"}};
  request.body = std::move(body);
  request.wants_headers = true;
  request.wants_body = true;
  return request;
}

struct SessionPair {
  explicit SessionPair(Http2Options options = {.streams_max = 100}, std::vector<nghttp2_settings_entry> settings = {},
                       bool manual_window = false)
      : server(std::move(settings), manual_window), session(transport, record, memory, options) {}

  // Carries bytes both ways until neither end has more to say.
  void run() {
    for (;;) {
      const std::vector<std::uint8_t> to_server = std::exchange(transport.out, {});
      if (!to_server.empty()) server.receive(to_server);
      const std::vector<std::uint8_t> to_client = server.output();
      if (to_server.empty() && to_client.empty()) return;
      if (!to_client.empty()) session.on_bytes(to_client);
    }
  }

  // Ends a send that the busy transport held back.
  void unblock() {
    transport.busy = false;
    transport.out.insert(transport.out.end(), transport.held.begin(), transport.held.end());
    session.on_sent();
  }

  FreeListMemory memory;
  QueueTransport transport;
  SessionRecord record;
  TestServer server;
  Http2Session session;
};

}  // namespace hyperscale::load
