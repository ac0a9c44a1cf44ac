// TlsServer: TLS state of one server: the name to send and to verify, and the sessions that can be resumed there.
//
// Owned by a TlsContext and used by its thread only. Sessions are used in rotation; each may serve any number of
// connections, because a load test opens more of them than a server issues tickets.
#pragma once

#include "load/protocols/tls/openssl_owner.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace hyperscale::load {

inline constexpr std::size_t kTlsSessionsMax = 16;  // per server; a newer one replaces the oldest

class TlsServer {
 public:
  TlsServer(std::string host, std::uint16_t port, std::string name);

  bool is(const std::string& host, std::uint16_t port) const { return port_ == port && host_ == host; }
  // The name that the certificate must match.
  const std::string& name() const { return name_; }
  // An address is verified as such and never sent as a server name (RFC 6066, 3).
  bool is_address() const { return is_address_; }

  void keep(SslSessionOwner session);
  // The next session to try, or null. Sessions that can no longer be resumed are dropped.
  SSL_SESSION* next_session();
  std::size_t session_count() const { return sessions_.size(); }

 private:
  std::string host_;
  std::uint16_t port_;
  std::string name_;
  bool is_address_;
  std::vector<SslSessionOwner> sessions_;
  std::size_t oldest_ = 0;
  std::size_t turn_ = 0;
};

}  // namespace hyperscale::load
