// SparseHistogram: a LatencyHistogram without its array. It holds the buckets that are not empty, sorted, so its size
// follows what was recorded: some kilobytes for a second of requests instead of 260 KB.
//
// For everything that is kept, merged or sent: results, windows, moments. Same buckets, same figures and same bytes
// (histogram_codec.h) as a LatencyHistogram of the same values, which is the one to record into; a record() here moves
// the cells behind it. Merging is exact, in any order, and linear in the cells of both.
//
// Plain value, no locking. Failure: merge() refuses more than kHistogramCountMax values and leaves both as they were.
#pragma once

#include "base/histogram/histogram.h"
#include "base/histogram/histogram_buckets.h"
#include "base/result.h"
#include "base/time.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace hyperscale {

class SparseHistogram {
 public:
  using Sum = LatencyHistogram::Sum;
  using Range = LatencyHistogram::Range;
  using Bucket = LatencyHistogram::Bucket;
  using Totals = LatencyHistogram::Totals;

  struct Cell {
    std::uint32_t bucket = 0;  // as histogram_buckets::index_of()
    std::uint64_t count = 0;   // never zero
    bool operator==(const Cell&) const = default;
  };

  SparseHistogram() = default;
  // Implicit: nothing is lost.
  SparseHistogram(const LatencyHistogram& dense);  // NOLINT(google-explicit-constructor)

  // From counts that were kept elsewhere; totals that do not fit them are moved to the nearest that do, as
  // LatencyHistogram::from_parts() does. REQUIRES: cells ascend by bucket, and have at most kHistogramCountMax values.
  static SparseHistogram from_parts(std::vector<Cell> cells, const Totals& totals);

  void record(Duration value) { record_many(value, 1); }
  // REQUIRES: count() + times <= kHistogramCountMax.
  void record_many(Duration value, std::uint64_t times);
  // kTooLarge, and nothing changed, when the counts would exceed kHistogramCountMax together.
  Status merge(const SparseHistogram& other);

  std::uint64_t count() const { return count_; }
  std::uint64_t saturated() const { return saturated_; }
  bool empty() const { return count_ == 0; }
  // Zero while empty.
  Duration min() const { return empty() ? Duration::zero() : min_; }
  Duration max() const { return max_; }
  Duration mean() const;  // rounded down to a nanosecond
  Sum sum_ns() const { return sum_ns_; }
  // As that of LatencyHistogram.
  Duration value_at_percentile(double percentile) const;

  const std::vector<Cell>& cells() const { return cells_; }
  // Calls visit(const Bucket&) for each bucket that is not empty, from low to high.
  template <typename Visit>
  void for_each_bucket(Visit&& visit) const {
    for (const Cell& cell : cells_) visit(Bucket{LatencyHistogram::range_of(cell.bucket), cell.count});
  }

  bool operator==(const SparseHistogram&) const = default;

 private:
  friend class HistogramCodec;

  std::vector<Cell> cells_;
  std::uint64_t count_ = 0;
  std::uint64_t saturated_ = 0;
  Sum sum_ns_ = 0;
  Duration min_ = Duration::max();
  Duration max_ = Duration::zero();
};

}  // namespace hyperscale
