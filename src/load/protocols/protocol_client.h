// ProtocolClient: one protocol of one virtual user: its connections and its exchanges in flight. ExchangeListener:
// receives the ends of exchanges.
//
// Single-threaded, the executor's loop. Exchanges have numbered slots, as many as the user may have in flight at once.
// start() begins one; exactly one exchange_done() per start follows, from inside start() when it fails at once. Sockets
// and timers of the event loop wake a client; it is not polled. One virtual call per exchange, start(), and one per
// report.
//
// README.md lists the files that a new protocol changes.
#pragma once

#include "base/time.h"
#include "load/protocols/byte_counts.h"
#include "load/protocols/exchange_report.h"
#include "load/protocols/prepared.h"
#include "results/outcome.h"

#include <cstdint>
#include <string_view>

namespace hyperscale::load {

struct ExchangeDetails;

class ExchangeListener {
 public:
  virtual void exchange_done(std::uint32_t user, std::uint32_t slot, const ExchangeReport& report) = 0;
  // A connection of the user is open; requests that waited for it have been sent. `version` is the major version of the
  // protocol, zero for a protocol without versions.
  virtual void connection_opened(std::uint32_t user, Protocol protocol, std::uint8_t version) = 0;
  // Bytes of connections that belong to no exchange: frames of HTTP/2 itself, a proxy's tunnel, unsolicited bytes.
  virtual void connection_bytes(std::uint32_t user, const ByteCounts& bytes) = 0;
  // A datagram came after its exchange had timed out. Its bytes are reported by connection_bytes().
  virtual void late_datagram(std::uint32_t /*user*/) {}
  // A header of the answer, when the request asks for headers.
  virtual void exchange_header(std::uint32_t user, std::uint32_t slot, std::string_view name,
                               std::string_view value) = 0;

 protected:
  ~ExchangeListener() = default;
};

// Construction arguments of every client.
struct ClientSetup {
  std::uint32_t user = 0;    // index, for the listener
  std::uint32_t number = 0;  // in the whole plan; addresses rotate by it
  std::uint32_t slots = 1;
  // Exchanges that share a connection; more at once to the same origin open further connections. With HTTP/2 by choice
  // all share one, `streams` of them or as many as there are slots at first.
  std::uint32_t per_connection = 1;
  std::uint32_t streams = 0;
};

class ProtocolClient {
 public:
  virtual ~ProtocolClient() = default;

  // Adds slots for more exchanges at once.
  virtual void reserve_slots(std::uint32_t count) = 0;
  // REQUIRES: the slot is free and the call is of this client's protocol. `call` stays until the exchange is done.
  virtual void start(std::uint32_t slot, const Prepared& call, MonoTime now) = 0;
  // Ends everything in flight as `outcome` and closes the connections.
  virtual void cut(results::Outcome outcome, std::string_view message) = 0;
  // Drops state and connections, as if another user had come. Exchanges in flight continue to their end.
  virtual void become_new_user() = 0;
  // Reports bytes of open, idle connections to the listener now, instead of when they close.
  virtual void tell_connection_bytes() = 0;
  // Of the exchange that is being reported. REQUIRES: called inside its exchange_done().
  virtual ExchangeDetails details(std::uint32_t slot, const ExchangeReport& report) const = 0;

  std::uint32_t in_flight() const { return in_flight_; }

 protected:
  std::uint32_t in_flight_ = 0;
};

}  // namespace hyperscale::load
