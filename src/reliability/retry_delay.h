// How long to wait before a call is tried again: exponential, under a cap, with one of three kinds of jitter (AD-21).
//
// Pure function of its arguments and the generator; any thread with a generator of its own.
#pragma once

#include "base/prng.h"
#include "base/result.h"
#include "base/time.h"

#include <cstdint>
#include <string_view>

namespace hyperscale::reliability {

inline constexpr int kTriesMax = 3;  // the first one included
inline constexpr Duration kRetryBase = 500ms;
inline constexpr Duration kRetryCap = 30s;
inline constexpr Duration kRetryCapMax = 24h;

enum class Jitter : std::uint8_t {
  kFull,          // 0 to t, where t = min(cap, base * 2^retry): callers that know nothing of each other
  kEqual,         // t/2 to t: where a minimum is needed
  kDecorrelated,  // base to three times the delay before, cut at the cap: grows slowly
};
Result<Jitter> parse_jitter(std::string_view text);  // "full", "equal", "decorrelated"

struct RetryDelays {
  Duration base = kRetryBase;
  Duration cap = kRetryCap;
  Jitter jitter = Jitter::kFull;
};

// `retry` counts from 0. `previous` is the delay that was returned before, zero for the first; only kDecorrelated looks
// at it. REQUIRES: 0 < base <= cap <= kRetryCapMax, retry >= 0.
Duration retry_delay(const RetryDelays& delays, int retry, Duration previous, Prng& prng);

}  // namespace hyperscale::reliability
