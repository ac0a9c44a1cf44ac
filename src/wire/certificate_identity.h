// Identity in a certificate, and whether its holder may connect (AD28-SEC-2 to -5). The identity is in the URIs of the
// subject alternative name:
//
//   hyperscale://role/worker  hyperscale://cluster/prod  hyperscale://env/eu  hyperscale://dc/ams1
//
// Pure functions over texts; any thread. The adapter reads the URIs from a certificate whose chain it has verified.
// Refusals are kUnauthorized with the catalogue's text and name the expected value, never the presented one.
#pragma once

#include "base/result.h"
#include "wire/node_identity.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace hyperscale::wire {

inline constexpr std::size_t kCertificateUrisMax = 64;
inline constexpr std::size_t kCertificateNameBytesMax = 64;

enum class PeerRole : std::uint8_t { kClient, kGate, kManager, kWorker };
std::string_view name(PeerRole role);
PeerRole peer_role(NodeRole role);

struct CertificateIdentity {
  PeerRole role = PeerRole::kClient;
  std::string cluster;
  std::string environment;
  std::string datacenter;

  bool operator==(const CertificateIdentity&) const = default;
};

// URIs of other schemes are ignored. Each of the four parts must be present exactly once.
Result<CertificateIdentity> parse_certificate_identity(std::span<const std::string> san_uris);

// Whether a node of role `initiator` may open a connection to one of role `target` (the table of AD28-SEC-4).
bool may_connect(PeerRole initiator, PeerRole target);

struct CertificateExpectation {
  std::string cluster;
  std::string environment;
  PeerRole own_role = PeerRole::kManager;  // of the node that checks the certificate
};

// Checks of a node that accepts a connection on the node that opened it. Cluster and environment are checked first.
Result<CertificateIdentity> check_certificate(std::span<const std::string> san_uris,
                                              const CertificateExpectation& expected);
// The same from the other side: checks of a node that opened a connection on the node that accepted it.
Result<CertificateIdentity> check_acceptor_certificate(std::span<const std::string> san_uris,
                                                       const CertificateExpectation& expected);

}  // namespace hyperscale::wire
