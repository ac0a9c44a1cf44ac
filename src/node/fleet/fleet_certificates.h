// The certificates of a local fleet: an authority of its own, and for each node a certificate with the URIs that say
// who it is (AD28-SEC-3), made out to its address. To try TLS between nodes; a real cluster has an authority of its
// own.
//
// Any thread. EC keys (P-256), valid for kFleetCertificateDays from an hour ago. A failure of the crypto library is a
// CHECK: it has no reason that a user could do something about.
#pragma once

#include "wire/certificate_identity.h"

#include <memory>
#include <string>

namespace hyperscale::node {

inline constexpr int kFleetCertificateDays = 365;

struct PemPair {
  std::string certificate;
  std::string key;
};

class FleetAuthority {
 public:
  // A new one, known to nobody else.
  FleetAuthority();
  ~FleetAuthority();
  FleetAuthority(const FleetAuthority&) = delete;
  FleetAuthority& operator=(const FleetAuthority&) = delete;

  PemPair own() const;
  // `address` is the literal IP address that the node is reached at.
  PemPair issue(const std::string& node_name, const wire::CertificateIdentity& identity,
                const std::string& address = "127.0.0.1") const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace hyperscale::node
