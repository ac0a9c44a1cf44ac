#include "results/window_series.h"

#include "base/check.h"
#include "base/histogram/histogram_difference.h"
#include "results/saturating.h"

#include <algorithm>
#include <utility>

namespace hyperscale::results {
namespace {

std::uint64_t gain(std::uint64_t later, std::uint64_t earlier) {
  return later - std::min(later, earlier);
}

Duration to_ms(Duration time) {
  return std::chrono::round<std::chrono::milliseconds>(time);
}

}  // namespace

WindowTotals& WindowTotals::operator+=(const WindowTotals& other) {
  requests = saturating_add(requests, other.requests);
  errors = saturating_add(errors, other.errors);
  bytes_received = saturating_add(bytes_received, other.bytes_received);
  dropped = saturating_add(dropped, other.dropped);
  users = saturating_add(users, other.users);
  // Overflowing the histogram would take a fleet centuries.
  (void)durations.merge(other.durations);
  return *this;
}

WindowTotals window_totals(const Moment& moment) {
  CHECK(moment.exact, "moment {} has no exact part", moment.sequence);
  const Counts counts = moment.exact->total_counts();
  const ShareMoment& share = moment.fast.share;
  return {.requests = counts.requests(),
          .errors = counts.errors(),
          .bytes_received = counts.bytes_received,
          .dropped = share.dropped,
          .users = static_cast<std::uint32_t>(std::min<std::uint64_t>(share.users, UINT32_MAX)),
          .durations = moment.exact->total_series().duration};
}

Window window_between(const WindowTotals& earlier, const WindowTotals& later, Duration start, Duration length) {
  Window window{.start = start,
                .length = length,
                .requests = gain(later.requests, earlier.requests),
                .errors = gain(later.errors, earlier.errors),
                .bytes_received = gain(later.bytes_received, earlier.bytes_received),
                .dropped = gain(later.dropped, earlier.dropped),
                .vus_active = later.users,
                .durations = histogram_difference(later.durations, earlier.durations)};
  set_figures(window);
  return window;
}

void WindowSeries::keep(Window window) {
  if (keep_ == Keep::kFigures) window.durations = {};
  if (!windows_.empty() && windows_.back().start == window.start) {
    windows_.back() = std::move(window);
  } else {
    windows_.push_back(std::move(window));
  }
}

std::optional<Window> WindowSeries::close(WindowTotals totals, Duration at) {
  at = to_ms(at);
  if (at <= last_at_) return std::nullopt;
  Window window = window_between(last_, totals, last_at_, at - last_at_);
  keep(window);
  before_ = std::exchange(last_, std::move(totals));
  last_at_ = at;
  return window;
}

Window WindowSeries::finish(const WindowTotals& totals, Duration at) {
  at = std::max(to_ms(at), last_at_);
  const bool short_rest = at - last_at_ < kWindowLengthMin;
  if (short_rest && !windows_.empty()) {
    const Window& last = windows_.back();
    Window window = window_between(before_, totals, last.start, at - last.start);
    window.vus_active = last.vus_active;
    keep(window);
    return window;
  }
  // At the end no user is busy any more: uses the larger of the current and the previous number of users.
  Window window = window_between(last_, totals, last_at_, std::max(at - last_at_, Duration(1ms)));
  window.vus_active = std::max(totals.users, last_.users);
  keep(window);
  return window;
}

}  // namespace hyperscale::results
