#include "load/protocols/tls/tls_server.h"

#include <array>
#include <utility>

#include <arpa/inet.h>

namespace hyperscale::load {
namespace {

bool is_address_literal(const std::string& name) {
  std::array<unsigned char, sizeof(in6_addr)> ignored{};
  return ::inet_pton(AF_INET, name.c_str(), ignored.data()) == 1 ||
         ::inet_pton(AF_INET6, name.c_str(), ignored.data()) == 1;
}

}  // namespace

TlsServer::TlsServer(std::string host, std::uint16_t port, std::string name)
    : host_(std::move(host)), port_(port), name_(std::move(name)), is_address_(is_address_literal(name_)) {}

void TlsServer::keep(SslSessionOwner session) {
  if (sessions_.size() < kTlsSessionsMax) {
    sessions_.push_back(std::move(session));
    return;
  }
  sessions_[oldest_] = std::move(session);
  oldest_ = (oldest_ + 1) % kTlsSessionsMax;
}

SSL_SESSION* TlsServer::next_session() {
  while (!sessions_.empty()) {
    turn_ = (turn_ + 1) % sessions_.size();
    SSL_SESSION* session = sessions_[turn_].get();
    if (SSL_SESSION_is_resumable(session) == 1) return session;
    sessions_.erase(sessions_.begin() + static_cast<std::ptrdiff_t>(turn_));
    oldest_ = 0;
  }
  return nullptr;
}

}  // namespace hyperscale::load
