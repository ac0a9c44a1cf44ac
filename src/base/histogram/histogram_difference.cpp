#include "base/histogram/histogram_difference.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace hyperscale {
namespace {

std::uint64_t less(std::uint64_t from, std::uint64_t by) {
  return from - std::min(from, by);
}

}  // namespace

SparseHistogram histogram_difference(const SparseHistogram& later, const SparseHistogram& earlier) {
  std::vector<SparseHistogram::Cell> gained;
  auto before = earlier.cells().begin();
  for (const SparseHistogram::Cell& cell : later.cells()) {
    while (before != earlier.cells().end() && before->bucket < cell.bucket) ++before;
    const bool both = before != earlier.cells().end() && before->bucket == cell.bucket;
    const std::uint64_t count = less(cell.count, both ? before->count : 0);
    if (count > 0) gained.push_back({.bucket = cell.bucket, .count = count});
  }
  // Extremes that lie outside the buckets that gained are moved to their edges.
  return SparseHistogram::from_parts(std::move(gained),
                                     {.sum_ns = later.sum_ns() - std::min(later.sum_ns(), earlier.sum_ns()),
                                      .min = later.min(),
                                      .max = later.max(),
                                      .saturated = less(later.saturated(), earlier.saturated())});
}

}  // namespace hyperscale
