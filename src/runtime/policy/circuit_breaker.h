// Stops calling an endpoint that fails, and probes it again after a cool-down (NODE-TIME-5).
//
//   closed    --the rule of the limits holds--> open
//   open      --cool_down passed--> half-open
//   half-open --half_open_probes successes--> closed (errors forgotten); one failure --> open
//
// The rule is a parameter: a share of failed samples, a number of errors within the window, or errors in a row.
//
// A caller asks allow() first; if allowed, it reports exactly one on_success or on_failure. Refused calls report
// nothing and answer OpenCircuit. Results that arrive while open are ignored: those calls began before. A probe that
// never reports does not block the breaker: a cool_down after the last probe began, new ones are allowed. Thread rule:
// one owner. Times must not go backwards.
#pragma once

#include "base/time.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace hyperscale::runtime {

enum class BreakerRule : std::uint8_t {
  kErrorRate,    // at least min_samples in the window, and error_rate of them failed
  kErrorCount,   // `errors` within the window, whatever succeeded between them
  kErrorsInARow  // `errors` without a success between them, whenever
};

inline constexpr int kBreakerErrorsMax = 16;

struct BreakerLimits {
  BreakerRule rule = BreakerRule::kErrorRate;
  Duration window = 10s;
  int min_samples = 20;
  double error_rate = 0.5;
  int errors = 3;  // at most kBreakerErrorsMax
  Duration cool_down = 5s;
  int half_open_probes = 1;
  int probes_at_once = 0;  // 0: all of them
};

enum class BreakerState : std::uint8_t { kClosed, kOpen, kHalfOpen };

std::string_view name(BreakerState state);

class CircuitBreaker {
 public:
  // For an error rate the window rolls in this many steps; a sample counts for at least window * (1 - 1/kBuckets).
  static constexpr std::size_t kBuckets = 10;

  explicit CircuitBreaker(BreakerLimits limits = {});

  bool allow(MonoTime now);
  void on_success(MonoTime now);
  void on_failure(MonoTime now);
  BreakerState state(MonoTime now) const;

 private:
  struct Bucket {
    std::int64_t number = -1;  // which slice of time it counts; -1: none yet
    std::int64_t successes = 0;
    std::int64_t failures = 0;
  };

  void record(MonoTime now, bool success);
  bool should_open(MonoTime now) const;
  bool too_many_samples_failed(MonoTime now) const;
  bool probe_is_free() const;
  void close();
  void open(MonoTime now);
  void half_open(MonoTime now);
  std::int64_t bucket_number(MonoTime now) const;

  BreakerLimits limits_;
  Duration bucket_width_;
  std::array<Bucket, kBuckets> buckets_{};
  std::array<MonoTime, kBreakerErrorsMax> last_errors_{};  // of error number n at n modulo limits_.errors
  std::int64_t errors_ = 0;                                // since the last success, or since it was closed
  BreakerState state_ = BreakerState::kClosed;
  MonoTime since_;  // when the breaker opened, or when the last probe began
  int probes_started_ = 0;
  int probes_succeeded_ = 0;
};

}  // namespace hyperscale::runtime
