// TimedSocket: a TCP connection whose every operation has a deadline. For single exchanges, not for load.
//
// Blocking; one thread at a time. Failures are kTimeout, or kUnavailable with the errno text.
#pragma once

#include "base/owned_fd.h"
#include "base/result.h"
#include "base/time.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace hyperscale::app {

class TimedSocket {
 public:
  // `address` is an IP literal.
  static Result<TimedSocket> connect(const std::string& address, std::uint16_t port, MonoTime deadline);

  // Returns the number of bytes read, at least one; 0 if the peer has closed.
  Result<std::size_t> read(std::span<char> into, MonoTime deadline);
  // For texts that fit into an empty send buffer: excess bytes are lost.
  void write(std::string_view text);

 private:
  explicit TimedSocket(int fd) : fd_(fd) {}
  Status wait(short events, MonoTime deadline) const;

  OwnedFd fd_;
};

}  // namespace hyperscale::app
