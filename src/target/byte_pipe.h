// BytePipe: a connection's byte stream, over a socket or over TLS.
//
// Single-threaded. Every call is allowed inside a callback. After finish(), reset() or on_pipe_closed() the pipe
// ignores calls; on_pipe_closed() comes exactly once, whichever side closed, and is the last callback.
#pragma once

#include "base/bytes.h"

namespace hyperscale::target {

class PipeUser {
 public:
  virtual ~PipeUser() = default;
  virtual void on_pipe_bytes(ByteView bytes) = 0;  // never empty; valid during the call; may come while paused
  virtual void on_pipe_sent() = 0;                 // a send() that returned false is done
  virtual void on_pipe_end() = 0;                  // the peer will send nothing more
  virtual void on_pipe_closed() = 0;
};

class BytePipe {
 public:
  virtual ~BytePipe() = default;
  // True: done, another send may follow. False: keep the bytes valid and send nothing else until on_pipe_sent().
  virtual bool send(ByteView bytes) = 0;
  virtual void pause() = 0;
  virtual void resume() = 0;
  // Delivers everything that was sent, then ends the connection. REQUIRES: no send() is pending.
  virtual void finish() = 0;
  virtual void reset() = 0;
};

}  // namespace hyperscale::target
