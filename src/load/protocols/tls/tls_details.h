// TlsDetails: what a finished handshake agreed on and whose certificate the server showed, as text for people.
#pragma once

#include "load/protocols/tls/openssl_owner.h"

#include <string>
#include <vector>

namespace hyperscale::load {

struct TlsDetails {
  std::string version;  // "TLSv1.3"
  std::string cipher;   // "TLS_AES_256_GCM_SHA384"
  std::string alpn;     // "h2"; empty: the server chose none
  bool resumed = false;
  // Of the server's certificate; empty when it showed none.
  std::string subject;  // "CN=a.example"
  std::string issuer;
  std::vector<std::string> names;
  std::string not_before;  // "2026-11-16 01:43:11 UTC"
  std::string not_after;
};

// REQUIRES: the handshake is done.
TlsDetails tls_details_of(const SSL* ssl);

}  // namespace hyperscale::load
