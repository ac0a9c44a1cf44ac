#include "load/loop/socket_address.h"

#include <cstring>

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>

namespace hyperscale::load {

Result<SocketAddress> SocketAddress::from_literal(std::string_view address, std::uint16_t port) {
  SocketAddress out;
  const std::string text(address);
  auto* v4 = reinterpret_cast<sockaddr_in*>(&out.storage_);
  if (inet_pton(AF_INET, text.c_str(), &v4->sin_addr) == 1) {
    v4->sin_family = AF_INET;
    v4->sin_port = htons(port);
    out.size_ = sizeof *v4;
    return out;
  }
  auto* v6 = reinterpret_cast<sockaddr_in6*>(&out.storage_);
  if (inet_pton(AF_INET6, text.c_str(), &v6->sin6_addr) == 1) {
    v6->sin6_family = AF_INET6;
    v6->sin6_port = htons(port);
    out.size_ = sizeof *v6;
    return out;
  }
  return fail(ErrorCode::kInvalidArgument, fmt::format("\"{}\" is not an IPv4 or IPv6 address", address));
}

Result<SocketAddress> SocketAddress::from_unix_path(std::string_view path) {
  SocketAddress out;
  auto* local = reinterpret_cast<sockaddr_un*>(&out.storage_);
  if (path.empty() || path.size() >= sizeof local->sun_path) {
    return fail(ErrorCode::kInvalidArgument, fmt::format("the path of a Unix socket has 1 to {} bytes, this one has {}",
                                                         sizeof local->sun_path - 1, path.size()));
  }
  local->sun_family = AF_UNIX;
  std::memcpy(local->sun_path, path.data(), path.size());
  out.size_ = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + path.size() + 1);
  return out;
}

SocketAddress SocketAddress::with_port(std::uint16_t port) const {
  SocketAddress out = *this;
  if (family() == AF_INET) reinterpret_cast<sockaddr_in*>(&out.storage_)->sin_port = htons(port);
  if (family() == AF_INET6) reinterpret_cast<sockaddr_in6*>(&out.storage_)->sin6_port = htons(port);
  return out;
}

std::string SocketAddress::to_string() const {
  char text[INET6_ADDRSTRLEN] = "";
  switch (family()) {
    case AF_INET: {
      const auto* v4 = reinterpret_cast<const sockaddr_in*>(&storage_);
      inet_ntop(AF_INET, &v4->sin_addr, text, sizeof text);
      return fmt::format("{}:{}", text, ntohs(v4->sin_port));
    }
    case AF_INET6: {
      const auto* v6 = reinterpret_cast<const sockaddr_in6*>(&storage_);
      inet_ntop(AF_INET6, &v6->sin6_addr, text, sizeof text);
      return fmt::format("[{}]:{}", text, ntohs(v6->sin6_port));
    }
    case AF_UNIX:
      return fmt::format("unix:{}", reinterpret_cast<const sockaddr_un*>(&storage_)->sun_path);
    default:
      return "(no address)";
  }
}

}  // namespace hyperscale::load
