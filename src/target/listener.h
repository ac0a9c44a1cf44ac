// Opening listening sockets. A port that another process listens on is refused, although our own cores share theirs.
#pragma once

#include "base/result.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <unistd.h>

namespace hyperscale::target {

class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  int get() const { return fd_; }

 private:
  int fd_ = -1;
};

struct TcpListeners {
  std::vector<Descriptor> sockets;  // one per core, the kernel spreads connections over them
  std::uint16_t port = 0;
};

// `address` is a literal; port 0 takes a free one. Fails with kUnavailable or kInvalidArgument.
Result<TcpListeners> listen_tcp(const std::string& address, std::uint16_t port, unsigned cores);
// A socket file that nobody listens on any more is replaced.
Result<Descriptor> listen_unix(const std::string& path);

}  // namespace hyperscale::target
