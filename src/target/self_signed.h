// A certificate for tests: EC P-256, self-signed, for localhost, 127.0.0.1 and ::1. New at every call.
#pragma once

#include "base/result.h"

#include <string>

namespace hyperscale::target {

struct CertificateAndKey {
  std::string cert_pem;
  std::string key_pem;
};

Result<CertificateAndKey> make_self_signed();

}  // namespace hyperscale::target
