// TlsContext: the client's TLS settings of a plan, and what its connections share: sessions to resume, buffers.
//
// TLS 1.2 and 1.3. Certificates are verified against the plan's CA certificates, or the system's when it has none,
// unless the plan is insecure. One context per executor thread, used by that thread only; it outlives its transports.
//
// Parsing the system's many certificates takes longer than everything else that an executor does before its start. A
// plan that may never need them keeps their text and parses it with the first connection.
//
// make() fails with InvalidArgument and one sentence that names the invalid text and its fault, and never holds a key.
#pragma once

#include "base/result.h"
#include "load/protocols/tls/openssl_owner.h"
#include "load/protocols/tls/tls_server.h"
#include "plan/plan.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace hyperscale::load {

inline constexpr std::size_t kTlsRecordBytesMax = 16 << 10;        // plaintext of one record
inline constexpr std::size_t kTlsEncryptBytesMax = 64 << 10;       // plaintext that is encrypted ahead of the socket
inline constexpr std::size_t kTlsSpareBuffersMax = 64;             // kept for the next connection that sends
inline constexpr std::size_t kTlsSpareBufferBytesMax = 128 << 10;  // a larger one is freed

enum class SystemAuthorities : std::uint8_t { kReadNow, kReadWhenNeeded };

// Reads the system's CA certificates into this process. Later contexts use this copy, so the process may drop its file
// access. If none are found, the verification of a certificate fails.
void keep_system_authorities();

class TlsContext {
 public:
  static Result<std::shared_ptr<TlsContext>> make(const plan::Tls& tls, plan::HttpVersion version,
                                                  SystemAuthorities authorities = SystemAuthorities::kReadNow);
  explicit TlsContext(const plan::Tls& tls, SslContextOwner context);
  TlsContext(const TlsContext&) = delete;
  TlsContext& operator=(const TlsContext&) = delete;

  // The same object for the same host and port. `host` has no brackets.
  TlsServer& server(const std::string& host, std::uint16_t port);
  bool resumes() const { return resume_; }

  // For TlsTransport.
  SslOwner new_connection(TlsServer& server);
  std::vector<std::uint8_t> take_buffer();
  void give_back(std::vector<std::uint8_t> buffer);
  // Buffer for decrypted records; the plaintext is delivered before the next record is read.
  std::vector<std::uint8_t>& plaintext() { return plaintext_; }

 private:
  SslContextOwner context_;
  std::string unread_authorities_;  // PEM, not parsed yet; empty: none
  std::string server_name_;
  bool verify_;
  bool resume_;
  std::vector<std::unique_ptr<TlsServer>> servers_;
  std::vector<std::vector<std::uint8_t>> spare_;
  std::vector<std::uint8_t> plaintext_;
};

}  // namespace hyperscale::load
