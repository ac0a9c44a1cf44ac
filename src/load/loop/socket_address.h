// SocketAddress: an IPv4, IPv6 or Unix socket address in the kernel's form. A plain value.
#pragma once

#include "base/result.h"

#include <cstdint>
#include <string>
#include <string_view>

#include <sys/socket.h>
#include <sys/un.h>

namespace hyperscale::load {

class SocketAddress {
 public:
  SocketAddress() = default;
  // `address` is a literal: "127.0.0.1", "::1". Fails with kInvalidArgument.
  static Result<SocketAddress> from_literal(std::string_view address, std::uint16_t port);
  static Result<SocketAddress> from_unix_path(std::string_view path);

  SocketAddress with_port(std::uint16_t port) const;  // the same for a Unix path
  const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&storage_); }
  socklen_t size() const { return size_; }
  int family() const { return storage_.ss_family; }
  std::string to_string() const;  // "127.0.0.1:80", "[::1]:80", "unix:/run/x.sock"

 private:
  sockaddr_storage storage_{};
  socklen_t size_ = 0;
};

}  // namespace hyperscale::load
