// PeerFiles: certificates of nodes in a folder of their own, as a node finds them on disk.
#pragma once

#include "node/fleet/fleet_certificates.h"
#include "runtime/tls/peer_tls.h"

#include <atomic>
#include <filesystem>
#include <fstream>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace hyperscale::runtime {

inline wire::CertificateIdentity certificate_of(wire::PeerRole role, std::string cluster = "prod",
                                                std::string environment = "eu") {
  return {.role = role, .cluster = std::move(cluster), .environment = std::move(environment), .datacenter = "ams1"};
}

class PeerFiles {
 public:
  PeerFiles() {
    static std::atomic<int> number = 0;
    folder_ = std::filesystem::path(testing::TempDir()) / fmt::format("peers-{}-{}", ::getpid(), ++number);
    std::filesystem::create_directories(folder_);
  }
  ~PeerFiles() { std::filesystem::remove_all(folder_); }
  PeerFiles(const PeerFiles&) = delete;
  PeerFiles& operator=(const PeerFiles&) = delete;

  // Signed by `signer`, with `trusted` as the authority that it asks of others.
  PeerTlsFiles make(const wire::CertificateIdentity& identity, const node::FleetAuthority& signer,
                    const node::FleetAuthority& trusted, const std::string& address = "127.0.0.1") {
    const node::PemPair pem = signer.issue("a-node", identity, address);
    const std::string base = folder_ / fmt::format("{}", ++made_);
    return {.cert_file = write(base + ".cert", pem.certificate),
            .key_file = write(base + ".key", pem.key),
            .ca_file = write(base + ".ca", trusted.own().certificate)};
  }
  PeerTlsFiles make(const wire::CertificateIdentity& identity) { return make(identity, authority, authority); }

  std::string write(const std::string& path, const std::string& text) {
    std::ofstream(path) << text;
    std::filesystem::permissions(path, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
    return path;
  }
  std::string path(const std::string& name) const { return folder_ / name; }

  const node::FleetAuthority authority;
  const node::FleetAuthority other_authority;

 private:
  std::filesystem::path folder_;
  int made_ = 0;
};

}  // namespace hyperscale::runtime
