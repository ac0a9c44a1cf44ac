// IterationNumbers: numbers the iterations of one share of a workflow in the order in which they begin, each once, over
// all executors that share the memory: 0, 1, 2 and so on if the share is the whole workflow, else its part of these.
//
// Any process and thread. A number is taken before its iteration begins, so one that an executor took before it died
// is not reused. These numbers select rows of data.
#pragma once

#include "plan/fleet/number_sequence.h"

#include <atomic>
#include <cstdint>

namespace hyperscale::load {

// The memory that executors share; zero at first.
struct IterationNumberCells {
  std::uint64_t next;
};

class IterationNumbers {
 public:
  // `cells` outlives the numbers. Without a sequence the share is the whole workflow.
  explicit IterationNumbers(IterationNumberCells& cells, const plan::NumberSequence& sequence = {})
      : cells_(&cells), sequence_(sequence) {}
  std::uint64_t take() const {
    return sequence_.nth(std::atomic_ref<std::uint64_t>(cells_->next).fetch_add(1, std::memory_order_relaxed));
  }

 private:
  IterationNumberCells* cells_;
  plan::NumberSequence sequence_;
};

}  // namespace hyperscale::load
