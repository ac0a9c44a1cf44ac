// Protocol: HTTP/1.1 or HTTP/2 on one connection. Single-threaded.
#pragma once

#include "target/byte_pipe.h"

namespace hyperscale::target {

class Protocol : public PipeUser {
 public:
  // The server stops: answers under way are finished, then the connection ends.
  virtual void stop() = 0;
};

}  // namespace hyperscale::target
