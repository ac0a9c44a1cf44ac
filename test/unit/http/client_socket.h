// ClientSocket: a blocking loopback client, plain or TLS, with a generous bound on every wait so that a broken server
// fails a test instead of hanging it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <openssl/ssl.h>

namespace hyperscale::runtime {

class ClientSocket {
 public:
  explicit ClientSocket(std::uint16_t port);
  ~ClientSocket();
  ClientSocket(const ClientSocket&) = delete;
  ClientSocket& operator=(const ClientSocket&) = delete;

  bool connected() const { return fd_ >= 0; }
  // Offers `alpn` (such as "h2"; empty for none). False when the handshake fails.
  bool start_tls(std::string_view alpn);
  std::string alpn_selected() const;
  bool got_close_notify() const { return (SSL_get_shutdown(ssl_) & SSL_RECEIVED_SHUTDOWN) != 0; }

  bool send(std::string_view bytes);
  // What arrived; empty at the end of the stream, after a reset and when the bound has passed.
  std::string receive();
  // Everything until the peer closes.
  std::string receive_all();
  void shutdown_write();
  // Closes with RST instead of FIN.
  void reset();
  void close();

 private:
  int fd_ = -1;
  SSL_CTX* context_ = nullptr;
  SSL* ssl_ = nullptr;
};

}  // namespace hyperscale::runtime
