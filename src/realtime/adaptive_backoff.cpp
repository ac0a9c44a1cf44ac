#include "realtime/adaptive_backoff.h"

#include "base/check.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace hyperscale::realtime {

Status validate(const BackoffConfig& config) {
  const auto wrong = [](const std::string& text) {
    return fail(ErrorCode::kInvalidArgument, "backoff_config." + text);
  };
  if (!std::isfinite(config.backoff_factor) || config.backoff_factor < 1) {
    return wrong(fmt::format("backoff_factor is {}: it must be finite and at least 1", config.backoff_factor));
  }
  if (!(config.rejection_rate_threshold >= 0 && config.rejection_rate_threshold <= 1)) {
    return wrong(
        fmt::format("rejection_rate_threshold is {}: it must be from 0 to 1", config.rejection_rate_threshold));
  }
  if (config.decay_interval == 0 || config.decay_interval > kDecayIntervalMax) {
    return wrong(
        fmt::format("decay_interval is {}: it must be from 1 to {} ticks", config.decay_interval, kDecayIntervalMax));
  }
  if (config.initial_max_skew > config.max_skew_cap) {
    return wrong(fmt::format("initial_max_skew is {}: it must not exceed max_skew_cap, {}", config.initial_max_skew,
                             config.max_skew_cap));
  }
  return {};
}

AdaptiveBackoff::AdaptiveBackoff(const BackoffConfig& config)
    : config_(config), effective_(config.initial_max_skew), window_(config.decay_interval) {
  const Status valid = validate(config);
  CHECK(valid, "{}", valid.error().context);
}

double AdaptiveBackoff::rejection_rate() const {
  return sum_.total == 0 ? 0 : static_cast<double>(sum_.stale) / static_cast<double>(sum_.total);
}

void AdaptiveBackoff::update(std::uint64_t total, std::uint64_t stale) {
  TickCounts& oldest = window_[next_];
  sum_.total += total - oldest.total;
  sum_.stale += stale - oldest.stale;
  oldest = TickCounts{total, stale};
  next_ = (next_ + 1) % window_.size();

  if (stale > 0) {
    ticks_since_rejection_ = 0;
    if (rejection_rate() > config_.rejection_rate_threshold) widen();
    return;
  }
  if (++ticks_since_rejection_ < config_.decay_interval) return;
  ticks_since_rejection_ = 0;
  if (effective_ > config_.initial_max_skew) --effective_;
}

void AdaptiveBackoff::widen() {
  const double wider = std::ceil(static_cast<double>(effective_) * config_.backoff_factor);
  const auto cap = static_cast<double>(config_.max_skew_cap);
  effective_ = wider >= cap ? config_.max_skew_cap : static_cast<std::uint64_t>(wider);
}

}  // namespace hyperscale::realtime
