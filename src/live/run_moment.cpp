#include "live/run_moment.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace hyperscale::live {

std::uint64_t StepMoment::requests() const {
  return std::accumulate(outcomes.begin(), outcomes.end(), std::uint64_t{0});
}

std::uint64_t StepMoment::errors() const {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < outcomes.size(); ++i)
    if (results::is_error(static_cast<results::Outcome>(i))) sum += outcomes[i];
  return sum;
}

StepMoment& StepMoment::operator+=(const StepMoment& other) {
  for (std::size_t i = 0; i < outcomes.size(); ++i) outcomes[i] += other.outcomes[i];
  bytes_sent += other.bytes_sent;
  bytes_received += other.bytes_received;
  duration_sum_ns += other.duration_sum_ns;
  rate_per_s += other.rate_per_s;
  add(durations, other.durations);
  return *this;
}

Duration percentile_of(const DisplayCounts& counts, double percentile) {
  const std::uint64_t all = std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
  if (all == 0) return {};
  const auto rank =
      std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::ceil(static_cast<double>(all) * percentile / 100)));
  std::uint64_t seen = 0;
  std::size_t bucket = 0;
  for (; bucket + 1 < counts.size() && seen + counts[bucket] < rank; ++bucket) seen += counts[bucket];
  const std::uint64_t past = load::last_exact_bucket(bucket) + 1 + histogram_buckets::kFirst;
  return std::min(Duration(static_cast<std::int64_t>(histogram_buckets::low_of(past)) - 1), kHistogramMax);
}

DisplayCounts difference(const DisplayCounts& later, const DisplayCounts& earlier) {
  DisplayCounts out;
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = later[i] - std::min(later[i], earlier[i]);
  return out;
}

void add(DisplayCounts& to, const DisplayCounts& more) {
  for (std::size_t i = 0; i < to.size(); ++i) to[i] += more[i];
}

}  // namespace hyperscale::live
