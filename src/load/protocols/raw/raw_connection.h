// RawConnection: one virtual user's connection to one host and port, for one exchange at a time: TCP, with TLS or
// without, or a connected UDP socket. RawClient owns it and gets its events; it is opened when an exchange needs it and
// reopened after it was closed.
//
// Single-threaded. Every call is allowed inside a callback, but not destroying the object.
#pragma once

#include "base/time.h"
#include "load/loop/socket_address.h"
#include "load/protocols/client_environment.h"
#include "load/protocols/exchange_details.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace hyperscale::load {

class RawClient;
struct PreparedRaw;

class RawConnection {
 public:
  static constexpr std::uint32_t kNoSlot = UINT32_MAX;
  enum class State : std::uint8_t { kClosed, kConnecting, kTls, kOpen };

  RawConnection(RawClient& client, const Destination& destination, bool secure)
      : client_(client), destination_(destination), secure_(secure) {}
  virtual ~RawConnection() = default;
  RawConnection(const RawConnection&) = delete;
  RawConnection& operator=(const RawConnection&) = delete;

  // REQUIRES: closed. TCP: connection_ready() or connection_failed() of the client follows, the latter possibly before
  // this returns. UDP: it is open when this returns, or connection_failed() was called.
  virtual void open(MonoTime now, std::uint32_t address_turn) = 0;
  // REQUIRES: open, and no exchange is on it. The bytes stay valid until the exchange is done.
  virtual void send(const PreparedRaw& call) = 0;
  // Bytes of the last send() that the kernel has not accepted.
  virtual std::size_t unsent() const { return 0; }
  // Whether the last send() still reads its bytes.
  virtual bool is_sending() const { return false; }
  // No event follows.
  virtual void close() = 0;
  // Its exchange has timed out: later bytes answer no exchange.
  virtual void give_up() { close(); }
  virtual void opening_timed_out(std::string_view /*limit*/) {}
  virtual std::optional<TlsDetails> tls_details() const { return std::nullopt; }

  bool is(const Destination& destination, bool secure) const {
    return &destination_ == &destination && secure_ == secure;
  }
  State state() const { return state_; }
  bool is_opening() const { return state_ == State::kConnecting || state_ == State::kTls; }
  MonoTime phase_deadline(const plan::Timeouts& timeouts) const {
    return began_ + (state_ == State::kTls ? timeouts.tls : timeouts.connect);
  }
  const SocketAddress* address() const { return address_; }  // null before the first time
  // Of the last opening.
  Duration connect_time() const { return connect_time_; }
  Duration tls_time() const { return tls_time_; }
  bool resumed() const { return resumed_; }

  // For the client.
  std::uint32_t slot = kNoSlot;            // of the exchange that is on it, or waits for it
  std::uint64_t answered = 0;              // exchanges, since it was opened
  std::uint32_t last_turn = 0;             // of the client, when it was used last
  bool spent = false;                      // no further exchange goes on it
  const PreparedRaw* last_call = nullptr;  // a lasting one that is known to go here

 protected:
  const SocketAddress& begin_opening(MonoTime now, std::uint32_t address_turn) {
    address_ = &destination_.addresses[address_turn % destination_.addresses.size()];
    state_ = State::kConnecting;
    began_ = now;
    connect_time_ = tls_time_ = Duration::zero();
    resumed_ = false;
    answered = 0;
    return *address_;
  }

  RawClient& client_;
  const Destination& destination_;
  const bool secure_;
  State state_ = State::kClosed;
  bool resumed_ = false;
  const SocketAddress* address_ = nullptr;
  MonoTime began_;
  Duration connect_time_{};
  Duration tls_time_{};
};

}  // namespace hyperscale::load
