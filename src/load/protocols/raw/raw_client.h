// RawClient: raw TCP (with TLS or without) or raw UDP of one virtual user: its connections, its exchanges in flight.
//
// A connection carries one exchange at a time and is reused when the answer is complete; concurrent exchanges have
// connections of their own. Unsolicited bytes (behind an answer, or while nothing is in flight) count as bytes of the
// connection, which is then closed: they could be mistaken for the next answer.
//
// An exchange is sent once. A connection that ends before the answer is complete is the outcome `closed` or `reset`,
// also when it had answered others before: the client cannot know whether repeating the bytes is harmless.
#pragma once

#include "load/loop/timer_queue.h"
#include "load/protocols/client_environment.h"
#include "load/protocols/protocol_client.h"
#include "load/protocols/raw/answer_end.h"
#include "load/protocols/raw/raw_connection.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace hyperscale::load {

class LateSockets;
struct PreparedRaw;

// Connections that a user keeps open. One more closes the one that was idle for longest.
inline constexpr std::size_t kRawConnectionsKeptMax = 64;

class RawClient final : public ProtocolClient {
 public:
  // REQUIRES: a raw protocol.
  RawClient(Protocol protocol, ClientEnvironment& environment, ExchangeListener& listener, const ClientSetup& setup);
  ~RawClient() override;
  RawClient(const RawClient&) = delete;
  RawClient& operator=(const RawClient&) = delete;

  void reserve_slots(std::uint32_t count) override;
  void start(std::uint32_t slot, const Prepared& call, MonoTime now) override;
  void cut(results::Outcome outcome, std::string_view message) override;
  void become_new_user() override;
  void tell_connection_bytes() override {}  // they are reported when they come
  ExchangeDetails details(std::uint32_t slot, const ExchangeReport& report) const override;

  // For its connections.
  ClientEnvironment& environment() { return environment_; }
  ExchangeListener& listener() { return listener_; }
  LateSockets& late();
  std::uint32_t user() const { return user_; }
  std::uint32_t number() const { return number_; }
  void set_moment(const DataMoment& data) {
    moment_ = data.came;
    noticed_ = data.noticed;
  }
  void connection_ready(RawConnection& connection);
  void connection_advanced(RawConnection& connection);  // another phase, with another deadline, has begun
  void connection_failed(RawConnection& connection, results::Outcome outcome, std::string_view message);
  void data(RawConnection& connection, ByteView bytes);
  void datagram(RawConnection& connection, ByteView bytes);
  // An open connection has ended. An empty detail: the peer has closed it in order.
  void ended(RawConnection& connection, results::Outcome outcome, std::string_view detail);

 private:
  enum class Phase : std::uint8_t { kFree, kWaiting, kSent };
  struct Exchange {
    const PreparedRaw* call = nullptr;
    RawConnection* connection = nullptr;
    MonoTime started;
    MonoTime sent_at;
    MonoTime first_byte_at;
    Duration connect = stream::kNoPhase;
    Duration tls = stream::kNoPhase;
    Phase phase = Phase::kFree;
    std::uint16_t connections_opened = 0;
    std::uint16_t tls_resumed = 0;
    bool body_refused = false;       // the executor's bound on kept bodies is reached
    std::uint32_t body_charged = 0;  // bytes of this bound that the body takes
    AnswerEnd::Progress progress;
    std::string body;  // the bytes so far; empty if all came at once
  };

  void set_moment_now() { moment_ = noticed_ = EventLoop::now(); }
  RawConnection* connection_to(const PreparedRaw& call);
  void make_room_for_connection();
  void retire(const RawConnection& connection);
  void put_on(RawConnection& connection, std::uint32_t slot);
  void unasked(RawConnection& connection, std::size_t bytes);
  void first_byte(Exchange& exchange);
  void part(RawConnection& connection, ByteView bytes, bool done);
  bool keep(Exchange& exchange, ByteView bytes);
  void complete(std::uint32_t slot, ByteView last);
  void failed(std::uint32_t slot, results::Outcome outcome, std::string_view message);
  ExchangeReport report_of(const Exchange& exchange) const;
  void finish(std::uint32_t slot, ExchangeReport& report);
  Duration total_timeout(const Exchange& exchange) const;
  MonoTime deadline_of(const Exchange& exchange) const;
  void watch_deadline(const Exchange& exchange);
  std::string passed_limit(const Exchange& exchange) const;
  void timed_out(std::uint32_t slot);
  static void deadline_passed(void* self) { static_cast<RawClient*>(self)->check_deadlines(); }
  void check_deadlines();

  const Protocol protocol_;
  ClientEnvironment& environment_;
  ExchangeListener& listener_;
  const std::uint32_t user_;
  const std::uint32_t number_;
  std::uint32_t attempts_ = 0;  // failed ones to connect; each moves to the next address
  std::uint32_t turns_ = 0;     // exchanges begun, for the age of connections
  MonoTime moment_;             // when the event that is being handled happened
  MonoTime noticed_;            // when it was noticed; later than moment_ only after the loop was blocked
  LazyDeadline deadline_;
  std::vector<Exchange> exchanges_;
  std::vector<std::unique_ptr<RawConnection>> connections_;
};

}  // namespace hyperscale::load
