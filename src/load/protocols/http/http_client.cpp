#include "load/protocols/http/http_client.h"

#include "base/append_format.h"
#include "base/check.h"
#include "base/number_text.h"
#include "load/protocols/exchange_details.h"
#include "load/protocols/http/request_preparation.h"
#include "load/protocols/retry_pause.h"
#include "load/protocols/tls/tls_transport.h"
#include "results/run_result.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace hyperscale::load {
namespace {

using results::Outcome;

constexpr std::uint16_t kFirstFailureStatus = 400;
constexpr std::uint8_t kRepeatsAfterGivenBackMax = 3;
constexpr std::uint16_t kRepeatsAfterLossMax = 1;  // RFC 9110, section 9.2.2: a repeat is not repeated

bool is_redirect(std::uint16_t status) {
  return status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
}

}  // namespace

HttpClient::HttpClient(HttpEnvironment& environment, ExchangeListener& listener, const ClientSetup& setup)
    : environment_(environment),
      listener_(listener),
      user_(setup.user),
      number_(setup.number),
      per_connection_(environment.http.version == plan::HttpVersion::kHttp2 ? std::max(setup.slots, setup.streams)
                                                                            : setup.per_connection),
      deadline_(environment.loop.timers(), &HttpClient::deadline_passed, this),
      exchanges_(setup.slots) {}

HttpClient::~HttpClient() = default;

void HttpClient::reserve_slots(std::uint32_t count) {
  if (exchanges_.size() < count) exchanges_.resize(count);
}

void HttpClient::start(std::uint32_t slot, const Prepared& call, MonoTime now) {
  Exchange& exchange = exchanges_[slot];
  CHECK(exchange.phase == Phase::kFree && call.protocol == Protocol::kHttp, "slot {} is in use", slot);
  exchange.request = static_cast<const PreparedRequest*>(&call);
  exchange.redirects = 0;
  exchange.began = now;
  dispatch(slot, now);
}

void HttpClient::dispatch(std::uint32_t slot, MonoTime now) {
  Exchange& exchange = exchanges_[slot];
  if (cookies_ && !exchange.request->has_cookies) {
    const PreparedRequest& plain = *exchange.request;
    const CookieScope scope{.host = plain.host, .path = plain.path, .secure = plain.secure};
    if (std::string cookies = cookies_->header_for(scope, environment_.wall_at(now)); !cookies.empty()) {
      exchange.own = std::make_unique<PreparedRequest>(with_cookies(plain, cookies));
      exchange.request = exchange.own.get();
    }
  }
  moment_ = noticed_ = now;
  exchange.started = now;
  exchange.sent_at = exchange.first_byte_at = MonoTime();
  exchange.connect = exchange.tls = stream::kNoPhase;
  exchange.connections_opened = exchange.tls_resumed = 0;
  exchange.status = 0;
  exchange.resent = 0;
  exchange.given_back = 0;
  exchange.was_written = false;
  exchange.bytes = {};
  exchange.phase = Phase::kWaiting;
  ++in_flight_;
  exchange.connection = connection_to(*exchange.request, exchange.redirects > 0);
  if (exchange.connection == nullptr) {
    if (environment_.origins.size() >= kOriginsMax)
      return failed(slot, Outcome::kLocal, fmt::format("a run connects to at most {} hosts and ports", kOriginsMax),
                    {});
    const std::string message =
        fmt::format("no address is known for {}:{}", exchange.request->host, exchange.request->port);
    return failed(slot, Outcome::kDns, message, {});
  }
  ++exchange.connection->exchanges;
  exchange.connection->last_turn = ++turns_;
  watch_deadline(exchange);
  if (exchange.connection->has_room()) return put_on(*exchange.connection, slot);
  ensure_open(*exchange.connection);
}

HttpConnection* HttpClient::connection_to(const PreparedRequest& request, bool by_redirect) {
  for (const auto& connection : connections_) {
    const HttpOrigin& origin = connection->origin();
    const bool has_place =
        connection->exchanges < per_connection_ && !connection->is_draining() && !connection->is_left;
    if (!has_place) continue;
    if (connection->last_request == &request) return connection.get();
    if (origin.port == request.port && origin.secure == request.secure && origin.host == request.host) {
      connection->last_request = request.lasting ? &request : nullptr;
      return connection.get();
    }
  }
  const HttpOrigin* origin = environment_.find_or_add(request.host, request.port, request.secure, by_redirect);
  if (origin == nullptr) return nullptr;
  if (connections_.size() >= kConnectionsKeptMax) make_room_for_connection();
  return connections_.emplace_back(std::make_unique<HttpConnection>(*this, *origin)).get();
}

void HttpClient::make_room_for_connection() {
  std::size_t oldest = connections_.size();
  for (std::size_t i = 0; i < connections_.size(); ++i) {
    if (connections_[i]->exchanges > 0) continue;
    if (oldest == connections_.size() || turns_ - connections_[i]->last_turn > turns_ - connections_[oldest]->last_turn)
      oldest = i;
  }
  if (oldest < connections_.size()) retire(oldest);
}

// An event of the connection may be running, so the object lives until the loop has returned.
void HttpClient::retire(std::size_t connection) {
  connections_[connection]->drop();
  environment_.retired_connections.push_back(
      std::shared_ptr<const HttpConnection>(std::move(connections_[connection])));
  connections_.erase(connections_.begin() + static_cast<std::ptrdiff_t>(connection));
}

void HttpClient::become_new_user() {
  cookies_.reset();
  for (std::size_t i = connections_.size(); i > 0; --i) {
    if (connections_[i - 1]->exchanges == 0) {
      retire(i - 1);
    } else {
      connections_[i - 1]->is_left = true;
    }
  }
}

CookieJar* HttpClient::cookies() {
  if (!cookies_ && environment_.http.cookies) cookies_ = std::make_unique<CookieJar>();
  return cookies_.get();
}

void HttpClient::put_on(HttpConnection& connection, std::uint32_t slot) {
  Exchange& exchange = exchanges_[slot];
  exchange.phase = Phase::kSent;
  exchange.sent_at = noticed_;
  if (exchange.was_written) ++exchange.resent;
  ++connection.requests_sent;
  connection.send(slot, *exchange.request);
  connection.flush();
}

void HttpClient::ensure_open(HttpConnection& connection) {
  if (connection.is_spent()) connection.drop();
  if (connection.state() == HttpConnection::State::kClosed) connection.open(noticed_, number_ + attempts_);
}

void HttpClient::connection_ready(HttpConnection& connection) {
  set_moment_now();
  note_opening(connection);
  send_waiting(connection);
  listener_.connection_opened(user_, Protocol::kHttp, connection.http_major());
}

// The first exchange that waited for the connection gets the times of opening it.
void HttpClient::note_opening(const HttpConnection& connection) {
  for (Exchange& exchange : exchanges_) {
    if (exchange.phase != Phase::kWaiting || exchange.connection != &connection) continue;
    ++exchange.connections_opened;
    if (connection.resumed()) ++exchange.tls_resumed;
    exchange.connect = connection.connect_time();
    if (connection.tls_time() > Duration::zero()) exchange.tls = connection.tls_time();
    return;
  }
}

void HttpClient::send_waiting(HttpConnection& connection) {
  for (std::uint32_t slot = 0; slot < exchanges_.size() && connection.has_room(); ++slot) {
    const Exchange& exchange = exchanges_[slot];
    if (exchange.phase == Phase::kWaiting && exchange.connection == &connection) put_on(connection, slot);
  }
}

void HttpClient::connection_failed(HttpConnection& connection, Outcome outcome, std::string_view message) {
  ++attempts_;
  set_moment_now();
  if (connection.connect_time() > Duration::zero()) note_opening(connection);  // a phase after the connect failed
  for (std::uint32_t slot = 0; slot < exchanges_.size(); ++slot) {
    const Exchange& exchange = exchanges_[slot];
    if (exchange.phase == Phase::kWaiting && exchange.connection == &connection) failed(slot, outcome, message, {});
  }
}

void HttpClient::connection_over(HttpConnection& connection) {
  for (const Exchange& exchange : exchanges_) {
    if (exchange.phase != Phase::kWaiting || exchange.connection != &connection) continue;
    ensure_open(connection);
    // The exchange set its deadline for an earlier opening.
    if (connection.is_opening()) connection_advanced(connection);
    return;
  }
}

void HttpClient::connection_advanced(HttpConnection& connection) {
  if (connection.phase_deadline() < deadline_.get()) deadline_.set(connection.phase_deadline());
}

void HttpClient::header(std::uint32_t slot, std::string_view name, std::string_view value) {
  Exchange& exchange = exchanges_[slot];
  if (name == "location") exchange.location.assign(value);
  if (name == "content-encoding" && exchange.request->wants_body) {
    if (!exchange.content_encoding.empty()) exchange.content_encoding += ", ";
    exchange.content_encoding += value;
  }
  if (name == "set-cookie" && environment_.http.cookies) {
    const PreparedRequest& sent = *exchange.request;
    cookies()->store(value, {.host = sent.host, .path = sent.path, .secure = sent.secure},
                     environment_.wall_at(noticed_), environment_.suffixes);
  }
  if (exchange.request->wants_headers) listener_.exchange_header(user_, slot, name, value);
}

void HttpClient::body(std::uint32_t slot, ByteView bytes) {
  Exchange& exchange = exchanges_[slot];
  if (exchange.body_refused) return;
  const std::size_t most = exchange.request->wants_body ? kKeptBodyBytesMax : results::kFailureBodyBytesMax;
  const std::size_t room = most - std::min(most, exchange.body.size());
  if (bytes.size() > room) exchange.body_cut = true;
  const ByteView kept = bytes.first(std::min(room, bytes.size()));
  if (exchange.request->wants_body) return keep_body(exchange, kept);
  exchange.body.append(reinterpret_cast<const char*>(kept.data()), kept.size());
}

// A body that does not fit is still read to its end, but dropped.
void HttpClient::keep_body(Exchange& exchange, ByteView bytes) {
  const std::size_t needed = exchange.body.size() + bytes.size();
  if (needed > exchange.body_charged) {
    const std::size_t doubled = std::min(std::size_t{2} * exchange.body_charged, kKeptBodyBytesMax);
    const std::size_t grown = std::max(needed, doubled);
    if (!environment_.bodies->take(grown - exchange.body_charged)) {
      exchange.body_refused = true;
      return release_body(exchange);
    }
    exchange.body_charged = static_cast<std::uint32_t>(grown);
    exchange.body.reserve(grown);
  }
  exchange.body.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

void HttpClient::release_body(Exchange& exchange) {
  environment_.bodies->give_back(std::exchange(exchange.body_charged, 0));
  std::string().swap(exchange.body);
}

void HttpClient::faulty_bytes(std::uint32_t slot, std::string_view bytes) {
  Exchange& exchange = exchanges_[slot];
  exchange.body.assign(bytes);
  exchange.body_is_faulty = true;
}

ExchangeReport HttpClient::report_of(const Exchange& exchange) const {
  ExchangeReport report;
  report.client = this;
  report.request = exchange.request;
  report.status = exchange.status;
  report.started = exchange.started;
  report.ended = std::max(moment_, exchange.phase == Phase::kSent ? exchange.sent_at : exchange.started);
  report.noticed = noticed_;
  report.connections_opened = exchange.connections_opened;
  report.tls_resumed = exchange.tls_resumed;
  report.resent = exchange.resent;
  report.connect = exchange.connect;
  report.tls = exchange.tls;
  report.sent = exchange.phase == Phase::kSent || exchange.was_written;
  report.bytes_sent = exchange.bytes.sent;
  report.bytes_received = exchange.bytes.received;
  if (exchange.phase != Phase::kSent) return report;
  report.service = report.ended - exchange.sent_at;
  if (exchange.first_byte_at != MonoTime())
    report.first_byte = std::max(exchange.first_byte_at, exchange.sent_at) - exchange.sent_at;
  return report;
}

void HttpClient::complete(std::uint32_t slot, const ByteCounts& bytes) {
  Exchange& exchange = exchanges_[slot];
  exchange.bytes += bytes;
  ExchangeReport report = report_of(exchange);
  report.complete = true;
  report.outcome = exchange.status < kFirstFailureStatus ? Outcome::kOk : Outcome::kStatus;
  std::string refusal;
  std::unique_ptr<PreparedRequest> next;
  if (is_redirect(exchange.status) && !exchange.location.empty() && environment_.http.redirects_max > 0) {
    next = request_after(exchange, refusal);
    report.is_redirect = next != nullptr;
    if (!next) report.outcome = Outcome::kRedirects;
  }
  if (exchange.body_refused && !report.is_redirect) {
    refusal = kNoRoomForBody;
    report.outcome = Outcome::kBodyLimit;
    report.complete = false;
  }
  report.message = refusal;
  finish(slot, report, std::move(next));
}

// The request that follows a redirect; null when the redirect is not followed.
std::unique_ptr<PreparedRequest> HttpClient::request_after(const Exchange& exchange, std::string& refusal) const {
  if (exchange.redirects >= environment_.http.redirects_max) {
    refusal = "the answer after the last redirect that is allowed is a redirect too";
    return nullptr;
  }
  auto next = redirected_request(*exchange.request, exchange.status, exchange.location);
  if (!next) {
    refusal = fmt::format("redirects to a place that cannot be followed: {}", next.error().context);
    return nullptr;
  }
  if (!environment_.may_redirect_to(next->host, next->port, next->secure)) {
    refusal = fmt::format("redirects to {}; run that URL, or allow it with --redirects anywhere", next->source->url);
    return nullptr;
  }
  return std::make_unique<PreparedRequest>(std::move(*next));
}

void HttpClient::failed(std::uint32_t slot, Outcome outcome, std::string_view detail, const ByteCounts& bytes) {
  Exchange& exchange = exchanges_[slot];
  exchange.bytes += bytes;
  ExchangeReport report = report_of(exchange);
  report.outcome = outcome;
  report.message = detail;
  report.turned_away = exchange.given_back > kRepeatsAfterGivenBackMax;
  finish(slot, report);
}

void HttpClient::finish(std::uint32_t slot, ExchangeReport& report, std::unique_ptr<PreparedRequest> next) {
  Exchange& exchange = exchanges_[slot];
  const std::size_t charged = std::exchange(exchange.body_charged, 0);
  exchange.body_refused = false;
  std::string body;
  if (!exchange.body.empty()) body = std::exchange(exchange.body, {});
  report.body = body;
  report.body_cut = std::exchange(exchange.body_cut, false);
  report.body_is_faulty = std::exchange(exchange.body_is_faulty, false);
  std::string content_encoding;
  if (!exchange.content_encoding.empty()) content_encoding = std::exchange(exchange.content_encoding, {});
  report.content_encoding = content_encoding;
  exchange.phase = Phase::kFree;
  --in_flight_;
  if (in_flight_ == 0) deadline_.clear();
  HttpConnection* const connection = exchange.connection;
  if (connection != nullptr) --connection->exchanges;
  const auto sent_request = std::move(exchange.own);  // the report still points to it
  const bool goes_on = next != nullptr;
  exchange.location.clear();
  if (goes_on) {
    ++exchange.redirects;
    exchange.own = std::move(next);
    exchange.request = exchange.own.get();
  }
  listener_.exchange_done(user_, slot, report);
  if (charged > 0) environment_.bodies->give_back(charged);
  if (goes_on) dispatch(slot, noticed_);
  if (connection == nullptr) return;
  if (connection->is_left && connection->exchanges == 0) return leave(*connection);
  if (connection->has_room()) return send_waiting(*connection);
  if (connection->is_spent()) connection_over(*connection);
}

void HttpClient::leave(const HttpConnection& connection) {
  for (std::size_t i = 0; i < connections_.size(); ++i)
    if (connections_[i].get() == &connection) return retire(i);
}

// Keeps the start of the exchange: latency and timeout count from there.
void HttpClient::begin_again(Exchange& exchange, const ByteCounts& bytes) {
  exchange.bytes += bytes;
  exchange.was_written = exchange.was_written || bytes.sent > 0;
  exchange.phase = Phase::kWaiting;
  exchange.sent_at = exchange.first_byte_at = MonoTime();
  exchange.status = 0;
  exchange.body.clear();
  exchange.content_encoding.clear();
  exchange.body_cut = exchange.body_is_faulty = exchange.body_refused = false;
}

// After a connection that has answered requests the first repeat does not wait. A peer that only gives requests back
// gets a pause, like one that refuses connections.
void HttpClient::given_back(std::uint32_t slot, const ByteCounts& bytes) {
  Exchange& exchange = exchanges_[slot];
  const HttpConnection& connection = *exchange.connection;
  const bool headway = connection.has_answered();
  begin_again(exchange, bytes);
  // The request was pipelined behind an answer with Connection: close: the next connection answers at least one more.
  if (headway && connection.http_major() == 1) return;
  if (++exchange.given_back > kRepeatsAfterGivenBackMax) {
    const std::string message =
        fmt::format("the server gave the request back {} times without processing it", exchange.given_back);
    return failed(slot, Outcome::kClosed, message, {});
  }
  exchange.phase = Phase::kPausing;
  exchange.resume_at = noticed_;
  if (!headway || exchange.given_back > 1) exchange.resume_at += retry_pause(exchange.given_back);
  if (exchange.resume_at < deadline_.get()) deadline_.set(exchange.resume_at);
}

void HttpClient::resume(std::uint32_t slot) {
  Exchange& exchange = exchanges_[slot];
  exchange.phase = Phase::kWaiting;
  if (exchange.connection->is_draining()) {
    --exchange.connection->exchanges;
    exchange.connection = connection_to(*exchange.request, exchange.redirects > 0);
    ++exchange.connection->exchanges;
  }
  if (exchange.connection->has_room()) return put_on(*exchange.connection, slot);
  ensure_open(*exchange.connection);
}

void HttpClient::lost(std::uint32_t slot, std::string_view detail, const ByteCounts& bytes) {
  Exchange& exchange = exchanges_[slot];
  if (!exchange.request->idempotent || exchange.resent >= kRepeatsAfterLossMax)
    return failed(slot, Outcome::kClosed, detail, bytes);
  begin_again(exchange, bytes);
}

void HttpClient::tell_connection_bytes() {
  for (const auto& connection : connections_) {
    const bool idle = connection->state() == HttpConnection::State::kOpen && connection->exchanges == 0;
    if (idle) connection->tell_own_bytes();
  }
}

void HttpClient::cut(Outcome outcome, std::string_view message) {
  set_moment_now();
  for (std::uint32_t slot = 0; slot < exchanges_.size(); ++slot) {
    Exchange& exchange = exchanges_[slot];
    if (exchange.phase == Phase::kSent) exchange.bytes += exchange.connection->take_bytes(slot);
  }
  for (const auto& connection : connections_) {
    const bool connected = connection->is_opening() && connection->connect_time() > Duration::zero();
    if (connected) note_opening(*connection);
    connection->drop();
  }
  for (std::uint32_t slot = 0; slot < exchanges_.size(); ++slot)
    if (exchanges_[slot].phase != Phase::kFree) failed(slot, outcome, message, {});
}

ExchangeDetails HttpClient::details(std::uint32_t slot, const ExchangeReport& report) const {
  ExchangeDetails details;
  const auto& request = static_cast<const PreparedRequest&>(*report.request);
  const HttpConnection* connection = exchanges_[slot].connection;
  const bool h2 = connection != nullptr && connection->http_major() == 2;
  if (h2) {
    for (const HeaderPair& field : request.h2)
      append_format(details.request_head, "{}: {}\r\n", field.name, field.value);
  } else {
    details.request_head = request.h1.substr(0, request.h1.size() - request.body.size() - 2);
  }
  details.request_body_bytes = request.body.size();
  if (connection == nullptr) return details;
  if (connection->address() != nullptr) details.address = connection->address()->to_string();
  if (connection->http_major() > 0) details.spoken = h2 ? "HTTP/2" : "HTTP/1.1";
  const TlsTransport* secure = connection->secure();
  if (secure != nullptr && connection->state() == HttpConnection::State::kOpen) details.tls = secure->details();
  return details;
}

Duration HttpClient::total_timeout(const Exchange& exchange) const {
  const Duration own = exchange.request->timeout;
  return own > Duration::zero() ? own : environment_.timeouts.total;
}

MonoTime HttpClient::deadline_of(const Exchange& exchange) const {
  const plan::Timeouts& timeouts = environment_.timeouts;
  MonoTime deadline = exchange.began + total_timeout(exchange);
  if (exchange.phase == Phase::kWaiting) {
    if (exchange.connection->is_opening()) deadline = std::min(deadline, exchange.connection->phase_deadline());
  } else if (exchange.phase == Phase::kPausing) {
    deadline = std::min(deadline, exchange.resume_at);
  } else if (timeouts.first_byte > Duration::zero() && exchange.first_byte_at == MonoTime()) {
    deadline = std::min(deadline, exchange.sent_at + timeouts.first_byte);
  }
  return deadline;
}

void HttpClient::watch_deadline(const Exchange& exchange) {
  const plan::Timeouts& timeouts = environment_.timeouts;
  Duration patience = exchange.began + total_timeout(exchange) - exchange.started;
  if (exchange.connection->state() != HttpConnection::State::kOpen) patience = std::min(patience, timeouts.connect);
  if (timeouts.first_byte > Duration::zero()) patience = std::min(patience, timeouts.first_byte);
  const MonoTime deadline = exchange.started + patience;
  if (in_flight_ == 1 || deadline < deadline_.get()) deadline_.set(deadline);
}

void HttpClient::deadline_passed(void* self) {
  static_cast<HttpClient*>(self)->check_deadlines();
}

// Names the timeout that has passed: "the first-byte timeout of 500ms".
std::string HttpClient::passed_limit(const Exchange& exchange) const {
  const plan::Timeouts& timeouts = environment_.timeouts;
  const auto text = [](std::string_view name, Duration limit) {
    return fmt::format("the {} of {}", name, short_latency_text(limit));
  };
  if (moment_ >= exchange.began + total_timeout(exchange)) return text("timeout", total_timeout(exchange));
  if (exchange.phase == Phase::kSent) return text("first-byte timeout", timeouts.first_byte);
  if (exchange.connection->state() == HttpConnection::State::kTls) return text("TLS timeout", timeouts.tls);
  return text("connect timeout", timeouts.connect);
}

void HttpClient::timed_out(std::uint32_t slot) {
  const Exchange& exchange = exchanges_[slot];
  HttpConnection& connection = *exchange.connection;
  const std::string limit = passed_limit(exchange);
  if (exchange.phase == Phase::kSent) {
    const bool begun = exchange.first_byte_at != MonoTime();
    const ByteCounts bytes = connection.abandon(slot);
    failed(slot, begun ? Outcome::kBodyTimeout : Outcome::kFirstByteTimeout,
           fmt::format("{} within {}", begun ? "the answer did not end" : "no answer", limit), bytes);
  } else if (exchange.phase == Phase::kPausing) {
    failed(slot, Outcome::kFirstByteTimeout,
           fmt::format("the server gave the request back, and it was not answered within {}", limit), {});
  } else if (connection.is_opening()) {
    connection.opening_timed_out(limit);
  } else {
    failed(slot, Outcome::kConnectTimeout, fmt::format("no connection was free within {}", limit), {});
  }
}

void HttpClient::check_deadlines() {
  set_moment_now();
  MonoTime next = MonoTime::max();
  for (std::uint32_t slot = 0; slot < exchanges_.size(); ++slot) {
    const Exchange& exchange = exchanges_[slot];
    if (exchange.phase == Phase::kFree) continue;
    if (const MonoTime deadline = deadline_of(exchange); deadline > moment_) {
      next = std::min(next, deadline);
      continue;
    }
    if (exchange.phase == Phase::kPausing && exchange.started + total_timeout(exchange) > moment_) {
      resume(slot);  // may end it, and begin others
      if (exchanges_[slot].phase != Phase::kFree) next = std::min(next, deadline_of(exchanges_[slot]));
      continue;
    }
    timed_out(slot);
  }
  if (next != MonoTime::max() && next < deadline_.get()) deadline_.set(next);
}

}  // namespace hyperscale::load
