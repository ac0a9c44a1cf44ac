// Session: what a connection can ask of whichever HTTP version it speaks. Thread rule: the strand of the connection.
#pragma once

#include "runtime/secret/wiping_allocator.h"

#include <boost/beast/core/flat_buffer.hpp>

namespace hyperscale::runtime {

// Requests may carry credentials, so what is read from a peer is wiped when its memory is given back.
using ReadBuffer = boost::beast::basic_flat_buffer<WipingAllocator<char>>;

class Session {
 public:
  virtual ~Session() = default;
  // No further request; leaves as soon as nothing is in flight.
  virtual void begin_close() = 0;
  // Whatever is in flight is not wanted any more.
  virtual void cancel() = 0;
};

}  // namespace hyperscale::runtime
