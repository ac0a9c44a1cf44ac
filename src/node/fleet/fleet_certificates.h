// The certificates of a local fleet: its own authority, and for each node a certificate for its address with the URIs
// that identify it (AD28-SEC-3). For trials of TLS between nodes; a real cluster uses its own authority.
//
// Any thread. EC keys (P-256), valid for kFleetCertificateDays from an hour ago. A failure of the crypto library is a
// CHECK: a user cannot fix it.
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
  // Generates a new key and certificate.
  FleetAuthority();
  ~FleetAuthority();
  FleetAuthority(const FleetAuthority&) = delete;
  FleetAuthority& operator=(const FleetAuthority&) = delete;

  PemPair own() const;
  // `address` is the literal IP address of the node.
  PemPair issue(const std::string& node_name, const wire::CertificateIdentity& identity,
                const std::string& address = "127.0.0.1") const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace hyperscale::node
