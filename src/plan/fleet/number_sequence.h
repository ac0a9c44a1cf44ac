// NumberSequence: numbers of the iterations of one share among those of the whole workflow, in ascending order. A share
// has the numbers k for which k mod count is the index of one of its slots; so no two shares have one number, and the
// share that has all slots has all numbers. These numbers select rows of data.
//
// A value; any thread.
#pragma once

#include "base/check.h"
#include "plan/segment.h"

#include <cstdint>
#include <span>

namespace hyperscale::plan {

struct NumberSequence {
  std::uint32_t first = 0;  // index of the first slot of the share
  std::uint32_t step = 1;   // from one slot to the next
  std::uint32_t slots = 1;  // of the share
  std::uint32_t count = 1;  // after which the indices repeat
  std::uint64_t nth(std::uint64_t n) const { return n / slots * count + first + step * (n % slots); }
  bool operator==(const NumberSequence&) const = default;
};

// True if the segment is one of the share that has these numbers.
inline bool belongs(const Segment& segment, const NumberSequence& numbers) {
  if (numbers.step != segment.datacenters || numbers.count != segment.count || numbers.slots == 0) return false;
  const std::uint64_t last = numbers.first + std::uint64_t{numbers.step} * (numbers.slots - 1);
  return numbers.first <= segment.index && segment.index <= last && last < numbers.count &&
         (segment.index - numbers.first) % numbers.step == 0;
}

// REQUIRES: the segments are consecutive ones of segments_of() or slots_of(), at least one.
inline NumberSequence numbers_of(std::span<const Segment> share) {
  CHECK(!share.empty(), "a share without a slot");
  const Segment& first = share.front();
  return {.first = first.index,
          .step = first.datacenters,
          .slots = static_cast<std::uint32_t>(share.size()),
          .count = first.count};
}

}  // namespace hyperscale::plan
