#include "base/histogram.h"

#include "base/check.h"
#include "base/percentile_rank.h"

#include <algorithm>
#include <bit>

namespace hyperscale {
namespace {

// A value of 2^(k+10) ns to 2^(k+11) ns is counted in steps of 2^k ns: its top 11 bits choose the bucket.
constexpr int kHalfBits = 10;
constexpr std::uint64_t kHalf = std::uint64_t{1} << kHalfBits;
constexpr std::uint64_t kUnitNs = kHistogramUnit.count();
constexpr std::uint64_t kMaxNs = kHistogramMax.count();

// Position in the endless log-linear sequence, in which the first 2048 values stand for themselves.
constexpr std::uint64_t position_of(std::uint64_t ns) {
  const int shift = std::max(0, static_cast<int>(std::bit_width(ns)) - kHalfBits - 1);
  return static_cast<std::uint64_t>(shift) * kHalf + (ns >> shift);
}

constexpr std::uint64_t low_of(std::uint64_t position) {
  if (position < 2 * kHalf) return position;
  const std::uint64_t shift = position / kHalf - 1;
  return (position % kHalf + kHalf) << shift;
}

// All positions below the unit share index 0.
constexpr std::uint64_t kFirst = position_of(kUnitNs) - 1;
constexpr std::size_t kBuckets = position_of(kMaxNs) - kFirst + 1;

static_assert(low_of(position_of(kUnitNs)) == kUnitNs);
static_assert(low_of(position_of(2048)) == 2048 && position_of(2049) == position_of(2048));
static_assert(kUnitNs >= 1000, "buckets of 1 ns are 0.1 % wide from 1000 ns on");

}  // namespace

LatencyHistogram::LatencyHistogram() : counts_(kBuckets) {}

std::size_t LatencyHistogram::index_of(Duration value) {
  const auto ns = static_cast<std::uint64_t>(std::clamp(value, Duration::zero(), kHistogramMax).count());
  return ns < kUnitNs ? 0 : position_of(ns) - kFirst;
}

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
