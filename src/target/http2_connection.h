// Http2Connection: many requests at a time on one connection, each with a stream of its own, within the peer's flow
// control.
//
// Single-threaded. Reading pauses when kBodyBlockBytes of output wait for the peer. A route that closes the connection
// sends GOAWAY and lets open streams finish; a reset ends the stream only.
#pragma once

#include "target/core_services.h"
#include "target/http2_session.h"
#include "target/http2_stream.h"
#include "target/outbox.h"
#include "target/protocol.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace hyperscale::target {

class Http2Connection final : public Protocol {
 public:
  Http2Connection(CoreServices& core, BytePipe& pipe);

  void on_pipe_bytes(ByteView bytes) override;
  void on_pipe_sent() override;
  void on_pipe_end() override;
  void on_pipe_closed() override;
  void stop() override;

  // Called by the session.
  Http2Stream& open_stream(std::int32_t id);
  void close_stream(Http2Stream& stream);
  void on_request(Http2Stream& stream);
  // Result for nghttp2: bytes written, or NGHTTP2_ERR_DEFERRED, or an error that resets the stream.
  ssize_t read_body(Http2Stream& stream, std::uint8_t* out, std::size_t size, std::uint32_t* flags);

 private:
  enum class State : std::uint8_t { kOpen, kClosing, kClosed };

  void begin_answer(Http2Stream& stream);
  void submit_answer(Http2Stream& stream);
  void leave();
  void on_timer(Http2Stream& stream);
  void pump();
  void gather();
  void finish_if_over();
  void set_paused(bool paused);

  CoreServices& core_;
  BytePipe& pipe_;
  std::vector<std::unique_ptr<Http2Stream>> streams_;
  std::vector<Http2Stream*> unused_;
  std::vector<Field> fields_;
  Http2Session session_;
  ConnectionMark mark_;
  Outbox outbox_;
  State state_ = State::kOpen;
  std::uint32_t requests_ = 0;
  bool leaving_ = false;  // GOAWAY was submitted
  bool paused_ = false;
  bool in_session_ = false;  // inside a callback of nghttp2: it must not be called for output
};

}  // namespace hyperscale::target
