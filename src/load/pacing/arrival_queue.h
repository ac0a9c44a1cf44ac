// ArrivalQueue: arrivals that are due and have not begun, oldest first. A ring that grows when full and allocates
// nothing otherwise. Single-threaded.
#pragma once

#include "base/check.h"
#include "load/pacing/arrival_schedule.h"

#include <cstddef>
#include <vector>

namespace hyperscale::load {

class ArrivalQueue {
 public:
  bool empty() const { return count_ == 0; }
  std::size_t size() const { return count_; }
  const Arrival& front() const { return ring_[first_]; }

  void push(const Arrival& arrival) {
    if (count_ == ring_.size()) grow();
    ring_[(first_ + count_) & (ring_.size() - 1)] = arrival;
    ++count_;
  }
  // How many queued arrivals were due at `time` or before. REQUIRES: `time` never decreases.
  std::size_t due_until(Duration time) {
    while (overdue_ < count_ && ring_[(first_ + overdue_) & (ring_.size() - 1)].at <= time) ++overdue_;
    return overdue_;
  }
  Arrival pop() {
    CHECK(count_ > 0, "nothing is due");
    const Arrival arrival = ring_[first_];
    first_ = (first_ + 1) & (ring_.size() - 1);
    --count_;
    if (overdue_ > 0) --overdue_;
    return arrival;
  }

 private:
  void grow() {
    std::vector<Arrival> larger(ring_.size() * 2);
    for (std::size_t i = 0; i < count_; ++i) larger[i] = ring_[(first_ + i) & (ring_.size() - 1)];
    ring_ = std::move(larger);
    first_ = 0;
  }

  std::vector<Arrival> ring_ = std::vector<Arrival>(64);  // a power of two
  std::size_t first_ = 0;
  std::size_t count_ = 0;
  std::size_t overdue_ = 0;  // of these, counted by due_until()
};

}  // namespace hyperscale::load
