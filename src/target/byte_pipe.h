// BytePipe: a connection's bytes as HTTP sees them, in clear text or over TLS.
//
// Single-threaded. Every call is allowed inside a callback. After finish(), reset() or on_pipe_closed() the pipe takes
// calls and ignores them; on_pipe_closed() comes exactly once, whoever closed, and is the last callback.
#pragma once

#include "base/bytes.h"

namespace hyperscale::target {

class PipeUser {
 public:
  virtual ~PipeUser() = default;
  virtual void on_pipe_bytes(ByteView bytes) = 0;  // never empty; valid during the call; may come while paused
  virtual void on_pipe_sent() = 0;                 // a send() that answered false is done
  virtual void on_pipe_end() = 0;                  // the peer will send nothing more
  virtual void on_pipe_closed() = 0;
};

class BytePipe {
 public:
  virtual ~BytePipe() = default;
  // True: done, send again at will. False: the bytes stay valid and nothing else is sent until on_pipe_sent().
  virtual bool send(ByteView bytes) = 0;
  virtual void pause() = 0;
  virtual void resume() = 0;
  // Everything that was sent arrives, then the end. REQUIRES: no send() is under way.
  virtual void finish() = 0;
  virtual void reset() = 0;
};

}  // namespace hyperscale::target
