#include "load/protocols/raw/raw_client.h"

#include "base/check.h"
#include "base/number_text.h"
#include "load/protocols/exchange_details.h"
#include "load/protocols/raw/late_sockets.h"
#include "load/protocols/raw/prepared_raw.h"
#include "load/protocols/raw/tcp_connection.h"
#include "load/protocols/raw/udp_socket.h"
#include "results/run_result.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace hyperscale::load {
namespace {

using results::Outcome;

constexpr std::string_view kAnswerTooLong = "the answer did not end within 16 MiB, the most that one may have";

std::string closed_text(const RawConnection& connection, std::uint64_t read) {
  if (read > 0) return fmt::format("the peer closed the connection after {} of the answer", bytes_text(read));
  if (connection.answered == 0) return "the peer closed the connection without an answer";
  return fmt::format(
      "the peer closed the connection, which had answered {} exchange{} before; bytes are not sent twice",
      connection.answered, connection.answered == 1 ? "" : "s");
}

}  // namespace

RawClient::RawClient(Protocol protocol, ClientEnvironment& environment, ExchangeListener& listener,
                     const ClientSetup& setup)
    : protocol_(protocol),
      environment_(environment),
      listener_(listener),
      user_(setup.user),
      number_(setup.number),
      deadline_(environment.loop.timers(), &RawClient::deadline_passed, this),
      exchanges_(setup.slots) {}

RawClient::~RawClient() = default;

LateSockets& RawClient::late() {
  if (!environment_.late) environment_.late = std::make_shared<LateSockets>(environment_.loop);
  return *environment_.late;
}

void RawClient::reserve_slots(std::uint32_t count) {
  if (exchanges_.size() < count) exchanges_.resize(count);
}

void RawClient::start(std::uint32_t slot, const Prepared& call, MonoTime now) {
  Exchange& exchange = exchanges_[slot];
  CHECK(exchange.phase == Phase::kFree && call.protocol == protocol_, "slot {} is in use", slot);
  exchange.call = static_cast<const PreparedRaw*>(&call);
  exchange.started = moment_ = noticed_ = now;
  exchange.sent_at = exchange.first_byte_at = MonoTime();
  exchange.connect = exchange.tls = stream::kNoPhase;
  exchange.connections_opened = exchange.tls_resumed = 0;
  exchange.progress = {};
  exchange.phase = Phase::kWaiting;
  ++in_flight_;
  RawConnection* const connection = connection_to(*exchange.call);
  exchange.connection = connection;
  if (connection == nullptr)
    return failed(slot, Outcome::kDns, fmt::format("no address is known for {}:{}", call.host, call.port));
  connection->slot = slot;
  connection->last_turn = ++turns_;
  if (connection->state() == RawConnection::State::kClosed) {
    connection->open(now, number_ + attempts_);
    // It may have failed at once, and another exchange may use the slot now.
    if (exchanges_[slot].phase != Phase::kWaiting || connection->slot != slot) return;
  }
  if (connection->state() == RawConnection::State::kOpen) put_on(*connection, slot);
  watch_deadline(exchanges_[slot]);
}

RawConnection* RawClient::connection_to(const PreparedRaw& call) {
  for (const auto& connection : connections_)
    if (connection->last_call == &call && connection->slot == RawConnection::kNoSlot && !connection->spent)
      return connection.get();
  const Destination* const destination = environment_.destination_of(call.host, call.port);
  if (destination == nullptr) return nullptr;
  for (const auto& connection : connections_) {
    if (connection->slot != RawConnection::kNoSlot || connection->spent || !connection->is(*destination, call.secure))
      continue;
    connection->last_call = call.lasting ? &call : nullptr;
    return connection.get();
  }
  if (connections_.size() >= kRawConnectionsKeptMax) make_room_for_connection();
  if (protocol_ == Protocol::kUdp) {
    connections_.push_back(std::make_unique<UdpSocket>(*this, *destination, false));
  } else {
    connections_.push_back(std::make_unique<TcpConnection>(*this, *destination, call.secure));
  }
  connections_.back()->last_call = call.lasting ? &call : nullptr;
  return connections_.back().get();
}

void RawClient::make_room_for_connection() {
  const RawConnection* oldest = nullptr;
  for (const auto& connection : connections_) {
    if (connection->slot != RawConnection::kNoSlot) continue;
    if (oldest == nullptr || turns_ - connection->last_turn > turns_ - oldest->last_turn) oldest = connection.get();
  }
  if (oldest != nullptr) retire(*oldest);
}

// An event of the connection may be running, so the object lives until the loop has returned.
void RawClient::retire(const RawConnection& connection) {
  const auto found = std::ranges::find(connections_, &connection, &std::unique_ptr<RawConnection>::get);
  if (found == connections_.end()) return;
  (*found)->close();
  environment_.retired_connections.push_back(std::shared_ptr<const RawConnection>(std::move(*found)));
  connections_.erase(found);
}

void RawClient::become_new_user() {
  for (std::size_t i = connections_.size(); i > 0; --i) {
    RawConnection& connection = *connections_[i - 1];
    if (connection.slot == RawConnection::kNoSlot) {
      retire(connection);
    } else {
      connection.spent = true;
    }
  }
}

void RawClient::put_on(RawConnection& connection, std::uint32_t slot) {
  Exchange& exchange = exchanges_[slot];
  exchange.phase = Phase::kSent;
  exchange.sent_at = noticed_;
  connection.send(*exchange.call);
}

void RawClient::connection_ready(RawConnection& connection) {
  set_moment_now();
  Exchange& exchange = exchanges_[connection.slot];
  exchange.connections_opened = 1;
  exchange.tls_resumed = connection.resumed() ? 1 : 0;
  exchange.connect = connection.connect_time();
  if (connection.tls_time() > Duration::zero()) exchange.tls = connection.tls_time();
  put_on(connection, connection.slot);
  watch_deadline(exchange);
  listener_.connection_opened(user_, protocol_, 0);
}

void RawClient::connection_advanced(RawConnection& connection) {
  const MonoTime deadline = connection.phase_deadline(environment_.timeouts);
  if (deadline < deadline_.get()) deadline_.set(deadline);
}

void RawClient::connection_failed(RawConnection& connection, Outcome outcome, std::string_view message) {
  ++attempts_;
  set_moment_now();
  Exchange& exchange = exchanges_[connection.slot];
  if (connection.connect_time() > Duration::zero()) {  // a phase after the connect failed
    exchange.connections_opened = 1;
    exchange.connect = connection.connect_time();
  }
  failed(connection.slot, outcome, message);
}

void RawClient::unasked(RawConnection& connection, std::size_t bytes) {
  listener_.connection_bytes(user_, {.sent = 0, .received = bytes});
  connection.spent = true;
}

void RawClient::first_byte(Exchange& exchange) {
  if (exchange.first_byte_at == MonoTime()) exchange.first_byte_at = moment_;
}

void RawClient::data(RawConnection& connection, ByteView bytes) {
  if (connection.slot == RawConnection::kNoSlot) {
    unasked(connection, bytes.size());
    return retire(connection);
  }
  Exchange& exchange = exchanges_[connection.slot];
  const AnswerEnd::Taken taken = exchange.call->end.take(bytes, exchange.progress);
  if (taken.size < bytes.size()) unasked(connection, bytes.size() - taken.size);
  part(connection, bytes.first(taken.size), taken.done);
}

void RawClient::datagram(RawConnection& connection, ByteView bytes) {
  if (connection.slot == RawConnection::kNoSlot) {
    unasked(connection, bytes.size());
    return retire(connection);
  }
  Exchange& exchange = exchanges_[connection.slot];
  exchange.progress.read += bytes.size();
  part(connection, bytes, exchange.call->end.ends_with(bytes));
}

// Handles a part of the answer, with `done` the last one.
void RawClient::part(RawConnection& connection, ByteView bytes, bool done) {
  const std::uint32_t slot = connection.slot;
  Exchange& exchange = exchanges_[slot];
  first_byte(exchange);
  if (exchange.progress.read > kKeptBodyBytesMax) {
    connection.spent = true;
    return failed(slot, Outcome::kBodyLimit, kAnswerTooLong);
  }
  if (done) return complete(slot, bytes);
  keep(exchange, bytes);
}

// If no function reads the body, keeps its start, to show it when the exchange fails. False: the body does not fit.
bool RawClient::keep(Exchange& exchange, ByteView bytes) {
  if (!exchange.call->wants_body) {
    const std::size_t room =
        results::kFailureBodyBytesMax - std::min(results::kFailureBodyBytesMax, exchange.body.size());
    bytes = bytes.first(std::min(room, bytes.size()));
  } else if (const std::size_t needed = exchange.body.size() + bytes.size(); needed > exchange.body_charged) {
    const std::size_t grown = std::max(needed, std::min(2 * std::size_t{exchange.body_charged}, kKeptBodyBytesMax));
    if (exchange.body_refused || !environment_.bodies->take(grown - exchange.body_charged)) {
      exchange.body_refused = true;
      environment_.bodies->give_back(std::exchange(exchange.body_charged, 0));
      std::string().swap(exchange.body);
      return false;
    }
    exchange.body_charged = static_cast<std::uint32_t>(grown);
    exchange.body.reserve(grown);
  }
  exchange.body.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  return true;
}

void RawClient::complete(std::uint32_t slot, ByteView last) {
  Exchange& exchange = exchanges_[slot];
  RawConnection& connection = *exchange.connection;
  ++connection.answered;
  const std::uint64_t most = environment_.keep_alive ? environment_.exchanges_per_connection : 1;
  // A connection that is still sending would continue into the next exchange, and reads bytes that may be freed now.
  if (connection.is_sending() || (most > 0 && connection.answered >= most)) connection.spent = true;
  ExchangeReport report = report_of(exchange);
  report.outcome = Outcome::kOk;
  report.complete = true;
  const bool whole = exchange.body.empty() && !exchange.body_refused;  // all of it came at once: no copy
  if (whole) {
    report.body = std::string_view(reinterpret_cast<const char*>(last.data()), last.size());
  } else if (!keep(exchange, last)) {
    report.outcome = Outcome::kBodyLimit;
    report.message = kNoRoomForBody;
    report.complete = false;
  }
  finish(slot, report);
}

void RawClient::ended(RawConnection& connection, Outcome outcome, std::string_view detail) {
  set_moment_now();
  // With UDP only this error shows that the address has no listener: the next exchange uses another address.
  if (outcome == Outcome::kRefused) ++attempts_;
  if (connection.slot == RawConnection::kNoSlot) return retire(connection);
  connection.spent = true;
  const std::uint64_t read = exchanges_[connection.slot].progress.read;
  failed(connection.slot, outcome, detail.empty() ? closed_text(connection, read) : std::string(detail));
}

ExchangeReport RawClient::report_of(const Exchange& exchange) const {
  ExchangeReport report;
  report.client = this;
  report.request = exchange.call;
  report.started = exchange.started;
  report.sent = exchange.phase == Phase::kSent;
  report.ended = std::max(moment_, report.sent ? exchange.sent_at : exchange.started);
  report.noticed = noticed_;
  report.connections_opened = exchange.connections_opened;
  report.tls_resumed = exchange.tls_resumed;
  report.connect = exchange.connect;
  report.tls = exchange.tls;
  if (!report.sent) return report;
  report.bytes_sent = exchange.call->bytes.size() - exchange.connection->unsent();
  report.bytes_received = exchange.progress.read;
  report.service = report.ended - exchange.sent_at;
  if (exchange.first_byte_at != MonoTime())
    report.first_byte = std::max(exchange.first_byte_at, exchange.sent_at) - exchange.sent_at;
  return report;
}

void RawClient::failed(std::uint32_t slot, Outcome outcome, std::string_view message) {
  ExchangeReport report = report_of(exchanges_[slot]);
  report.outcome = outcome;
  report.message = message;
  // A datagram to a port without a listener fails at once: pause before the next one, as after a refused connection.
  report.turned_away = protocol_ == Protocol::kUdp && (outcome == Outcome::kRefused || outcome == Outcome::kLocal);
  finish(slot, report);
}

void RawClient::finish(std::uint32_t slot, ExchangeReport& report) {
  Exchange& exchange = exchanges_[slot];
  std::string body;
  if (!exchange.body.empty()) body = std::exchange(exchange.body, {});
  if (report.body.empty()) report.body = body;
  const std::size_t charged = std::exchange(exchange.body_charged, 0);
  exchange.body_refused = false;
  exchange.phase = Phase::kFree;
  --in_flight_;
  if (in_flight_ == 0) deadline_.clear();
  RawConnection* const connection = exchange.connection;
  if (connection != nullptr) {
    connection->slot = RawConnection::kNoSlot;
    if (report.sent && !report.complete) connection->spent = true;
  }
  listener_.exchange_done(user_, slot, report);
  if (charged > 0) environment_.bodies->give_back(charged);
  if (connection != nullptr && connection->spent && connection->slot == RawConnection::kNoSlot) retire(*connection);
}

void RawClient::cut(Outcome outcome, std::string_view message) {
  set_moment_now();
  for (std::uint32_t slot = 0; slot < exchanges_.size(); ++slot) {
    Exchange& exchange = exchanges_[slot];
    if (exchange.phase == Phase::kFree) continue;
    RawConnection& connection = *exchange.connection;
    if (connection.is_opening() && connection.connect_time() > Duration::zero()) {
      exchange.connections_opened = 1;
      exchange.connect = connection.connect_time();
    }
    connection.spent = true;
    failed(slot, outcome, message);
  }
  become_new_user();
}

ExchangeDetails RawClient::details(std::uint32_t slot, const ExchangeReport& report) const {
  ExchangeDetails details;
  const auto& call = static_cast<const PreparedRaw&>(*report.request);
  details.raw_request = call.bytes.substr(0, kShownRequestBytesMax);
  details.request_body_bytes = call.bytes.size();
  const RawConnection* const connection = exchanges_[slot].connection;
  if (connection == nullptr || connection->address() == nullptr) return details;
  details.address = connection->address()->to_string();
  if (report.sent) details.spoken = protocol_ == Protocol::kUdp ? "UDP" : "TCP";
  details.tls = connection->tls_details();
  return details;
}

Duration RawClient::total_timeout(const Exchange& exchange) const {
  const Duration own = exchange.call->timeout;
  return own > Duration::zero() ? own : environment_.timeouts.total;
}

MonoTime RawClient::deadline_of(const Exchange& exchange) const {
  const plan::Timeouts& timeouts = environment_.timeouts;
  MonoTime deadline = exchange.started + total_timeout(exchange);
  if (exchange.phase == Phase::kWaiting) {
    if (exchange.connection->is_opening()) deadline = std::min(deadline, exchange.connection->phase_deadline(timeouts));
  } else if (timeouts.first_byte > Duration::zero() && exchange.first_byte_at == MonoTime()) {
    deadline = std::min(deadline, exchange.sent_at + timeouts.first_byte);
  }
  return deadline;
}

void RawClient::watch_deadline(const Exchange& exchange) {
  const MonoTime deadline = deadline_of(exchange);
  if (in_flight_ == 1 || deadline < deadline_.get()) deadline_.set(deadline);
}

// Names the timeout that has passed: "the first-byte timeout of 500ms".
std::string RawClient::passed_limit(const Exchange& exchange) const {
  const plan::Timeouts& timeouts = environment_.timeouts;
  const auto text = [](std::string_view name, Duration limit) {
    return fmt::format("the {} of {}", name, short_latency_text(limit));
  };
  if (moment_ >= exchange.started + total_timeout(exchange)) return text("timeout", total_timeout(exchange));
  if (exchange.phase == Phase::kSent) return text("first-byte timeout", timeouts.first_byte);
  if (exchange.connection->state() == RawConnection::State::kTls) return text("TLS timeout", timeouts.tls);
  return text("connect timeout", timeouts.connect);
}

void RawClient::timed_out(std::uint32_t slot) {
  Exchange& exchange = exchanges_[slot];
  RawConnection& connection = *exchange.connection;
  const std::string limit = passed_limit(exchange);
  if (exchange.phase == Phase::kWaiting) return connection.opening_timed_out(limit);
  const bool begun = exchange.first_byte_at != MonoTime();
  ExchangeReport report = report_of(exchange);
  report.outcome = begun ? Outcome::kBodyTimeout : Outcome::kFirstByteTimeout;
  const std::string message = fmt::format("{} within {}", begun ? "the answer did not end" : "no answer", limit);
  report.message = message;
  connection.spent = true;
  connection.give_up();
  finish(slot, report);
}

void RawClient::check_deadlines() {
  set_moment_now();
  MonoTime next = MonoTime::max();
  for (std::uint32_t slot = 0; slot < exchanges_.size(); ++slot) {
    const Exchange& exchange = exchanges_[slot];
    if (exchange.phase == Phase::kFree) continue;
    if (const MonoTime deadline = deadline_of(exchange); deadline > moment_) {
      next = std::min(next, deadline);
    } else {
      timed_out(slot);
    }
  }
  if (next != MonoTime::max() && next < deadline_.get()) deadline_.set(next);
}

}  // namespace hyperscale::load
