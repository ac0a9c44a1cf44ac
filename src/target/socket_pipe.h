// SocketPipe: a BytePipe over a socket of the event loop.
//
// Single-threaded. finish() ends our half and then waits for the peer's, at most kLingerMax: after closing at once the
// kernel would answer further bytes with a reset, which may destroy an answer in transit.
#pragma once

#include "load/loop/event_loop.h"
#include "target/byte_pipe.h"

namespace hyperscale::target {

class SocketPipe final : public BytePipe, private load::StreamEvents {
 public:
  SocketPipe(load::EventLoop& loop, PipeUser& user);
  ~SocketPipe() override;
  // Takes over a connected, non-blocking socket.
  void open(int fd);

  bool send(ByteView bytes) override;
  void pause() override;
  void resume() override;
  void finish() override;
  void reset() override;

 private:
  void on_connected() override {}
  void on_data(ByteView bytes) override;
  void on_sent() override;
  void on_end() override;
  void on_failed(int error) override;
  void close(load::EventLoop::Close how);
  void closed();

  load::EventLoop& loop_;
  PipeUser& user_;
  load::Timer linger_;
  load::StreamId stream_;
  bool open_ = false;
  bool finished_ = false;
  bool peer_done_ = false;
};

}  // namespace hyperscale::target
