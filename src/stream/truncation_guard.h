// Mapped files that another process may cut short: touching what is gone is SIGBUS, which would end this process.
//
// While a mapping is guarded, the part of it that has lost its file becomes memory of this process: it reads as zero,
// and what is written there reaches nobody. The owner asks lost() and stops using the mapping. Other SIGBUS end
// the process as before.
//
// Any thread. The signal handler takes no lock and allocates nothing.
#pragma once

#include <cstddef>

namespace hyperscale::stream {

// Of a process; a mapping beyond it is not guarded.
inline constexpr std::size_t kGuardedMappingsMax = 16'384;

class TruncationGuard {
 public:
  TruncationGuard() = default;
  TruncationGuard(void* data, std::size_t bytes);
  TruncationGuard(TruncationGuard&& other) noexcept { *this = static_cast<TruncationGuard&&>(other); }
  TruncationGuard& operator=(TruncationGuard&& other) noexcept;
  ~TruncationGuard();

  // Whether a part of the mapping was touched after its file had been cut.
  bool lost() const;

 private:
  std::size_t place_ = kGuardedMappingsMax;  // none
};

}  // namespace hyperscale::stream
