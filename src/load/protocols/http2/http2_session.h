// Http2Session: HttpSession over HTTP/2 (RFC 9113), with prior knowledge in clear text or after ALPN chose h2.
//
// Single-threaded. The transport, the events and the memory outlive the session. Requests, and the connection preface
// before the first of them, are collected and written by flush() in one transport send; while a send is pending the
// next frames are collected. on_bytes() flushes too, so a request sent from inside a callback needs no flush() of its
// own. A request must not change until its exchange has ended or is abandoned.
//
// Callbacks come from on_bytes, on_sent, on_end, on_broken, flush and abandon. The session may be destroyed inside
// on_session_over and inside no other callback. When the peer lowers its limit of streams, capacity() may drop below
// in_flight(); requests that were accepted before wait for their turn.
//
// How exchanges fail: RST_STREAM is kReset. The end of the connection is kClosed, and so is a stream above the last one
// of a GOAWAY with an error; a GOAWAY without error, and RST_STREAM with REFUSED_STREAM, give such requests back by
// on_unprocessed unless an answer had begun. Answers that break the protocol are kProtocol and end their own stream;
// frames that break it end the connection, with our GOAWAY. Trailers are checked and not reported. Frames for streams
// that are over are dropped.
#pragma once

#include "load/protocols/http2/flow_window.h"
#include "load/protocols/http2/frame_reader.h"
#include "load/protocols/http2/free_list_memory.h"
#include "load/protocols/http2/header_decoder.h"
#include "load/protocols/http2/request_encoder.h"
#include "load/protocols/http2/stream_table.h"
#include "load/protocols/http_session.h"
#include "load/protocols/transport.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace hyperscale::load {

// Large enough that an answer hardly ever waits for a window.
inline constexpr std::int32_t kHttp2WindowBytes = (1 << 30) - 1;
// Frames that are collected while the transport is busy; requests and bodies beyond wait in their exchanges.
inline constexpr std::size_t kHttp2CollectBytesMax = 64 << 10;
// Answers to PING and SETTINGS that wait for the transport; with more of them the connection is ended.
inline constexpr std::uint32_t kHttp2AcksMax = 1000;
// Bytes kept of a header block in several frames. Frames of a single byte are allowed.
inline constexpr std::size_t kHttp2BlockBytesMax = 64 << 10;
// Empty frames: CONTINUATION within a header block, DATA in a row. More of them are a flood (RFC 9113, section 10.5)
// and end the connection.
inline constexpr std::uint32_t kHttp2EmptyFramesMax = 100;
// The assumed limit until the peer has sent how many streams it allows.
inline constexpr std::uint32_t kHttp2FirstStreamsMax = 100;

struct Http2Options {
  std::uint32_t streams_max = 1;     // what the plan allows; the peer may allow less
  std::int32_t first_stream_id = 1;  // odd; other values only for tests of the end of the numbers
};

class Http2Session final : public HttpSession, private http2::FieldSink {
 public:
  Http2Session(Transport& transport, SessionEvents& events, FreeListMemory& memory, const Http2Options& options);
  Http2Session(const Http2Session&) = delete;
  Http2Session& operator=(const Http2Session&) = delete;

  std::uint32_t capacity() const override;
  std::uint32_t in_flight() const override { return in_flight_; }
  bool usable() const override;
  void send_request(std::uint32_t slot, const PreparedRequest& request) override;
  void flush() override;
  ByteCounts bytes_of(std::uint32_t slot) const override;
  ByteCounts bytes() const override { return {.sent = handed_ - transport_.unsent(), .received = read_}; }
  void abandon(std::uint32_t slot) override;
  void silence() override;

  void on_bytes(ByteView bytes) override;
  void on_sent() override;
  void on_end() override;
  void on_broken(results::Outcome outcome, std::string_view detail) override;

 private:
  struct Exchange {
    const PreparedRequest* request = nullptr;
    std::size_t body_sent = 0;
    std::uint64_t bytes_made = 0;  // of its frames, written or not
    std::uint64_t bytes_received = 0;
    std::int64_t content_length = http2::ResponseFields::kNoLength;
    std::int64_t body_received = 0;
    http2::SendWindow send_window{0};
    http2::ReceiveWindow receive_window{0};
    std::uint32_t stream_id = 0;  // 0: free
    std::uint32_t slot = 0;
    std::uint16_t status = 0;  // of the final head
    bool sent = false;         // its HEADERS, so that the peer knows the stream
    bool answered = false;     // a head came, possibly an informational one
    bool request_ended = false;
  };

  // Exchanges.
  Exchange& take_exchange();
  void release(Exchange& exchange);
  ByteCounts bytes_of(const Exchange& exchange) const;
  std::uint64_t unwritten_of(std::uint32_t stream_id) const;
  void complete(Exchange& exchange);
  void fail(Exchange& exchange, results::Outcome outcome, std::string_view detail);
  void give_back(Exchange& exchange);
  void fail_stream(Exchange& exchange, http2::ErrorCode code, std::string_view detail);

  // Received frames.
  void on_frame(const http2::FrameReader::Piece& piece);
  void on_data(const http2::FrameReader::Piece& piece);
  ByteView without_padding(const http2::FrameReader::Piece& piece);
  void on_body(std::uint32_t stream_id, ByteView body);
  void on_headers(const http2::FrameHead& head, ByteView payload);
  void on_continuation(const http2::FrameHead& head, ByteView payload);
  void on_block(std::uint32_t stream_id, bool ends_stream, ByteView block);
  void on_head_read(Exchange& exchange, const http2::BlockReading& reading, bool ends_stream);
  void on_answer_ended(Exchange& exchange);
  void on_rst_stream(const http2::FrameHead& head, ByteView payload);
  void on_settings(const http2::FrameHead& head, ByteView payload);
  void on_setting(http2::Setting setting, std::uint32_t value);
  void on_initial_window(std::uint32_t bytes);
  void on_ping(const http2::FrameHead& head, ByteView payload);
  void on_goaway(const http2::FrameHead& head, ByteView payload);
  void on_window_update(const http2::FrameHead& head, ByteView payload);
  void on_status(std::uint16_t status) override;
  void on_field(std::string_view name, std::string_view value) override;
  bool is_idle(std::uint32_t stream_id) const;
  bool may_acknowledge();
  void fail_connection(http2::ErrorCode code, std::string_view text);

  // Frames to send.
  void collect();
  void append_request(Exchange& exchange);
  void append_bodies();
  bool append_body(Exchange& exchange);
  void write();

  void settle();
  void end_session(results::Outcome outcome, std::string_view detail);
  void announce_over();

  Transport& transport_;
  SessionEvents& events_;
  std::uint32_t streams_max_;
  std::uint32_t in_flight_ = 0;
  std::vector<std::unique_ptr<Exchange>> exchanges_;
  std::vector<Exchange*> free_exchanges_;
  http2::StreamTable<Exchange> streams_;  // exchanges whose HEADERS were made
  std::vector<Exchange*> waiting_;        // exchanges whose HEADERS were not made yet, in the order of their streams
  std::vector<Exchange*> uploads_;        // exchanges with a body that is not sent yet
  std::size_t upload_turn_ = 0;
  std::uint32_t next_stream_id_;
  std::uint32_t last_sent_id_ = 0;

  http2::FrameReader reader_;
  http2::HeaderDecoder decoder_;
  http2::RequestEncoder encoder_;
  Exchange* current_ = nullptr;  // the one whose head is being read; null when it ended meanwhile
  std::uint32_t data_left_ = 0;  // body bytes of the DATA frame that is being read
  bool padding_unknown_ = false;
  std::vector<std::uint8_t> block_;  // a header block in several frames
  std::uint32_t block_stream_ = 0;   // 0: no such block
  bool block_ends_stream_ = false;
  std::uint32_t empty_frames_ = 0;  // of the block, or of DATA in a row

  // Settings and GOAWAY of the peer.
  std::uint32_t peer_streams_max_ = kHttp2FirstStreamsMax;
  std::uint32_t peer_window_ = http2::kFirstWindow;
  std::uint32_t peer_frame_max_ = http2::kFrameBytesMax;
  bool settings_seen_ = false;
  bool settings_acknowledged_ = false;  // ours, by the peer
  bool goaway_seen_ = false;
  std::uint32_t goaway_last_id_ = http2::kLargestWindow;

  http2::SendWindow send_window_{http2::kFirstWindow};
  http2::ReceiveWindow receive_window_;
  std::vector<std::uint8_t> collected_;
  std::vector<std::uint8_t> sending_;
  std::uint64_t handed_ = 0;  // to the transport, since the start
  std::uint64_t read_ = 0;    // since the start
  std::uint32_t acks_collected_ = 0;
  bool send_pending_ = false;
  bool reading_ = false;
  bool ended_ = false;  // nothing is read or written any more
  bool over_reported_ = false;
  std::string failure_;  // the peer's protocol error; set once, then nothing more is read
};

}  // namespace hyperscale::load
