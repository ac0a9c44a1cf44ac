// Moment: the figures of one share of a run at one instant, cumulative since its start and numbered in sequence.
//
// The newest moment of a share replaces the one before, and shares add up. So a message that is lost, repeated or late
// costs nothing: the next one has all of it. ShareMoments applies that rule. A moment has two parts:
//   fast   sixty times a second, of fixed size, nothing but 64-bit counts: it lies in a world (src/realtime) as a block
//          of words, and no counter ever becomes a double
//   exact  once a second: histograms, statuses, connections, failures, checks, metrics, named calls
//
// Plain values; any thread. Sums stop at the largest number instead of wrapping (saturating.h), so that adding shares
// is exact in any order even if one of them is broken. Bytes: moment_codec.h.
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
  std::uint64_t duration_min_ns_plus_1 = 0;  // exact, as the maximum; zero: nothing yet
  std::uint64_t duration_max_ns = 0;
  DisplayCounts durations{};  // of all exchanges, however they ended

  std::uint64_t requests() const;
  std::uint64_t errors() const;
  Duration max() const;
  // Of the display buckets, kept below the exact maximum.
  Duration percentile(double percentile) const;
  StepMoment& operator+=(const StepMoment& other);
  bool operator==(const StepMoment&) const = default;
};

// What belongs to no step.
struct ShareMoment {
  std::uint64_t users = 0;  // with an exchange under way
  std::uint64_t iterations = 0;
  std::uint64_t iterations_failed = 0;
  std::uint64_t dropped = 0;
  std::uint64_t overdue = 0;  // have waited long, and may still begin
  std::uint64_t http1 = 0;    // connections
  std::uint64_t http2 = 0;
  std::uint64_t activity = 0;  // grows while its executors do anything at all
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

  // Words of a moment of so many steps; to_words() and from_words() copy and allocate nothing.
  static constexpr std::size_t words_of(std::size_t steps) { return kShareMomentWords + steps * kStepMomentWords; }
  // REQUIRES of both: words_of(steps.size()) words.
  void to_words(std::span<std::uint64_t> words) const;
  void from_words(std::span<const std::uint64_t> words);

  // REQUIRES: as many steps, or none yet.
  FastMoment& operator+=(const FastMoment& other);
  bool operator==(const FastMoment&) const = default;
};

struct Moment {
  std::uint64_t sequence = 0;  // of the share; a higher one is newer
  FastMoment fast;
  std::optional<Recorded> exact = {};

  bool operator==(const Moment&) const = default;
};

// Adds another share. kInvalidArgument when both are not of the same plan, kTooLarge as merge(); `into` is then
// unchanged. The sum has no place in a sequence: its number is the larger one.
Status add(Moment& into, const Moment& share);

// The newest moment of each share, and all of them together.
class ShareMoments {
 public:
  using Share = std::uint64_t;

  // False: it is not newer than what is there, and nothing changed. A moment without an exact part keeps the one that
  // is there.
  bool take(Share share, Moment moment);
  void drop(Share share) { newest_.erase(share); }
  std::size_t size() const { return newest_.size(); }
  // Fails as add() does.
  Result<Moment> sum() const;

 private:
  std::map<Share, Moment> newest_;
};

}  // namespace hyperscale::results
