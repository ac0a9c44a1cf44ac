// ExchangeDetails: what a protocol knows about an exchange beyond its report: the bytes sent, the address, the
// connection. For `try`, where a person looks at a single exchange; made on request only.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hyperscale::load {

// The result of a finished handshake and the server's certificate, as text.
struct TlsDetails {
  std::string version;  // "TLSv1.3"
  std::string cipher;   // "TLS_AES_256_GCM_SHA384"
  std::string alpn;     // "h2"; empty: the server chose none
  bool resumed = false;
  // Of the server's certificate; empty when it sent none.
  std::string subject;  // "CN=a.example"
  std::string issuer;
  std::vector<std::string> names;
  std::string not_before;  // "2026-11-16 01:43:11 UTC"
  std::string not_after;
};

inline constexpr std::size_t kShownRequestBytesMax = 4096;

struct ExchangeDetails {
  std::string address;       // "127.0.0.1:80"; empty when there was no connection
  std::string spoken;        // "HTTP/1.1", "HTTP/2", "TCP", "UDP"; empty when there was no connection
  std::string request_head;  // as sent in HTTP/1.1; for HTTP/2 the same fields as lines; otherwise empty
  std::string raw_request;   // TCP and UDP: the bytes that were sent, the first kShownRequestBytesMax of them
  std::uint64_t request_body_bytes = 0;
  std::optional<TlsDetails> tls;
};

}  // namespace hyperscale::load
