// Moment: the figures of one share of a run at one instant, cumulative since its start and numbered in sequence.
//
// The newest moment of a share replaces the previous one; moments of different shares add up. So a lost, repeated or
// late message is harmless: the next one contains everything. ShareMoments applies this rule. A moment has two parts:
//   fast   sixty times a second, of fixed size, nothing but 64-bit counts: it lies in a world (src/realtime) as a block
//          of words, and no counter ever becomes a double
//   exact  once a second: histograms, statuses, connections, failures, checks, metrics, named calls
//
// Plain values; any thread. Sums saturate instead of wrapping (saturating.h), so that adding shares is exact in any
// order even if one of them is corrupt. Bytes: moment_codec.h.
#pragma once

#include "base/histogram/display_buckets.h"
#include "base/result.h"
#include "base/time.h"
#include "results/outcome.h"
#include "results/run_result.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

namespace hyperscale::results {

// One step of a share.
struct StepMoment {
  std::array<std::uint64_t, kOutcomeCount> outcomes{};
  std::uint64_t bytes_sent = 0;
  std::uint64_t bytes_received = 0;
  std::uint64_t duration_sum_ns = 0;
  std::uint64_t duration_min_ns_plus_1 = 0;  // exact, as the maximum; zero: no value yet
  std::uint64_t duration_max_ns = 0;
  DisplayCounts durations{};  // of all exchanges, with any outcome

  std::uint64_t requests() const;
  std::uint64_t errors() const;
  Duration max() const;
  // From the display buckets, capped at the exact maximum.
  Duration percentile(double percentile) const;
  StepMoment& operator+=(const StepMoment& other);
  bool operator==(const StepMoment&) const = default;
};

// Figures that belong to no step.
struct ShareMoment {
  std::uint64_t users = 0;  // with an exchange in progress
  std::uint64_t iterations = 0;
  std::uint64_t iterations_failed = 0;
  std::uint64_t dropped = 0;
  std::uint64_t overdue = 0;  // have waited long, and may still begin
  std::uint64_t http1 = 0;    // connections
  std::uint64_t http2 = 0;
  std::uint64_t activity = 0;  // increases whenever its executors do any work
  DisplayCounts lag{};

  ShareMoment& operator+=(const ShareMoment& other);
  bool operator==(const ShareMoment&) const = default;
};

static_assert(std::is_trivially_copyable_v<StepMoment> && std::is_trivially_copyable_v<ShareMoment>);
inline constexpr std::size_t kStepMomentWords = sizeof(StepMoment) / sizeof(std::uint64_t);
inline constexpr std::size_t kShareMomentWords = sizeof(ShareMoment) / sizeof(std::uint64_t);

struct FastMoment {
  ShareMoment share;
  std::vector<StepMoment> steps;  // of all workflows, one after the other

  // Number of words for `steps` steps; to_words() and from_words() copy and allocate nothing.
  static constexpr std::size_t words_of(std::size_t steps) { return kShareMomentWords + steps * kStepMomentWords; }
  // REQUIRES for both: words_of(steps.size()) words.
  void to_words(std::span<std::uint64_t> words) const;
  void from_words(std::span<const std::uint64_t> words);

  // REQUIRES: the same number of steps, or none so far.
  FastMoment& operator+=(const FastMoment& other);
  bool operator==(const FastMoment&) const = default;
};

struct Moment {
  std::uint64_t sequence = 0;  // per share; a higher number is newer
  FastMoment fast;
  std::optional<Recorded> exact = {};

  bool operator==(const Moment&) const = default;
};

// Adds another share. kInvalidArgument if the plans differ, kTooLarge as merge(); `into` is then unchanged. The
// sequence number of the sum is the larger one.
Status add(Moment& into, const Moment& share);

// The newest moment of each share, and their sum. No program uses it yet.
class ShareMoments {
 public:
  using Share = std::uint64_t;

  // False, without effect, if `moment` is not newer than the stored one. A moment without an exact part keeps the
  // stored one's.
  bool take(Share share, Moment moment);
  void drop(Share share) { newest_.erase(share); }
  std::size_t size() const { return newest_.size(); }
  // Fails as add() does.
  Result<Moment> sum() const;

 private:
  std::map<Share, Moment> newest_;
};

}  // namespace hyperscale::results
