// LockedBytes: bytes on separate pages that are locked into memory, left out of core dumps and overwritten on release.
// For long-lived secrets.
//
// Immutable after construction; any thread. Where the limit of locked memory does not allow it the pages are not
// locked; everything else holds.
#pragma once

#include <cstddef>
#include <string_view>

namespace hyperscale {

class LockedBytes {
 public:
  explicit LockedBytes(std::string_view bytes);
  ~LockedBytes();
  LockedBytes(const LockedBytes&) = delete;
  LockedBytes& operator=(const LockedBytes&) = delete;

  std::string_view view() const { return {data_, size_}; }
  bool is_locked() const { return locked_; }

 private:
  char* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t mapped_bytes_ = 0;
  bool locked_ = false;
};

}  // namespace hyperscale
