#include "node/local/window_builder.h"

#include "base/histogram_difference.h"

#include <algorithm>
#include <utility>

namespace hyperscale::node {
namespace {

std::uint64_t gain(std::uint64_t later, std::uint64_t earlier) {
  return later - std::min(later, earlier);
}

Duration to_ms(Duration time) {
  return std::chrono::round<std::chrono::milliseconds>(time);
}

}  // namespace

results::Window window_between(const load::LiveReading& earlier, const load::LiveReading& later, Duration start,
                               Duration length) {
  const SparseHistogram gained = histogram_difference(later.duration, earlier.duration);
  return {.start = start,
          .length = length,
          .requests = gain(later.requests, earlier.requests),
          .errors = gain(later.errors, earlier.errors),
          .bytes_received = gain(later.bytes_received, earlier.bytes_received),
          .dropped = gain(later.dropped, earlier.dropped),
          .vus_active = later.vus_busy,
          .p50 = gained.value_at_percentile(50),
          .p90 = gained.value_at_percentile(90),
          .p99 = gained.value_at_percentile(99),
          .max = gained.max(),
          .mean = gained.mean()};
}

void WindowBuilder::close(load::LiveReading reading, Duration at) {
  at = to_ms(at);
  if (at <= last_at_) return;
  windows_.push_back(window_between(last_, reading, last_at_, at - last_at_));
  before_ = std::exchange(last_, std::move(reading));
  last_at_ = at;
}

void WindowBuilder::finish(const load::LiveReading& reading, Duration at) {
  at = std::max(to_ms(at), last_at_);
  const bool short_rest = at - last_at_ < kWindowLengthMin;
  if (short_rest && !windows_.empty()) {
    const std::uint32_t users = windows_.back().vus_active;
    windows_.back() = window_between(before_, reading, windows_.back().start, at - windows_.back().start);
    windows_.back().vus_active = users;
    return;
  }
  // At the very end nobody is busy any more; the window had as many users as the one before, or as now.
  const std::uint32_t users = std::max(reading.vus_busy, last_.vus_busy);
  close(reading, std::max(at, last_at_ + 1ms));
  windows_.back().vus_active = users;
}

}  // namespace hyperscale::node
