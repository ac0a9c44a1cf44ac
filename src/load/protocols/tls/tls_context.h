// TlsContext: the client's TLS settings of a plan, and what its connections share: sessions to resume, buffers.
//
// TLS 1.2 and 1.3. Certificates are verified against the plan's CA certificates, or the system's when it has none,
// unless the plan is insecure. One context per executor thread, used by that thread only; it outlives its transports.
//
// The system's certificates are many: reading them takes longer than all else that an executor does before its start.
// A plan that may never need them keeps their text and reads it with the first connection.
//
// make() fails with InvalidArgument and one sentence that says which text is wrong and how. Keys never appear in it.
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

// Reads the system's CA certificates into this process. Contexts that are made later take them from there, so it may
// give up its files. Nothing is found: a context then says so when a certificate is verified.
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
  // Where records are decrypted to; the plaintext is handed on before the next one is read.
  std::vector<std::uint8_t>& plaintext() { return plaintext_; }

 private:
  SslContextOwner context_;
  std::string unread_authorities_;  // PEM; empty: there are none
  std::string server_name_;
  bool verify_;
  bool resume_;
  std::vector<std::unique_ptr<TlsServer>> servers_;
  std::vector<std::vector<std::uint8_t>> spare_;
  std::vector<std::uint8_t> plaintext_;
};

}  // namespace hyperscale::load
