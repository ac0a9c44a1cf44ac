#include "node/local/run_progress.h"

#include "base/histogram_difference.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace hyperscale::node {
namespace {

double seconds(Duration time) {
  return static_cast<double>(time.count()) / 1e9;
}

double milliseconds(Duration time) {
  return static_cast<double>(time.count()) / 1e6;
}

// A timer that fires a little late must not drop the moment that is a second ago.
constexpr Duration kRecent = 1050ms;
constexpr Duration kSpacing = 50ms;

}  // namespace

void RunProgress::take(load::LiveReading reading, Duration at) {
  if (at >= windows_.next_end()) windows_.close(reading, at);
  stands_still_ = !recent_.empty() && at == recent_.back().at;
  // Whoever asks often gets fresh figures without filling the memory.
  if (recent_.size() > 1 && at - recent_.back().at < kSpacing) recent_.pop_back();
  recent_.push_back({at, std::move(reading)});
  while (recent_.size() > 2 && at - recent_.front().at > kRecent) recent_.pop_front();
}

ProgressFigures RunProgress::figures() const {
  ProgressFigures view{.planned = planned_};
  if (recent_.empty()) return view;
  const Moment& now = recent_.back();
  const Moment& before = recent_.front();
  view.elapsed = std::max(now.at, Duration::zero());
  view.requests = now.reading.requests;
  view.errors = now.reading.errors;
  view.vus = now.reading.vus_busy;
  view.iterations = now.reading.iterations;
  view.iterations_failed = now.reading.iterations_failed;
  view.dropped = now.reading.dropped + now.reading.overdue;
  view.http_version = results::spoken_text(now.reading.http);
  const bool first = recent_.size() == 1;
  const SparseHistogram gained =
      first ? now.reading.duration : histogram_difference(now.reading.duration, before.reading.duration);
  const Duration span = first ? view.elapsed : now.at - std::max(before.at, Duration::zero());
  const std::uint64_t since = first ? 0 : std::min(before.reading.requests, now.reading.requests);
  const std::uint64_t requests = now.reading.requests - since;
  if (span > Duration::zero() && !stands_still_) view.rate_per_s = static_cast<double>(requests) / seconds(span);
  view.p50 = gained.value_at_percentile(50);
  view.p99 = gained.value_at_percentile(99);
  return view;
}

std::string RunProgress::status_json(const std::string& run_id, std::uint64_t tick, std::string_view state) const {
  const ProgressFigures now = figures();
  return fmt::format(
      R"({{"run_id":"{}","state":"{}","tick":{},"elapsed_s":{:.3f},"planned_s":{:.3f},"requests":{},"errors":{},)"
      R"("rate_per_s":{:.3f},"p50_ms":{:.6f},"p99_ms":{:.6f},"iterations":{},"iterations_failed":{},"dropped":{},)"
      R"("users":{},"http_version":"{}"}})",
      run_id, state, tick, seconds(now.elapsed), seconds(now.planned), now.requests, now.errors, now.rate_per_s,
      milliseconds(now.p50), milliseconds(now.p99), now.iterations, now.iterations_failed, now.dropped, now.vus,
      now.http_version);
}

}  // namespace hyperscale::node
