#include "base/histogram/histogram.h"

#include "base/check.h"
#include "base/histogram/percentile_rank.h"

#include <algorithm>

namespace hyperscale {
namespace {

using histogram_buckets::kCount;
using histogram_buckets::kFirst;
using histogram_buckets::kMaxNs;
using histogram_buckets::low_of;

}  // namespace

LatencyHistogram::LatencyHistogram() : counts_(kCount) {}

LatencyHistogram::Range LatencyHistogram::range_of(std::size_t index) {
  const std::uint64_t low = index == 0 ? 0 : low_of(index + kFirst);
  // The last bucket ends with the range itself, so that 1 h is the largest value it can hold.
  const std::uint64_t high = std::min(low_of(index + 1 + kFirst), kMaxNs + 1);
  return {Duration(static_cast<std::int64_t>(low)), Duration(static_cast<std::int64_t>(high))};
}

LatencyHistogram::Range LatencyHistogram::bucket_of(Duration value) {
  return range_of(index_of(value));
}

void LatencyHistogram::record_many(Duration value, std::uint64_t times) {
  if (times == 0) return;
  CHECK(times <= kHistogramCountMax - count_, "{} values and {} more", count_, times);
  value = std::max(value, Duration::zero());
  counts_[index_of(value)] += times;
  count_ += times;
  if (value > kHistogramMax) [[unlikely]]
    saturated_ += times;
  sum_ns_ += static_cast<Sum>(value.count()) * times;
  min_ = std::min(min_, value);
  max_ = std::max(max_, value);
}

Status LatencyHistogram::merge(const LatencyHistogram& other) {
  if (other.empty()) return {};
  if (other.count_ > kHistogramCountMax - count_) {
    return fail(ErrorCode::kTooLarge,
                fmt::format("a histogram of {} values cannot take {} more", count_, other.count_));
  }
  for (std::size_t i = index_of(other.min_), last = index_of(other.max_); i <= last; ++i)
    counts_[i] += other.counts_[i];
  count_ += other.count_;
  saturated_ += other.saturated_;
  sum_ns_ += other.sum_ns_;
  min_ = std::min(min_, other.min_);
  max_ = std::max(max_, other.max_);
  return {};
}

LatencyHistogram LatencyHistogram::from_parts(std::span<const std::uint64_t> counts, const Totals& totals) {
  CHECK(counts.size() == kCount, "{} counts instead of {}", counts.size(), kCount);
  LatencyHistogram out;
  std::size_t first = kCount;
  std::size_t last = 0;
  for (std::size_t i = 0; i < kCount; ++i) {
    if (counts[i] == 0) continue;
    out.counts_[i] = counts[i];
    out.count_ += counts[i];
    first = std::min(first, i);
    last = i;
  }
  if (out.count_ == 0) return out;
  out.sum_ns_ = totals.sum_ns;
  out.saturated_ = std::min(totals.saturated, out.counts_[kCount - 1]);
  // The totals of a recorder that was interrupted may be one value behind its counts.
  out.min_ = std::clamp(totals.min, range_of(first).low, range_of(first).high - Duration(1));
  out.max_ = std::max(totals.max, range_of(last).low);
  if (out.saturated_ == 0) out.max_ = std::min(out.max_, range_of(last).high - Duration(1));
  return out;
}

void LatencyHistogram::reset() {
  if (empty()) return;
  std::fill(counts_.begin() + static_cast<std::ptrdiff_t>(index_of(min_)),
            counts_.begin() + static_cast<std::ptrdiff_t>(index_of(max_)) + 1, 0);
  count_ = 0;
  saturated_ = 0;
  sum_ns_ = 0;
  min_ = Duration::max();
  max_ = Duration::zero();
}

Duration LatencyHistogram::mean() const {
  return empty() ? Duration::zero() : Duration(static_cast<std::int64_t>(sum_ns_ / count_));
}

Duration LatencyHistogram::value_at_percentile(double percentile) const {
  if (empty()) return Duration::zero();
  const std::uint64_t rank = percentile_rank(percentile, count_);
  std::uint64_t seen = 0;
  for (std::size_t i = index_of(min_), last = index_of(max_); i <= last; ++i) {
    seen += counts_[i];
    if (seen < rank) continue;
    const Duration highest = range_of(i).high - Duration(1);
    return std::min(highest, max_);
  }
  UNREACHABLE("{} of {} values found", seen, count_);
}

}  // namespace hyperscale
