#include "load/protocols/plain_transport.h"

#include <cerrno>
#include <string>
#include <system_error>

namespace hyperscale::load {

results::Outcome outcome_of_errno(int error) {
  using results::Outcome;
  switch (error) {
    case ECONNREFUSED:
    case ENOENT:  // a Unix socket that does not exist
      return Outcome::kRefused;
    case ECONNRESET:
    case EPIPE:
    case ECONNABORTED:
      return Outcome::kReset;
    case ETIMEDOUT:
      return Outcome::kConnectTimeout;
    case ENETUNREACH:
    case EHOSTUNREACH:
    case ENETDOWN:
    case EHOSTDOWN:
      return Outcome::kUnreachable;
    default:
      return Outcome::kLocal;
  }
}

PlainTransport::~PlainTransport() {
  close();
}

void PlainTransport::start(StreamId stream) {
  stream_ = stream;
  loop_.set_events(stream, *this);
  events_.on_transport_ready();
}

void PlainTransport::close() {
  if (stream_) loop_.close(stream_);
  stream_ = {};
}

void PlainTransport::on_failed(int error) {
  lost_ = loop_.unsent(stream_);
  stream_ = {};
  const std::string detail = std::generic_category().message(error);
  // Retransmissions were exhausted: the connection was open, so this is a network failure, not a connect timeout.
  const auto outcome = error == ETIMEDOUT ? results::Outcome::kUnreachable : outcome_of_errno(error);
  events_.on_transport_failed({outcome, detail});
}

}  // namespace hyperscale::load
