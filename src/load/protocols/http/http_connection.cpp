#include "load/protocols/http/http_connection.h"

#include "base/check.h"
#include "load/protocols/http/http1_session.h"
#include "load/protocols/http/http_client.h"
#include "load/protocols/http2/http2_session.h"
#include "load/protocols/plain_transport.h"
#include "load/protocols/tls/tls_transport.h"

#include <algorithm>
#include <string>
#include <system_error>

#include <fmt/format.h>

namespace hyperscale::load {

using results::Outcome;

HttpConnection::HttpConnection(HttpClient& client, const HttpOrigin& origin) : client_(client), origin_(origin) {}

HttpConnection::~HttpConnection() {
  if (stream_) client_.environment().loop.close(stream_);
}

bool HttpConnection::has_room() const {
  if (state_ != State::kOpen || !session_->usable() || session_->in_flight() >= session_->capacity()) return false;
  const plan::Http& http = client_.environment().http;
  const std::uint64_t most = http.keep_alive ? http.requests_per_connection : 1;
  return most == 0 || requests_sent < most;
}

bool HttpConnection::is_spent() const {
  return state_ == State::kOpen && session_->in_flight() == 0 && !has_room();
}

MonoTime HttpConnection::phase_deadline() const {
  const plan::Timeouts& timeouts = client_.environment().timeouts;
  return began_ + (state_ == State::kTls ? timeouts.tls : timeouts.connect);
}

void HttpConnection::open(MonoTime now, std::uint32_t address_turn) {
  CHECK(state_ == State::kClosed, "the connection is open already");
  HttpEnvironment& environment = client_.environment();
  address_ = &origin_.addresses[address_turn % origin_.addresses.size()];
  ConnectOptions options;
  options.source = environment.source_of(client_.user());
  state_ = State::kConnecting;
  began_ = now;
  connect_time_ = tls_time_ = Duration::zero();
  resumed_ = false;
  requests_sent = answers_ = 0;
  tunnel_bytes_ = known_bytes_ = {};
  int error = 0;
  stream_ = environment.loop.connect(*address_, options, *this, error);
  if (!stream_)
    failed_to_open(error == ECONNREFUSED || error == ENOENT ? Outcome::kRefused : Outcome::kLocal,
                   std::generic_category().message(error));
}

void HttpConnection::on_connected() {
  const MonoTime now = EventLoop::now();
  connect_time_ = now - began_;
  began_ = now;
  if (origin_.connect_request.empty()) return start_transport();
  state_ = State::kTunnel;
  tunnel_ = std::make_unique<ResponseParser>();
  tunnel_->start(Expect::kTunnel, nullptr);
  tunnel_bytes_.sent = origin_.connect_request.size();
  client_.environment().loop.send(stream_, as_bytes(origin_.connect_request), Sending::kOnce);
}

void HttpConnection::on_data(ByteView bytes) {
  if (state_ != State::kTunnel) return;
  tunnel_bytes_.received += bytes.size();
  const auto progress = tunnel_->consume(bytes);
  if (progress.state == ResponseParser::State::kError)
    return failed_to_open(Outcome::kProtocol, fmt::format("the proxy's answer: {}", tunnel_->error()));
  if (!tunnel_->head_complete()) return;
  if (tunnel_->status() < 200 || tunnel_->status() > 299)
    return failed_to_open(Outcome::kRefused, fmt::format("the proxy answered {}", tunnel_->status()));
  // The peer in the tunnel speaks TLS and waits for the client: these bytes are unsolicited.
  if (progress.consumed < bytes.size())
    return failed_to_open(Outcome::kProtocol, "the proxy sent more than its answer before the tunnel was used");
  began_ = EventLoop::now();
  start_transport();
}

void HttpConnection::on_end() {
  failed_to_open(Outcome::kClosed, "the peer closed the connection at once");
}

void HttpConnection::on_failed(int error) {
  stream_ = {};
  failed_to_open(outcome_of_errno(error), std::generic_category().message(error));
}

void HttpConnection::start_transport() {
  HttpEnvironment& environment = client_.environment();
  TransportEvents& events = *this;
  if (origin_.secure) {
    state_ = State::kTls;
    TlsServer& server = environment.tls->server(origin_.host, origin_.port);
    auto secure = std::make_unique<TlsTransport>(environment.loop, *environment.tls, server, events);
    secure_ = secure.get();
    transport_ = std::move(secure);
    client_.connection_advanced(*this);
  } else {
    transport_ = std::make_unique<PlainTransport>(environment.loop, events);
  }
  transport_->start(std::exchange(stream_, {}));
}

void HttpConnection::on_transport_ready() {
  HttpEnvironment& environment = client_.environment();
  SessionEvents& events = *this;
  bool speaks_h2 = environment.http.version == plan::HttpVersion::kHttp2;
  if (secure_ != nullptr) {
    tls_time_ = EventLoop::now() - began_;
    resumed_ = secure_->resumed();
    if (speaks_h2 && !secure_->negotiated_h2())
      return failed_to_open(Outcome::kProtocol, "the server did not agree to HTTP/2");
    speaks_h2 = secure_->negotiated_h2();
  }
  http_major_ = speaks_h2 ? 2 : 1;
  if (speaks_h2) {
    session_ = std::make_unique<Http2Session>(*transport_, events, *environment.memory,
                                              Http2Options{.streams_max = client_.per_connection()});
  } else {
    session_ = std::make_unique<Http1Session>(*transport_, events, environment.http.pipeline,
                                              lost_ ? FirstRequest::kAlone : FirstRequest::kWithOthers,
                                              &environment.known_heads);
  }
  lost_ = false;
  state_ = State::kOpen;
  client_.connection_ready(*this);
}

void HttpConnection::on_transport_data(ByteView bytes) {
  client_.set_moment(transport_->data_moment());
  session_->on_bytes(bytes);
}

void HttpConnection::on_transport_sent() {
  if (session_) session_->on_sent();
}

void HttpConnection::on_transport_end() {
  if (!session_) return failed_to_open(Outcome::kClosed, "the peer closed the connection during the handshake");
  client_.set_moment_now();
  session_->on_end();
}

void HttpConnection::on_transport_failed(const TransportFailure& failure) {
  if (!session_) return failed_to_open(failure.outcome, failure.detail);
  client_.set_moment_now();
  session_->on_broken(failure.outcome, failure.detail);
}

ByteCounts HttpConnection::abandon(std::uint32_t slot) {
  const ByteCounts bytes = take_bytes(slot);
  session_->abandon(slot);
  if (session_) session_->flush();
  return bytes;
}

ByteCounts HttpConnection::take_bytes(std::uint32_t slot) {
  const ByteCounts bytes = session_ ? session_->bytes_of(slot) : ByteCounts();
  known_bytes_ += bytes;
  return bytes;
}

// A peer that answers a request before it is written can make known_bytes_ larger than the session's total.
void HttpConnection::tell_own_bytes() {
  ByteCounts all = tunnel_bytes_;
  if (session_) all += session_->bytes();
  const ByteCounts own{.sent = all.sent - std::min(all.sent, known_bytes_.sent),
                       .received = all.received - std::min(all.received, known_bytes_.received)};
  if (own == ByteCounts()) return;
  known_bytes_ += own;
  client_.connection_bytes(own);
}

void HttpConnection::opening_timed_out(std::string_view limit) {
  const bool tls = state_ == State::kTls;
  failed_to_open(tls ? Outcome::kTlsTimeout : Outcome::kConnectTimeout, fmt::format("not done within {}", limit));
}

void HttpConnection::failed_to_open(Outcome outcome, std::string_view detail) {
  const char* doing = state_ == State::kTls ? "TLS with" : state_ == State::kTunnel ? "tunnel to" : "connect to";
  const std::string where = state_ == State::kTls || state_ == State::kTunnel ? origin_.text() : address_->to_string();
  const std::string message = fmt::format("{} {}: {}", doing, where, detail);
  shut();
  client_.connection_failed(*this, outcome, message);
}

void HttpConnection::shut() {
  HttpEnvironment& environment = client_.environment();
  if (state_ != State::kClosed) tell_own_bytes();
  if (stream_) environment.loop.close(std::exchange(stream_, {}));
  if (session_) session_->silence();
  if (transport_) transport_->close();
  if (transport_ || session_) environment.retired.push_back({std::move(session_), std::move(transport_)});
  secure_ = nullptr;
  tunnel_.reset();
  state_ = State::kClosed;
}

void HttpConnection::drop() {
  shut();
}

void HttpConnection::on_first_byte(std::uint32_t slot) {
  client_.first_byte(slot);
}

void HttpConnection::on_header(std::uint32_t slot, std::string_view name, std::string_view value) {
  client_.header(slot, name, value);
}

void HttpConnection::on_head(std::uint32_t slot, const ResponseHead& head) {
  client_.head(slot, head);
}

void HttpConnection::on_body(std::uint32_t slot, ByteView bytes) {
  client_.body(slot, bytes);
}

void HttpConnection::on_response_complete(std::uint32_t slot, const ByteCounts& bytes) {
  ++answers_;
  known_bytes_ += bytes;
  client_.complete(slot, bytes);
}

void HttpConnection::on_response_failed(std::uint32_t slot, Outcome outcome, std::string_view detail,
                                        const ByteCounts& bytes) {
  known_bytes_ += bytes;
  client_.failed(slot, outcome, detail, bytes);
}

void HttpConnection::on_faulty_bytes(std::uint32_t slot, std::string_view bytes) {
  client_.faulty_bytes(slot, bytes);
}

void HttpConnection::on_unprocessed(std::uint32_t slot, const ByteCounts& bytes) {
  known_bytes_ += bytes;
  client_.given_back(slot, bytes);
}

void HttpConnection::on_unwritten(std::uint32_t slot) {
  client_.given_back(slot, {});
}

void HttpConnection::on_lost(std::uint32_t slot, Outcome, std::string_view detail, const ByteCounts& bytes) {
  lost_ = true;
  known_bytes_ += bytes;
  client_.lost(slot, detail, bytes);
}

void HttpConnection::on_session_over() {
  shut();
  client_.connection_over(*this);
}

}  // namespace hyperscale::load
