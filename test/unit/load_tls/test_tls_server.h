// TestTlsServer: the server's end of TLS connections in memory. Bytes of the wire in by feed(), out by wire(); the test
// says what is sent and looks at what came.
#pragma once

#include "base/bytes.h"
#include "test_authority.h"

#include <cstdint>
#include <string>
#include <vector>

namespace hyperscale::load {

struct TestTlsOptions {
  std::string alpn = "h2";  // what it chooses when it is offered; empty: nothing
  int version_max = 0;      // 0: the newest
  int version_min = 0;
  std::string client_ca_pem{};  // wants a client certificate of this authority
};

// Connections of one context share its ticket keys, so one resumes what another began.
class TestTlsContext {
 public:
  explicit TestTlsContext(const Identity& identity, TestTlsOptions options = {});
  SSL_CTX* get() { return context_.get(); }
  const TestTlsOptions& options() const { return options_; }

 private:
  TestTlsOptions options_;
  SslContextOwner context_;
};

class TestTlsServer {
 public:
  explicit TestTlsServer(TestTlsContext& context);

  void feed(ByteView bytes);
  std::vector<std::uint8_t> wire();
  void send(std::string_view text);
  void say_goodbye();
  void request_key_update();

  bool handshake_done() const { return SSL_is_init_finished(ssl_.get()) == 1; }
  std::string server_name() const;
  bool resumed() const { return SSL_session_reused(ssl_.get()) == 1; }
  bool saw_close_notify() const { return (SSL_get_shutdown(ssl_.get()) & SSL_RECEIVED_SHUTDOWN) != 0; }
  bool has_client_certificate() const { return SSL_get0_peer_certificate(ssl_.get()) != nullptr; }
  bool failed() const { return failed_; }

  std::string received;

 private:
  void step();
  SslOwner ssl_;
  bool failed_ = false;
};

}  // namespace hyperscale::load
