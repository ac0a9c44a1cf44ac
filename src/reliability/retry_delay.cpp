#include "reliability/retry_delay.h"

#include "base/check.h"

#include <algorithm>

#include <fmt/format.h>

namespace hyperscale::reliability {

Result<Jitter> parse_jitter(std::string_view text) {
  if (text == "full") return Jitter::kFull;
  if (text == "equal") return Jitter::kEqual;
  if (text == "decorrelated") return Jitter::kDecorrelated;
  return invalid(fmt::format("\"{}\" is no jitter: full, equal or decorrelated", text));
}

Duration retry_delay(const RetryDelays& delays, int retry, Duration previous, Prng& prng) {
  CHECK(0ns < delays.base && delays.base <= delays.cap && delays.cap <= kRetryCapMax && retry >= 0,
        "base {} ns, cap {} ns, retry {}", delays.base.count(), delays.cap.count(), retry);
  if (delays.jitter == Jitter::kDecorrelated) {
    const Duration last = std::clamp(previous, delays.base, delays.cap);
    return std::min(delays.cap, prng.between(delays.base, last * 3));
  }
  Duration ceiling = delays.base;
  for (int doubled = 0; doubled < retry && ceiling < delays.cap; ++doubled) {
    ceiling = std::min(delays.cap, ceiling * 2);
  }
  const Duration least = delays.jitter == Jitter::kEqual ? ceiling / 2 : Duration::zero();
  return prng.between(least, ceiling);
}

}  // namespace hyperscale::reliability
