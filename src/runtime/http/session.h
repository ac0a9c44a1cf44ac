// Session: interface of an HTTP version to its connection. Thread rule: the strand of the connection.
#pragma once

#include "runtime/secret/wiping_allocator.h"

#include <boost/beast/core/flat_buffer.hpp>

namespace hyperscale::runtime {

// Requests may carry credentials, so read buffers are wiped when they are freed.
using ReadBuffer = boost::beast::basic_flat_buffer<WipingAllocator<char>>;

class Session {
 public:
  virtual ~Session() = default;
  // Accepts no further request; closes as soon as nothing is in flight.
  virtual void begin_close() = 0;
  // Cancels everything in flight.
  virtual void cancel() = 0;
};

}  // namespace hyperscale::runtime
