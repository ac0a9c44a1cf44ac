// Protocol: HTTP/1.1 or HTTP/2 on one connection. Single-threaded.
#pragma once

#include "target/byte_pipe.h"

namespace hyperscale::target {

class Protocol : public PipeUser {
 public:
  // The server stops: finishes started answers, then ends the connection.
  virtual void stop() = 0;
};

}  // namespace hyperscale::target
