// TLS between nodes: both sides show a certificate, and both are verified against the cluster's authority (SEC-9). The
// caller checks the identity in the certificate: peer_uris() and wire/certificate_identity.h.
//
// The acceptor demands a certificate; a peer without one, or with one of another authority, fails the handshake. The
// initiator verifies the chain; the connection decides whether the certificate must also name the dialled address
// (require_address). TLS 1.2 and 1.3 as in tls_context.h. No session is resumed: every connection shows its certificate
// again.
//
// Thread rule and failure: as in tls_context.h.
#pragma once

#include "base/result.h"

#include <memory>
#include <string>
#include <vector>

#include <boost/asio/ssl/context.hpp>

namespace hyperscale::runtime {

namespace asio = boost::asio;

struct PeerTlsFiles {
  std::string cert_file;  // certificate chain of this node
  std::string key_file;
  std::string ca_file;  // authorities that may sign certificates of nodes
};

Result<std::shared_ptr<asio::ssl::context>> make_acceptor_tls_context(const PeerTlsFiles& files);
Result<std::shared_ptr<asio::ssl::context>> make_initiator_tls_context(const PeerTlsFiles& files);

// Before the handshake: the peer's certificate must name this literal IP address.
void require_address(SSL* connection, const std::string& address);

// After the handshake: the URIs of the subject alternative name of the peer's certificate, in their order. At most one
// more than kPeerUrisMax, so that a reader with the same limit notices that there are too many. One that holds a zero
// byte, which could be read two ways, is left out.
inline constexpr std::size_t kPeerUrisMax = 64;
std::vector<std::string> peer_uris(SSL* connection);
// The same of the certificate that this node shows.
std::vector<std::string> own_uris(asio::ssl::context& context);

// Why a handshake failed, for the log: "certificate verify failed: self-signed certificate in certificate chain".
std::string handshake_failure(SSL* connection, const boost::system::error_code& error);

}  // namespace hyperscale::runtime
