// OwnedFd: a file descriptor that is closed with its owner; the one type for it. -1 is no descriptor.
//
// Thread rule: one thread at a time. Movable. Descriptors that live in slots of an event loop are the loop's own: the
// tidy rule one_descriptor names the files that may call ::close().
#pragma once

#include <utility>

#include <unistd.h>

namespace hyperscale {

class OwnedFd {
 public:
  OwnedFd() = default;
  explicit OwnedFd(int fd) : fd_(fd) {}
  OwnedFd(OwnedFd&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  OwnedFd& operator=(OwnedFd&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~OwnedFd() { close(); }

  int get() const { return fd_; }
  bool valid() const { return fd_ >= 0; }
  // Releases the open descriptor to the caller.
  [[nodiscard]] int release() { return std::exchange(fd_, -1); }
  // Closes it now, if there is one. False with errno: the kernel could not store the written data.
  bool close() { return fd_ < 0 || ::close(release()) == 0; }

 private:
  int fd_ = -1;
};

}  // namespace hyperscale
