// MappedRegion: a region file in the memory of this process, with the descriptor that it came from.
//
// Movable; no locking of its own. A mapping stays valid when its file is removed. This program never truncates region
// files; when another process does, the missing part reads as zero and lost() is true (truncation_guard.h). create()
// reserves memory before it is touched: a full machine is an error, not a SIGBUS later (SHM-DRV-5).
#pragma once

#include "base/owned_fd.h"
#include "base/result.h"
#include "stream/truncation_guard.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace hyperscale::stream {

class MappedRegion {
 public:
  struct Size {
    std::uint64_t reserved = 0;  // there from the start
    std::uint64_t total = 0;     // the rest is a hole that reserve() fills
  };
  // A new file of mode 0600 below the folder. kBusy when memory is short; the file is removed then.
  static Result<MappedRegion> create(int folder, const std::string& name, const Size& size);
  // Without a file, for memory that only this process and its children see.
  static Result<MappedRegion> anonymous(std::uint64_t bytes);
  // Takes ownership of the descriptor. kInvalidArgument when it is not a regular file or smaller than `bytes`.
  enum class Access : std::uint8_t { kRead, kWrite };
  static Result<MappedRegion> map(OwnedFd fd, std::uint64_t bytes, Access access);

  MappedRegion() = default;
  MappedRegion(MappedRegion&& other) noexcept { *this = std::move(other); }
  MappedRegion& operator=(MappedRegion&& other) noexcept;
  ~MappedRegion();

  // Reserves memory for a part of the hole; false when memory is short.
  bool reserve(std::uint64_t offset, std::uint64_t bytes) const;

  void* data() const { return data_; }
  std::byte* at(std::uint64_t offset) const { return static_cast<std::byte*>(data_) + offset; }
  std::uint64_t size() const { return size_; }
  int descriptor() const { return fd_.get(); }
  // Whether its file was cut short under it.
  bool lost() const { return guard_.lost(); }

 private:
  OwnedFd fd_;
  void* data_ = nullptr;
  std::uint64_t size_ = 0;
  TruncationGuard guard_;
};

// How many bytes a file below that folder can still get.
std::uint64_t free_bytes_of(int folder);

}  // namespace hyperscale::stream
