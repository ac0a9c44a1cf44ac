// TestAuthority: a certificate authority that lives as long as a test and signs what the test asks for.
#pragma once

#include "load/protocols/tls/openssl_owner.h"

#include <string>
#include <vector>

namespace hyperscale::load {

struct Identity {
  std::string certificate_pem;
  std::string key_pem;
};

struct CertificateWish {
  std::string common_name = "a.example";
  std::vector<std::string> names = {"DNS:a.example"};  // "DNS:..." or "IP:..."
  long valid_from_s = -3600;                           // from now
  long valid_to_s = 3600;
};

class TestAuthority {
 public:
  explicit TestAuthority(const std::string& common_name = "Test Authority");
  const std::string& pem() const { return pem_; }
  Identity issue(const CertificateWish& wish = {}) const;

 private:
  KeyOwner key_;
  CertificateOwner certificate_;
  std::string pem_;
};

Identity self_signed(const CertificateWish& wish);

}  // namespace hyperscale::load
