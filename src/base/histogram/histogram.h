// LatencyHistogram: counts durations in log-linear buckets that keep 3 significant decimal digits from 1 us to 1 h.
//
// Buckets: [0, 1us) is the unit bucket; [1us, 2048ns) has buckets of 1 ns; from there on each doubling is divided into
// 1024 equal buckets, up to 1 h included. A bucket of 1 us or more is therefore at most 0.1 % as wide as its lower
// edge. Count, sum (so mean), minimum and maximum are exact. A value above 1 h goes into the last bucket and is counted
// as saturated; a negative value, which a coarse clock can produce, counts as zero.
//
// Single-threaded. Recording is O(1) and never allocates; an object holds about 260 KB whatever it recorded, and all
// other operations visit only the range between minimum and maximum. Merging loses nothing: the result equals the
// histogram of all values of both, in any order of merges.
#pragma once

#include "base/histogram/histogram_buckets.h"
#include "base/result.h"
#include "base/time.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace hyperscale {

// More values than any fleet can record; below it no sum of counts overflows.
inline constexpr std::uint64_t kHistogramCountMax = std::uint64_t{1} << 62;

class LatencyHistogram {
 public:
  using Sum = unsigned __int128;  // nanoseconds

  struct Range {
    Duration low;   // included
    Duration high;  // not included
    bool contains(Duration value) const { return low <= value && value < high; }
    bool operator==(const Range&) const = default;
  };
  struct Bucket {
    Range range;
    std::uint64_t count;
    bool operator==(const Bucket&) const = default;
  };

  LatencyHistogram();

  void record(Duration value) { record_many(value, 1); }
  // REQUIRES: count() + times <= kHistogramCountMax.
  void record_many(Duration value, std::uint64_t times);

  // Rebuilds one from counts that were kept elsewhere by the scheme of histogram_buckets.h. The counts decide; totals
  // that do not fit them (their recorder died between two stores) are moved to the nearest that do.
  struct Totals {
    Sum sum_ns = 0;
    Duration min{};
    Duration max{};
    std::uint64_t saturated = 0;
  };
  static LatencyHistogram from_parts(std::span<const std::uint64_t> counts, const Totals& totals);

  // kTooLarge, and nothing changed, when the counts would exceed kHistogramCountMax together.
  Status merge(const LatencyHistogram& other);
  void reset();

  std::uint64_t count() const { return count_; }
  std::uint64_t saturated() const { return saturated_; }
  bool empty() const { return count_ == 0; }
  // Zero while empty.
  Duration min() const { return empty() ? Duration::zero() : min_; }
  Duration max() const { return max_; }
  Duration mean() const;  // rounded down to a nanosecond
  Sum sum_ns() const { return sum_ns_; }

  // The largest value that the bucket of the wanted value can hold, kept within minimum and maximum; the wanted one is
  // the smallest recorded value that at least `percentile` % of all values do not exceed. Saturated values answer as 1
  // h. Zero while empty; a percentile outside 0..100 is taken as the nearer end.
  Duration value_at_percentile(double percentile) const;

  // The bucket that `value` is, or would be, counted in.
  static Range bucket_of(Duration value);
  // REQUIRES: index < histogram_buckets::kCount.
  static Range range_of(std::size_t index);

  // Calls visit(const Bucket&) for each bucket that is not empty, from low to high.
  template <typename Visit>
  void for_each_bucket(Visit&& visit) const {
    if (empty()) return;
    for (std::size_t i = index_of(min_), last = index_of(max_); i <= last; ++i) {
      if (counts_[i] != 0) visit(Bucket{range_of(i), counts_[i]});
    }
  }

  bool operator==(const LatencyHistogram&) const = default;

 private:
  static std::size_t index_of(Duration value) { return histogram_buckets::index_of(value); }

  std::vector<std::uint64_t> counts_;
  std::uint64_t count_ = 0;
  std::uint64_t saturated_ = 0;
  Sum sum_ns_ = 0;
  Duration min_ = Duration::max();
  Duration max_ = Duration::zero();
};

}  // namespace hyperscale
