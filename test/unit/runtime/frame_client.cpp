#include "frame_client.h"

#include "wire/request_payload.h"

#include <cerrno>

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

namespace hyperscale::runtime {
namespace {
constexpr int kWaitBoundSeconds = 20;
constexpr std::size_t kChunkBytes = 65'536;
}  // namespace

FrameClient::FrameClient(std::uint16_t port, int receive_buffer_bytes) {
  fd_ = ::socket(AF_INET, SOCK_STREAM, 0);
  const timeval bound{kWaitBoundSeconds, 0};
  ::setsockopt(fd_, SOL_SOCKET, SO_RCVTIMEO, &bound, sizeof(bound));
  ::setsockopt(fd_, SOL_SOCKET, SO_SNDTIMEO, &bound, sizeof(bound));
  if (receive_buffer_bytes > 0) {
    ::setsockopt(fd_, SOL_SOCKET, SO_RCVBUF, &receive_buffer_bytes, sizeof(receive_buffer_bytes));
  }
  const int no_delay = 1;
  ::setsockopt(fd_, IPPROTO_TCP, TCP_NODELAY, &no_delay, sizeof(no_delay));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::connect(fd_, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0) close();
}

FrameClient::~FrameClient() {
  close();
}

bool FrameClient::send_raw(ByteView bytes) {
  while (!bytes.empty()) {
    const long sent = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(sent));
  }
  return true;
}

bool FrameClient::request(std::uint64_t correlation, std::string_view method, std::string_view body) {
  auto payload = wire::encode_request(method, as_bytes(body));
  return send({wire::FrameType::kRequest, 0, correlation, std::move(*payload)});
}

std::optional<wire::Frame> FrameClient::receive() {
  for (;;) {
    auto frame = decoder_.next();
    if (!frame) {
      ADD_FAILURE() << frame.error().to_string();
      return std::nullopt;
    }
    if (*frame) return std::move(**frame);
    chunk_.resize(kChunkBytes);
    const long got = ::recv(fd_, chunk_.data(), chunk_.size(), 0);
    if (got < 0) reset_ = errno == ECONNRESET || errno == EPIPE;
    if (got <= 0) return std::nullopt;
    (void)decoder_.feed(ByteView(chunk_.data(), static_cast<std::size_t>(got)));
  }
}

void FrameClient::shutdown_write() {
  ::shutdown(fd_, SHUT_WR);
}

void FrameClient::reset() {
  const linger hard{1, 0};
  ::setsockopt(fd_, SOL_SOCKET, SO_LINGER, &hard, sizeof(hard));
  close();
}

void FrameClient::close() {
  if (fd_ >= 0) ::close(fd_);
  fd_ = -1;
}

}  // namespace hyperscale::runtime
