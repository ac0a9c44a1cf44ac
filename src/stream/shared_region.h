// SharedRegion: memory that a process and its children see both. It has no name: it is a descriptor that is handed on,
// and it is gone with the last process that holds it, however that one dies.
//
// The memory is zero at first and really there: a full machine is an error of create(), not a SIGBUS later.
#pragma once

#include "base/result.h"

#include <cstddef>
#include <span>
#include <utility>

namespace hyperscale::stream {

// More would be a mistake of the caller, and asking the kernel for it could take the memory of everybody else first.
inline constexpr std::size_t kRegionBytesMax = std::size_t{2} << 30;

class SharedRegion {
 public:
  // Fails with kTooLarge above kRegionBytesMax, with kBusy when the machine has no room for it.
  static Result<SharedRegion> create(std::size_t size_bytes);
  // Maps a region that another process made; takes the descriptor over. Fails when it is smaller than `size_bytes`.
  static Result<SharedRegion> open(int fd, std::size_t size_bytes);

  SharedRegion() = default;
  SharedRegion(SharedRegion&& other) noexcept { *this = std::move(other); }
  SharedRegion& operator=(SharedRegion&& other) noexcept;
  ~SharedRegion();

  void* data() const { return data_; }
  std::size_t size() const { return size_; }
  int descriptor() const { return fd_; }

 private:
  int fd_ = -1;
  void* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace hyperscale::stream
