// IterationNumbers: numbers the iterations of one workflow in the order in which they begin: 0, 1, 2 and so on, each
// once, over all executors that share the memory.
//
// Any process and thread. A number is taken before its iteration begins, so one that an executor took before it died
// is not reused. These numbers select rows of data.
#pragma once

#include <atomic>
#include <cstdint>

namespace hyperscale::load {

// The memory that executors share; zero at first.
struct IterationNumberCells {
  std::uint64_t next;
};

class IterationNumbers {
 public:
  // `cells` outlives the numbers.
  explicit IterationNumbers(IterationNumberCells& cells) : cells_(&cells) {}
  std::uint64_t take() const {
    return std::atomic_ref<std::uint64_t>(cells_->next).fetch_add(1, std::memory_order_relaxed);
  }

 private:
  IterationNumberCells* cells_;
};

}  // namespace hyperscale::load
