#include "client_socket.h"

#include <array>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

namespace hyperscale::runtime {
namespace {
constexpr int kWaitBoundSeconds = 20;
}

ClientSocket::ClientSocket(std::uint16_t port) {
  fd_ = ::socket(AF_INET, SOCK_STREAM, 0);
  const timeval bound{kWaitBoundSeconds, 0};
  ::setsockopt(fd_, SOL_SOCKET, SO_RCVTIMEO, &bound, sizeof(bound));
  ::setsockopt(fd_, SOL_SOCKET, SO_SNDTIMEO, &bound, sizeof(bound));
  const int no_delay = 1;
  ::setsockopt(fd_, IPPROTO_TCP, TCP_NODELAY, &no_delay, sizeof(no_delay));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::connect(fd_, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0) close();
}

ClientSocket::~ClientSocket() {
  close();
}

bool ClientSocket::start_tls(std::string_view alpn) {
  context_ = SSL_CTX_new(TLS_client_method());
  ssl_ = SSL_new(context_);
  if (!alpn.empty()) {
    const std::string offer = static_cast<char>(alpn.size()) + std::string(alpn);
    SSL_set_alpn_protos(ssl_, reinterpret_cast<const unsigned char*>(offer.data()),
                        static_cast<unsigned>(offer.size()));
  }
  SSL_set_fd(ssl_, fd_);
  return SSL_connect(ssl_) == 1;
}

std::string ClientSocket::alpn_selected() const {
  const unsigned char* name = nullptr;
  unsigned size = 0;
  SSL_get0_alpn_selected(ssl_, &name, &size);
  return {reinterpret_cast<const char*>(name), size};
}

bool ClientSocket::send(std::string_view bytes) {
  while (!bytes.empty()) {
    const long sent = ssl_ != nullptr ? SSL_write(ssl_, bytes.data(), static_cast<int>(bytes.size()))
                                      : ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

std::string ClientSocket::receive() {
  std::array<char, 16384> buffer;
  const long got =
      ssl_ != nullptr ? SSL_read(ssl_, buffer.data(), buffer.size()) : ::recv(fd_, buffer.data(), buffer.size(), 0);
  return got > 0 ? std::string(buffer.data(), static_cast<std::size_t>(got)) : std::string();
}

std::string ClientSocket::receive_all() {
  std::string all;
  for (std::string piece = receive(); !piece.empty(); piece = receive()) all += piece;
  return all;
}

void ClientSocket::shutdown_write() {
  ::shutdown(fd_, SHUT_WR);
}

void ClientSocket::reset() {
  const linger hard{1, 0};
  ::setsockopt(fd_, SOL_SOCKET, SO_LINGER, &hard, sizeof(hard));
  close();
}

void ClientSocket::close() {
  if (ssl_ != nullptr) SSL_free(ssl_);
  if (context_ != nullptr) SSL_CTX_free(context_);
  ssl_ = nullptr;
  context_ = nullptr;
  if (fd_ >= 0) ::close(fd_);
  fd_ = -1;
}

}  // namespace hyperscale::runtime
