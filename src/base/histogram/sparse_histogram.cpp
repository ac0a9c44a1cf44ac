#include "base/histogram/sparse_histogram.h"

#include "base/check.h"
#include "base/histogram/percentile_rank.h"

#include <algorithm>
#include <utility>

namespace hyperscale {
namespace {

std::uint32_t bucket_of(Duration value) {
  return static_cast<std::uint32_t>(histogram_buckets::index_of(value));
}

}  // namespace

SparseHistogram::SparseHistogram(const LatencyHistogram& dense)
    : count_(dense.count()), saturated_(dense.saturated()), sum_ns_(dense.sum_ns()), max_(dense.max()) {
  if (!dense.empty()) min_ = dense.min();
  dense.for_each_bucket([this](const Bucket& bucket) {
    cells_.push_back({.bucket = bucket_of(bucket.range.low), .count = bucket.count});
  });
}

SparseHistogram SparseHistogram::from_parts(std::vector<Cell> cells, const Totals& totals) {
  SparseHistogram out;
  out.cells_ = std::move(cells);
  for (const Cell& cell : out.cells_) {
    CHECK(cell.count > 0 && cell.count <= kHistogramCountMax - out.count_, "{} values and {} more", out.count_,
          cell.count);
    out.count_ += cell.count;
  }
  if (out.count_ == 0) return out;
  const Range first = LatencyHistogram::range_of(out.cells_.front().bucket);
  const Range last = LatencyHistogram::range_of(out.cells_.back().bucket);
  out.sum_ns_ = totals.sum_ns;
  const bool in_last = out.cells_.back().bucket == histogram_buckets::kCount - 1;
  out.saturated_ = in_last ? std::min(totals.saturated, out.cells_.back().count) : 0;
  out.min_ = std::clamp(totals.min, first.low, first.high - Duration(1));
  out.max_ = std::max(totals.max, last.low);
  if (out.saturated_ == 0) out.max_ = std::min(out.max_, last.high - Duration(1));
  return out;
}

void SparseHistogram::record_many(Duration value, std::uint64_t times) {
  if (times == 0) return;
  CHECK(times <= kHistogramCountMax - count_, "{} values and {} more", count_, times);
  value = std::max(value, Duration::zero());
  const std::uint32_t bucket = bucket_of(value);
  const auto at = std::ranges::lower_bound(cells_, bucket, {}, &Cell::bucket);
  if (at != cells_.end() && at->bucket == bucket) {
    at->count += times;
  } else {
    cells_.insert(at, {.bucket = bucket, .count = times});
  }
  count_ += times;
  if (value > kHistogramMax) saturated_ += times;
  sum_ns_ += static_cast<Sum>(value.count()) * times;
  min_ = std::min(min_, value);
  max_ = std::max(max_, value);
}

Status SparseHistogram::merge(const SparseHistogram& other) {
  if (other.empty()) return {};
  if (other.count_ > kHistogramCountMax - count_) {
    return fail(ErrorCode::kTooLarge,
                fmt::format("a histogram of {} values cannot take {} more", count_, other.count_));
  }
  std::vector<Cell> merged;
  merged.reserve(cells_.size() + other.cells_.size());
  auto mine = cells_.begin();
  for (const Cell& cell : other.cells_) {
    while (mine != cells_.end() && mine->bucket < cell.bucket) merged.push_back(*mine++);
    const bool both = mine != cells_.end() && mine->bucket == cell.bucket;
    merged.push_back({.bucket = cell.bucket, .count = cell.count + (both ? mine->count : 0)});
    if (both) ++mine;
  }
  merged.insert(merged.end(), mine, cells_.end());
  cells_ = std::move(merged);
  count_ += other.count_;
  saturated_ += other.saturated_;
  sum_ns_ += other.sum_ns_;
  min_ = std::min(min_, other.min_);
  max_ = std::max(max_, other.max_);
  return {};
}

Duration SparseHistogram::mean() const {
  return empty() ? Duration::zero() : Duration(static_cast<std::int64_t>(sum_ns_ / count_));
}

Duration SparseHistogram::value_at_percentile(double percentile) const {
  if (empty()) return Duration::zero();
  const std::uint64_t rank = percentile_rank(percentile, count_);
  std::uint64_t seen = 0;
  for (const Cell& cell : cells_) {
    seen += cell.count;
    if (seen < rank) continue;
    return std::min(LatencyHistogram::range_of(cell.bucket).high - Duration(1), max_);
  }
  UNREACHABLE("{} of {} values found", seen, count_);
}

}  // namespace hyperscale
