#include "results/moment.h"

#include "base/check.h"
#include "results/saturating.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include <fmt/format.h>

namespace hyperscale::results {
namespace {

void grow(std::uint64_t& to, std::uint64_t by) {
  to = saturating_add(to, by);
}

void grow(DisplayCounts& to, const DisplayCounts& by) {
  for (std::size_t i = 0; i < to.size(); ++i) grow(to[i], by[i]);
}

Duration time_of(std::uint64_t ns) {
  return Duration(static_cast<std::int64_t>(std::min(ns, std::uint64_t{INT64_MAX})));
}

}  // namespace

std::uint64_t StepMoment::requests() const {
  std::uint64_t sum = 0;
  for (const std::uint64_t count : outcomes) grow(sum, count);
  return sum;
}

std::uint64_t StepMoment::errors() const {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < outcomes.size(); ++i)
    if (is_error(static_cast<Outcome>(i))) grow(sum, outcomes[i]);
  return sum;
}

Duration StepMoment::max() const {
  return time_of(duration_max_ns);
}

Duration StepMoment::percentile(double percentile) const {
  const Duration bucket_end = percentile_of(durations, percentile);
  return duration_max_ns == 0 ? bucket_end : std::min(bucket_end, max());
}

StepMoment& StepMoment::operator+=(const StepMoment& other) {
  for (std::size_t i = 0; i < outcomes.size(); ++i) grow(outcomes[i], other.outcomes[i]);
  grow(bytes_sent, other.bytes_sent);
  grow(bytes_received, other.bytes_received);
  grow(duration_sum_ns, other.duration_sum_ns);
  const std::uint64_t least = other.duration_min_ns_plus_1;
  if (duration_min_ns_plus_1 == 0 || (least != 0 && least < duration_min_ns_plus_1)) duration_min_ns_plus_1 = least;
  duration_max_ns = std::max(duration_max_ns, other.duration_max_ns);
  grow(durations, other.durations);
  return *this;
}

ShareMoment& ShareMoment::operator+=(const ShareMoment& other) {
  for (const auto count :
       {&ShareMoment::users, &ShareMoment::iterations, &ShareMoment::iterations_failed, &ShareMoment::dropped,
        &ShareMoment::overdue, &ShareMoment::http1, &ShareMoment::http2, &ShareMoment::activity})
    grow(this->*count, other.*count);
  grow(lag, other.lag);
  return *this;
}

void FastMoment::to_words(std::span<std::uint64_t> words) const {
  CHECK(words.size() == words_of(steps.size()), "{} words for {} steps", words.size(), steps.size());
  std::memcpy(words.data(), &share, sizeof share);
  if (!steps.empty()) std::memcpy(words.data() + kShareMomentWords, steps.data(), steps.size() * sizeof(StepMoment));
}

void FastMoment::from_words(std::span<const std::uint64_t> words) {
  CHECK(words.size() == words_of(steps.size()), "{} words for {} steps", words.size(), steps.size());
  std::memcpy(&share, words.data(), sizeof share);
  if (!steps.empty()) std::memcpy(steps.data(), words.data() + kShareMomentWords, steps.size() * sizeof(StepMoment));
}

FastMoment& FastMoment::operator+=(const FastMoment& other) {
  if (steps.empty()) steps.resize(other.steps.size());
  CHECK(steps.size() == other.steps.size(), "{} steps and {}", steps.size(), other.steps.size());
  share += other.share;
  for (std::size_t i = 0; i < steps.size(); ++i) steps[i] += other.steps[i];
  return *this;
}

Status add(Moment& into, const Moment& share) {
  if (!into.fast.steps.empty() && into.fast.steps.size() != share.fast.steps.size()) {
    return fail(ErrorCode::kInvalidArgument, fmt::format("a moment of {} steps cannot take one of {}",
                                                         into.fast.steps.size(), share.fast.steps.size()));
  }
  if (into.exact && share.exact) {
    if (Status merged = merge(*into.exact, *share.exact); !merged) return merged;
  } else if (share.exact) {
    into.exact = share.exact;
  }
  into.fast += share.fast;
  into.sequence = std::max(into.sequence, share.sequence);
  return {};
}

bool ShareMoments::take(Share share, Moment moment) {
  const auto [at, is_new] = newest_.try_emplace(share);
  Moment& held = at->second;
  if (!is_new && moment.sequence <= held.sequence) return false;
  if (!moment.exact) moment.exact = std::move(held.exact);
  held = std::move(moment);
  return true;
}

Result<Moment> ShareMoments::sum() const {
  Moment sum;
  for (const auto& [share, moment] : newest_) {
    if (Status added = add(sum, moment); !added) return fail(added.error());
  }
  return sum;
}

}  // namespace hyperscale::results
