#include "load/protocols/tls/tls_transport.h"

#include "base/check.h"
#include "load/protocols/tls/tls_failure.h"

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <openssl/err.h>
#include <openssl/ssl3.h>

namespace hyperscale::load {
namespace {

using results::Outcome;

Outcome outcome_of_break(int error) {
  switch (error) {
    case ECONNRESET:
    case EPIPE:
    case ECONNABORTED:
      return Outcome::kReset;
    case ETIMEDOUT:
    case ENETUNREACH:
    case EHOSTUNREACH:
    case ENETDOWN:
    case EHOSTDOWN:
      return Outcome::kUnreachable;
    default:
      return Outcome::kLocal;
  }
}

}  // namespace

TlsTransport::TlsTransport(EventLoop& loop, TlsContext& context, TlsServer& server, TransportEvents& events, Alpn alpn)
    : loop_(loop), server_(server), events_(events), bio_(context), alpn_(alpn) {}

TlsTransport::~TlsTransport() {
  close();
}

void TlsTransport::start(StreamId stream) {
  CHECK(state_ == State::kClosed && !ssl_, "started twice");
  stream_ = stream;
  loop_.set_events(stream, *this);
  ssl_ = bio_.context.new_connection(server_);
  if (alpn_ == Alpn::kNone) SSL_set_alpn_protos(ssl_.get(), nullptr, 0);
  bio_.attach(ssl_.get());
  SSL_set_ex_data(ssl_.get(), tls_note_index(), &note_);
  state_ = State::kHandshake;
  shake_hands();
}

void TlsTransport::shake_hands() {
  ERR_clear_error();
  const int done = SSL_do_handshake(ssl_.get());
  if (done == 1) {
    note_agreement();
    state_ = State::kOpen;
    events_.on_transport_ready();
  } else if (SSL_get_error(ssl_.get(), done) != SSL_ERROR_WANT_READ) {
    return fail(describe_tls_failure(true, note_));
  }
  write_out();
}

void TlsTransport::note_agreement() {
  const unsigned char* name = nullptr;
  unsigned size = 0;
  SSL_get0_alpn_selected(ssl_.get(), &name, &size);
  negotiated_h2_ = std::string_view(reinterpret_cast<const char*>(name), size) == "h2";
  resumed_ = SSL_session_reused(ssl_.get()) == 1;
}

void TlsTransport::on_data(ByteView bytes) {
  bio_.input = bytes;
  if (state_ == State::kHandshake) shake_hands();
  if (state_ == State::kOpen) read_records();
  write_out();
  bio_.input = {};
}

void TlsTransport::read_records() {
  std::vector<std::uint8_t>& plaintext = bio_.context.plaintext();
  while (state_ == State::kOpen) {
    ERR_clear_error();
    std::size_t size = 0;
    const int read = SSL_read_ex(ssl_.get(), plaintext.data(), plaintext.size(), &size);
    if (read == 1) {
      events_.on_transport_data(ByteView(plaintext.data(), size));
      continue;
    }
    const int error = SSL_get_error(ssl_.get(), read);
    if (error == SSL_ERROR_WANT_READ) return;
    if (error != SSL_ERROR_ZERO_RETURN) return fail(describe_tls_failure(false, note_));
    state_ = State::kPeerEnded;
    events_.on_transport_end();
  }
}

bool TlsTransport::send(ByteView bytes, Sending sending) {
  if (state_ == State::kClosed) return true;
  CHECK(state_ != State::kHandshake && unsent_.empty() && !owes_sent_, "send on a transport that cannot take it");
  unsent_ = bytes;
  encrypt();
  if (sending == Sending::kOnce || (unsent_.empty() && !send_pending_)) return true;
  owes_sent_ = true;
  return false;
}

void TlsTransport::encrypt() {
  while (!unsent_.empty() && !send_pending_) {
    const ByteView next = unsent_.first(std::min(unsent_.size(), kTlsEncryptBytesMax));
    ERR_clear_error();
    std::size_t written = 0;
    const int done = SSL_write_ex(ssl_.get(), next.data(), next.size(), &written);
    // The buffer accepts any size, and a failed session is closed: only a lack of memory can fail here.
    CHECK(done == 1 && written == next.size(), "{}", describe_tls_failure(false, note_));
    unsent_ = unsent_.subspan(written);
    plain_output_ += written;
    write_out();
  }
}

void TlsTransport::write_out() {
  if (send_pending_ || bio_.output.empty() || state_ == State::kClosed) return;
  sending_ = std::exchange(bio_.output, {});
  plain_sending_ = std::exchange(plain_output_, 0);
  send_pending_ = !loop_.send(stream_, sending_, Sending::kTracked);
  if (!send_pending_) bio_.context.give_back(std::exchange(sending_, {}));
}

std::size_t TlsTransport::unsent() const {
  if (state_ == State::kClosed) return lost_;
  const std::size_t waiting = unsent_.size() + plain_output_;
  const std::size_t left = send_pending_ ? loop_.unsent(stream_) : 0;
  if (left == 0 || plain_sending_ == 0) return waiting;
  const std::size_t records = (plain_sending_ + SSL3_RT_MAX_PLAIN_LENGTH - 1) / SSL3_RT_MAX_PLAIN_LENGTH;
  const std::size_t overhead = (sending_.size() - plain_sending_) / records;
  const std::size_t whole = (sending_.size() - left) / (SSL3_RT_MAX_PLAIN_LENGTH + overhead);
  return waiting + plain_sending_ - std::min(plain_sending_, whole * SSL3_RT_MAX_PLAIN_LENGTH);
}

void TlsTransport::on_sent() {
  send_pending_ = false;
  bio_.context.give_back(std::exchange(sending_, {}));
  write_out();
  encrypt();
  if (unsent_.empty() && !send_pending_ && std::exchange(owes_sent_, false)) events_.on_transport_sent();
}

void TlsTransport::on_end() {
  if (state_ == State::kHandshake) return fail("the server closed the connection in the handshake");
  if (state_ == State::kOpen)
    return fail("the server closed the connection without close_notify; the answer may be cut short");
}

void TlsTransport::on_failed(int error) {
  const bool handshaking = state_ == State::kHandshake;
  lost_ = unsent();
  stream_ = {};
  release();
  const std::string reason = std::generic_category().message(error);
  if (!handshaking) return events_.on_transport_failed({outcome_of_break(error), reason});
  const std::string detail = fmt::format("the server broke the connection off in the handshake: {}", reason);
  events_.on_transport_failed({Outcome::kTls, detail});
}

// If the peer gets an alert, it is in the buffer already.
void TlsTransport::fail(std::string_view detail) {
  write_out();
  lost_ = unsent();
  loop_.close(std::exchange(stream_, {}));
  release();
  events_.on_transport_failed({Outcome::kTls, detail});
}

void TlsTransport::close() {
  if (state_ == State::kClosed) return;
  if (state_ != State::kHandshake && !send_pending_) {
    ERR_clear_error();
    SSL_shutdown(ssl_.get());
    write_out();
  }
  loop_.close(std::exchange(stream_, {}));
  release();
}

// OpenSSL never resumes a session of a connection that it considers broken; the shutdown flags keep the session
// resumable after any end.
void TlsTransport::release() {
  state_ = State::kClosed;
  if (ssl_) SSL_set_shutdown(ssl_.get(), SSL_SENT_SHUTDOWN | SSL_RECEIVED_SHUTDOWN);
  ssl_.reset();
  bio_.context.give_back(std::exchange(bio_.output, {}));
  bio_.context.give_back(std::exchange(sending_, {}));
  unsent_ = {};
  plain_output_ = plain_sending_ = 0;
  send_pending_ = false;
  owes_sent_ = false;
}

TlsDetails TlsTransport::details() const {
  CHECK(ssl_ != nullptr && state_ != State::kHandshake, "the transport is not ready");
  return tls_details_of(ssl_.get());
}

}  // namespace hyperscale::load
