// LineConnection: a line protocol in the style of Redis' inline commands, for raw TCP. One line in, one line out:
//
//   PING         +PONG
//   ECHO text    +text
//   SIZE n       "+" and n letters x, at most kLineSizeMax
//   STRAY        +STRAY, and a second, unsolicited line in the same send
//   CLOSE        closes instead of an answer
//   NEVER        no answer
//   anything     -ERR unknown command
//
// A line ends with "\n", a "\r" before it is not part of it; answers end with "\r\n". Commands in any case. Every line
// counts as one exchange, before its answer is sent. A line of more than kLineBytesMax ends the connection.
//
// Single-threaded.
#pragma once

#include "target/core_services.h"
#include "target/outbox.h"
#include "target/protocol.h"

#include <string>
#include <string_view>

namespace hyperscale::target {

class LineConnection final : public Protocol {
 public:
  LineConnection(CoreServices& core, BytePipe& pipe) : core_(core), pipe_(pipe) {}

  void on_pipe_bytes(ByteView bytes) override;
  void on_pipe_sent() override;
  void on_pipe_end() override;
  void on_pipe_closed() override { closed_ = true; }
  void stop() override;

 private:
  void answer(std::string_view line);
  void pump();
  void end();

  CoreServices& core_;
  BytePipe& pipe_;
  bool counted_ = false;  // as a connection
  Outbox outbox_;
  std::string begun_;  // the start of an incomplete line
  bool paused_ = false;
  bool ending_ = false;  // finish when all output is sent
  bool closed_ = false;
};

}  // namespace hyperscale::target
