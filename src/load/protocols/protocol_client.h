// ProtocolClient: one protocol of one virtual user: its connections and its exchanges in flight. ExchangeListener:
// where exchanges end.
//
// Single-threaded, the executor's loop. Exchanges live in numbered slots, as many as the user may have in flight at
// once. start() begins one; exactly one exchange_done() per start follows, from inside start() when it fails at once.
// A client wakes itself by the sockets and timers of the event loop; nobody polls it. One virtual call per exchange,
// start(), and one per report.
//
// A new protocol: a folder here with its Prepared and its client, a value of plan::Protocol, and a line each in
// load/client_set.cpp and load/prepared_plan.cpp.
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
  // A connection of the user is open; what waited for it has been sent. `version` is the major version that it speaks,
  // zero for a protocol without versions.
  virtual void connection_opened(std::uint32_t user, Protocol protocol, std::uint8_t version) = 0;
  // Bytes of connections that belong to no exchange: frames of HTTP/2 itself, a proxy's tunnel, what came unasked.
  virtual void connection_bytes(std::uint32_t user, const ByteCounts& bytes) = 0;
  // A datagram came when its exchange had timed out. Its bytes are told as those of a connection.
  virtual void late_datagram(std::uint32_t /*user*/) {}
  // More of the answer, when the request asked for it.
  virtual void exchange_header(std::uint32_t user, std::uint32_t slot, std::string_view name,
                               std::string_view value) = 0;

 protected:
  ~ExchangeListener() = default;
};

// What every client is made with.
struct ClientSetup {
  std::uint32_t user = 0;    // index, for the listener
  std::uint32_t number = 0;  // in the whole plan; addresses rotate by it
  std::uint32_t slots = 1;
  // Exchanges that share a connection; more at once to the same origin open further ones. With HTTP/2 by choice all
  // share one, `streams` of them or as many as there are slots at first.
  std::uint32_t per_connection = 1;
  std::uint32_t streams = 0;
};

class ProtocolClient {
 public:
  virtual ~ProtocolClient() = default;

  // Makes room for more exchanges at once.
  virtual void reserve_slots(std::uint32_t count) = 0;
  // REQUIRES: the slot is free and the call is of this client's protocol. `call` stays until the exchange is done.
  virtual void start(std::uint32_t slot, const Prepared& call, MonoTime now) = 0;
  // Ends everything in flight as `outcome` and closes the connections.
  virtual void cut(results::Outcome outcome, std::string_view message) = 0;
  // Forgets what it knows and its connections, as if another user had come. What is in flight goes on to its end.
  virtual void become_new_user() = 0;
  // Tells the listener of bytes of connections that are open and idle, which it would hear of when they close.
  virtual void tell_connection_bytes() = 0;
  // Of the exchange that is being reported. REQUIRES: inside exchange_done() of it.
  virtual ExchangeDetails details(std::uint32_t slot, const ExchangeReport& report) const = 0;

  std::uint32_t in_flight() const { return in_flight_; }

 protected:
  std::uint32_t in_flight_ = 0;
};

}  // namespace hyperscale::load
