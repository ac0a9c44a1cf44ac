// DisplayHistogram: a histogram folded into few log-spaced buckets, to draw it or to send it to a screen.
//
// Derived and read-only: it is made from a full histogram and cannot be recorded into or merged. The buckets lie side
// by side from the bucket of the minimum to that of the maximum, each covers whole buckets of the source, and their
// counts add up to count(). Count, minimum, maximum and mean are the exact ones. Plain value, no locking.
#pragma once

#include "base/histogram/sparse_histogram.h"
#include "base/time.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace hyperscale {

inline constexpr std::size_t kDisplayBucketsMax = 256;

class DisplayHistogram {
 public:
  using Bucket = LatencyHistogram::Bucket;

  DisplayHistogram() = default;
  // REQUIRES: 1 <= buckets_max <= kDisplayBucketsMax.
  explicit DisplayHistogram(const SparseHistogram& source, std::size_t buckets_max = kDisplayBucketsMax);

  // Empty ones in between included; none at all when the source was empty.
  const std::vector<Bucket>& buckets() const { return buckets_; }
  std::uint64_t count() const { return count_; }
  Duration min() const { return min_; }
  Duration max() const { return max_; }
  Duration mean() const { return mean_; }

  // Interpolated inside the display bucket that the wanted value is counted in; off by that bucket's width at most.
  Duration estimate_percentile(double percentile) const;

 private:
  std::vector<Bucket> buckets_;
  std::uint64_t count_ = 0;
  Duration min_{};
  Duration max_{};
  Duration mean_{};
};

}  // namespace hyperscale
