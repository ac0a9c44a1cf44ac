// Prng: seeded pseudo-random numbers (xoshiro256**, state filled by splitmix64). The same seed gives the same numbers
// on every machine and in every release; not for secrets.
//
//   Prng root(seed);
//   Prng jitter = root.stream("backoff");   // independent of how much any other stream was drawn
//
// Single-threaded: each owner keeps its own Prng or stream. Satisfies std::uniform_random_bit_generator; prefer
// below(), unit() and between(), because the distributions of the standard library differ between implementations.
#pragma once

#include "base/time.h"

#include <array>
#include <cstdint>
#include <string_view>

namespace hyperscale {

class Prng {
 public:
  using result_type = std::uint64_t;

  explicit Prng(std::uint64_t seed);

  // A generator that depends on this one's seed and on the name only.
  Prng stream(std::string_view name) const;

  std::uint64_t next();
  // Uniform in [0, n), without bias. REQUIRES: n > 0.
  std::uint64_t below(std::uint64_t n);
  // Uniform in [0, 1), in steps of 2^-53.
  double unit();
  // Uniform in [lo, hi], both ends included. REQUIRES: lo <= hi.
  Duration between(Duration lo, Duration hi);

  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return UINT64_MAX; }
  result_type operator()() { return next(); }

 private:
  std::uint64_t seed_;
  std::array<std::uint64_t, 4> state_;
};

}  // namespace hyperscale
