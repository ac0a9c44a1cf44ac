// Guards mapped files that another process may truncate: access to the missing part raises SIGBUS, which would end this
// process.
//
// While a mapping is guarded, the part of it that has lost its file becomes memory of this process: it reads as zero,
// and writes to it are lost. The owner polls lost() and stops using the mapping. Other SIGBUS end the process as
// before.
//
// Any thread. The signal handler takes no lock and allocates nothing.
#pragma once

#include <cstddef>

namespace hyperscale::stream {

// Per process; further mappings are not guarded.
inline constexpr std::size_t kGuardedMappingsMax = 16'384;

class TruncationGuard {
 public:
  TruncationGuard() = default;
  TruncationGuard(void* data, std::size_t bytes);
  TruncationGuard(TruncationGuard&& other) noexcept { *this = static_cast<TruncationGuard&&>(other); }
  TruncationGuard& operator=(TruncationGuard&& other) noexcept;
  ~TruncationGuard();

  // Whether a missing part of the mapping was accessed after its file was truncated.
  bool lost() const;

 private:
  std::size_t place_ = kGuardedMappingsMax;  // none
};

}  // namespace hyperscale::stream
