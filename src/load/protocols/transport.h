// Transport: a connected byte stream, in clear text or over TLS. HTTP sessions do not know which.
//
// Single-threaded; callbacks as in load/loop/event_loop.h: every call is allowed inside a callback, and after close()
// or on_transport_failed() no callback follows.
#pragma once

#include "base/bytes.h"
#include "load/loop/event_loop.h"
#include "results/outcome.h"

#include <cstddef>
#include <string_view>

namespace hyperscale::load {

// Why a transport ended before its user closed it. `detail` is text for people and valid during the call.
struct TransportFailure {
  results::Outcome outcome;
  std::string_view detail;
};

class TransportEvents {
 public:
  virtual void on_transport_ready() = 0;  // once, when bytes may be sent: at once, or after the handshake
  virtual void on_transport_data(ByteView plaintext) = 0;  // never empty
  virtual void on_transport_sent() = 0;                    // a send() that returned false is done
  virtual void on_transport_end() = 0;                     // the peer has ended its half in order
  virtual void on_transport_failed(const TransportFailure& failure) = 0;

 protected:
  ~TransportEvents() = default;
};

class Transport {
 public:
  virtual ~Transport() = default;
  // Takes over a connected stream of the loop, and its events.
  virtual void start(StreamId stream) = 0;
  // As EventLoop::send: true when the next send may follow at once; false: on_transport_sent() will come first.
  virtual bool send(ByteView bytes, Sending sending) = 0;
  virtual void close() = 0;
  // Bytes of the last send() that the kernel has not accepted; inside on_transport_failed, those that it never will.
  // With io_uring a pending send of a few KiB counts as accepted.
  virtual std::size_t unsent() const { return 0; }
  // Of the bytes that are being delivered.
  virtual DataMoment data_moment() const {
    const MonoTime at = EventLoop::now();
    return {.came = at, .noticed = at};
  }
};

}  // namespace hyperscale::load
