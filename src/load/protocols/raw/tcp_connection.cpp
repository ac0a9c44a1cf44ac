#include "load/protocols/raw/tcp_connection.h"

#include "base/check.h"
#include "load/protocols/plain_transport.h"
#include "load/protocols/raw/prepared_raw.h"
#include "load/protocols/raw/raw_client.h"
#include "load/protocols/tls/tls_transport.h"

#include <cerrno>
#include <string>
#include <system_error>
#include <utility>

#include <fmt/format.h>

namespace hyperscale::load {
namespace {

using results::Outcome;

// Bytes that fit into any socket buffer: such a send needs no tracking if its bytes stay valid.
constexpr std::size_t kSendOnceBytesMax = 16 << 10;

}  // namespace

TcpConnection::~TcpConnection() {
  if (stream_) client_.environment().loop.close(stream_);
}

void TcpConnection::open(MonoTime now, std::uint32_t address_turn) {
  CHECK(state_ == State::kClosed, "the connection is open already");
  ClientEnvironment& environment = client_.environment();
  const SocketAddress& to = begin_opening(now, address_turn);
  int error = 0;
  stream_ = environment.loop.connect(to, {.source = environment.source_of(client_.number())}, *this, error);
  if (!stream_)
    failed_to_open(error == ECONNREFUSED ? Outcome::kRefused : Outcome::kLocal, std::generic_category().message(error));
}

void TcpConnection::on_connected() {
  ClientEnvironment& environment = client_.environment();
  const MonoTime now = EventLoop::now();
  connect_time_ = now - began_;
  began_ = now;
  TransportEvents& events = *this;
  if (secure_) {
    state_ = State::kTls;
    TlsServer& server = environment.tls->server(destination_.host, destination_.port);
    auto tls = std::make_unique<TlsTransport>(environment.loop, *environment.tls, server, events, Alpn::kNone);
    tls_ = tls.get();
    transport_ = std::move(tls);
    client_.connection_advanced(*this);
  } else {
    transport_ = std::make_unique<PlainTransport>(environment.loop, events);
  }
  transport_->start(std::exchange(stream_, {}));
}

void TcpConnection::on_end() {
  failed_to_open(Outcome::kClosed, "the peer closed the connection at once");
}

void TcpConnection::on_failed(int error) {
  stream_ = {};
  failed_to_open(outcome_of_errno(error), std::generic_category().message(error));
}

void TcpConnection::on_transport_ready() {
  if (tls_ != nullptr) {
    tls_time_ = EventLoop::now() - began_;
    resumed_ = tls_->resumed();
  }
  state_ = State::kOpen;
  client_.connection_ready(*this);
}

void TcpConnection::send(const PreparedRaw& call) {
  const bool once = call.lasting && call.bytes.size() <= kSendOnceBytesMax;
  sending_ = !transport_->send(as_bytes(call.bytes), once ? Sending::kOnce : Sending::kTracked);
}

void TcpConnection::on_transport_data(ByteView bytes) {
  client_.set_moment(transport_->data_moment());
  client_.data(*this, bytes);
}

void TcpConnection::on_transport_end() {
  if (state_ != State::kOpen)
    return failed_to_open(Outcome::kClosed, "the peer closed the connection during the handshake");
  client_.ended(*this, Outcome::kClosed, {});
}

void TcpConnection::on_transport_failed(const TransportFailure& failure) {
  if (state_ != State::kOpen) return failed_to_open(failure.outcome, failure.detail);
  client_.ended(*this, failure.outcome, failure.detail);
}

void TcpConnection::opening_timed_out(std::string_view limit) {
  const bool tls = state_ == State::kTls;
  failed_to_open(tls ? Outcome::kTlsTimeout : Outcome::kConnectTimeout, fmt::format("not done within {}", limit));
}

void TcpConnection::failed_to_open(Outcome outcome, std::string_view detail) {
  const bool tls = state_ == State::kTls;
  const std::string message = fmt::format("{} {}: {}", tls ? "TLS with" : "connect to",
                                          tls ? destination_.host : address_->to_string(), detail);
  close();
  client_.connection_failed(*this, outcome, message);
}

// The transport may be inside one of its own calls, so it lives until the loop has returned.
void TcpConnection::close() {
  ClientEnvironment& environment = client_.environment();
  if (stream_) environment.loop.close(std::exchange(stream_, {}));
  if (transport_) {
    transport_->close();
    environment.retired_connections.push_back(std::shared_ptr<const Transport>(std::move(transport_)));
  }
  tls_ = nullptr;
  sending_ = false;
  state_ = State::kClosed;
}

std::optional<TlsDetails> TcpConnection::tls_details() const {
  if (tls_ == nullptr || state_ != State::kOpen) return std::nullopt;
  return tls_->details();
}

}  // namespace hyperscale::load
