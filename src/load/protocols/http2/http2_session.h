// Http2Session: HttpSession over HTTP/2 (RFC 9113), with prior knowledge in clear text or after ALPN chose h2.
//
// Single-threaded. The transport, the events and the memory outlive the session. Requests that are sent in one go, and
// the connection preface before the first of them, are collected and written by flush() in one transport send; while a
// send is under way the next frames are collected. on_bytes() flushes too, so a request sent from inside a callback
// needs no flush() of its own. A request must stay as it is until its exchange has ended or is abandoned.
//
// Callbacks come from on_bytes, on_sent, on_end, on_broken, flush and abandon. The session may be destroyed inside
// on_session_over and inside no other callback. When the peer lowers its limit of streams, capacity() may drop below
// in_flight(); an abandoned exchange counts in in_flight() until its reset has been handed to the transport.
//
// How exchanges fail: RST_STREAM is kReset. The end of the connection is kClosed, and so is a GOAWAY with an error that
// leaves a stream out; a GOAWAY without one gives such requests back by on_unprocessed. Frames and heads that break the
// protocol are kProtocol, with nghttp2's words for it. Trailers are read and not told.
#pragma once

#include "load/protocols/http2/free_list_memory.h"
#include "load/protocols/http_session.h"
#include "load/protocols/transport.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

struct nghttp2_session;

namespace hyperscale::load {

// Enough for any answer that is read at once, so that no answer waits for a window.
inline constexpr std::int32_t kHttp2WindowBytes = (1 << 30) - 1;
// Frames that are collected while the transport is busy; more wait in nghttp2.
inline constexpr std::size_t kHttp2CollectBytesMax = 64 << 10;

struct Http2Options {
  std::uint32_t streams_max = 1;     // what the plan allows; the peer may allow less
  std::int32_t first_stream_id = 1;  // odd; another one only to test the end of the numbers
};

class Http2Session final : public HttpSession {
 public:
  Http2Session(Transport& transport, SessionEvents& events, FreeListMemory& memory, const Http2Options& options);
  ~Http2Session() override;
  Http2Session(const Http2Session&) = delete;
  Http2Session& operator=(const Http2Session&) = delete;

  std::uint32_t capacity() const override;
  std::uint32_t in_flight() const override { return in_flight_; }
  bool usable() const override;
  void send_request(std::uint32_t slot, const PreparedRequest& request) override;
  void flush() override;
  void abandon(std::uint32_t slot) override;
  void silence() override;

  void on_bytes(ByteView bytes) override;
  void on_sent() override;
  void on_end() override;
  void on_broken(results::Outcome outcome, std::string_view detail) override;

 private:
  friend struct Http2Callbacks;

  // Streams find their exchange by its index, which nghttp2 keeps for them.
  struct Exchange {
    const PreparedRequest* request = nullptr;
    std::size_t body_sent = 0;
    std::uint64_t bytes_received = 0;
    std::int32_t stream_id = 0;  // 0: free
    std::uint32_t slot = 0;
    std::uint16_t status = 0;
    bool head_done = false;
    bool answer_ended = false;  // END_STREAM was received
    bool reset_by_peer = false;
    bool told = false;  // completed, failed or abandoned: the stream only has to close
  };

  Exchange* find(std::int32_t stream_id);
  std::uint32_t take_exchange();
  void release(Exchange& exchange);
  void complete(Exchange& exchange);
  void fail_closed_stream(Exchange& exchange, std::int32_t stream_id, std::uint32_t code);
  void collect();
  void write();
  void settle();
  void end_session(results::Outcome outcome, std::string_view detail);
  void announce_over();

  Transport& transport_;
  SessionEvents& events_;
  FreeListMemory& memory_;
  nghttp2_session* session_ = nullptr;
  std::uint32_t streams_max_;
  std::uint32_t in_flight_ = 0;
  std::vector<Exchange> exchanges_;
  std::vector<std::uint32_t> free_exchanges_;
  // The stream of the last frame, which is mostly that of the next callback too.
  std::int32_t found_stream_ = 0;
  std::uint32_t found_index_ = 0;

  std::vector<std::uint8_t> collected_;
  std::vector<std::uint8_t> sending_;
  bool send_pending_ = false;
  bool drained_ = true;  // nghttp2 had nothing more to write when it was last asked
  bool inside_nghttp2_ = false;
  bool ended_ = false;  // nothing is read or written any more
  bool over_told_ = false;
  std::int32_t goaway_last_id_ = INT32_MAX;
  std::uint32_t goaway_code_ = 0;
  std::string last_error_;  // nghttp2's words for what the peer did wrong
};

}  // namespace hyperscale::load
