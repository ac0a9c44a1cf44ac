// Segment: the memory of one generation's own fields. Allocated once, filled from the front, reset in constant time.
//
// Thread rule: none of its own; the generation protocol passes it from the engine to readers and back.
#pragma once

#include "base/check.h"

#include <cstddef>
#include <memory>
#include <span>

namespace hyperscale::realtime {

class Segment {
 public:
  Segment() = default;
  explicit Segment(std::size_t doubles)
      : memory_(std::make_unique_for_overwrite<double[]>(doubles)), capacity_(doubles) {}

  // Uninitialised: the caller must write all of it.
  std::span<double> allocate(std::size_t doubles) {
    CHECK(doubles <= capacity_ - used_, "a segment of {} has no room for {} more after {}", capacity_, doubles, used_);
    const std::span<double> taken(memory_.get() + used_, doubles);
    used_ += doubles;
    return taken;
  }
  void reset() { used_ = 0; }

  std::size_t used() const { return used_; }
  std::size_t capacity() const { return capacity_; }

 private:
  std::unique_ptr<double[]> memory_;
  std::size_t capacity_ = 0;
  std::size_t used_ = 0;
};

}  // namespace hyperscale::realtime
