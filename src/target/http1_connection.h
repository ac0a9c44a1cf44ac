// Http1Connection: reads the requests of one connection and sends the answers in the same order. Answers to pipelined
// requests that are ready are sent together.
//
// Single-threaded. One answer is in progress at a time; while it waits (for its delay, or for the peer to read) further
// input is stored up to kStashBytesMax, then reading pauses. A request that cannot be parsed gets 400, 413 or 431, and
// the connection ends.
#pragma once

#include "target/core_services.h"
#include "target/outbox.h"
#include "target/protocol.h"
#include "target/request_parser.h"

#include <string>
#include <string_view>

namespace hyperscale::target {

class Http1Connection final : public Protocol {
 public:
  Http1Connection(CoreServices& core, BytePipe& pipe);

  void on_pipe_bytes(ByteView bytes) override;
  void on_pipe_sent() override;
  void on_pipe_end() override;
  void on_pipe_closed() override;
  void stop() override;

 private:
  enum class State : std::uint8_t {
    kReading,
    kDelayed,  // the answer is known and not due
    kBody,     // the head of the answer is made, its body is being sent
    kSilent,   // no answer will come
    kClosing,  // ends when everything is sent
    kClosed,
  };

  void take(std::string_view input);
  void take_one(std::string_view& input);
  void answer_request();
  void begin_answer();
  void begin_body();
  void end_answer();
  void fill_body();
  void append_body_piece(std::uint64_t count);
  void pump();
  bool after_flush();
  void on_timer();

  CoreServices& core_;
  BytePipe& pipe_;
  load::Timer timer_;
  RequestParser parser_;
  ConnectionMark mark_;
  Outbox outbox_;
  Answer answer_;
  std::string stash_;
  State state_ = State::kReading;
  std::uint64_t body_at_ = 0;
  std::uint64_t body_end_ = 0;
  std::uint32_t requests_ = 0;
  bool chunked_ = false;
  bool head_only_ = false;
  bool last_ = false;  // no request is read after the one in progress
  bool dripping_ = false;
  bool peer_done_ = false;
  bool paused_ = false;
  bool pumping_ = false;
};

}  // namespace hyperscale::target
