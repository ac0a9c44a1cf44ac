// Values for histogram tests: spread evenly over all magnitudes, from zero to above the largest that is resolved.
#pragma once

#include "base/histogram/histogram.h"

#include <vector>

#include <rapidcheck.h>

namespace hyperscale {

inline rc::Gen<Duration> latency_gen() {
  constexpr int kBitsMax = 43;  // 2.4 h
  return rc::gen::exec([] {
    const int bits = *rc::gen::inRange(0, kBitsMax + 1);
    return Duration(*rc::gen::inRange<std::int64_t>(0, std::int64_t{1} << bits));
  });
}

inline rc::Gen<std::vector<Duration>> latencies_gen() {
  return rc::gen::container<std::vector<Duration>>(latency_gen());
}

inline LatencyHistogram histogram_of(const std::vector<Duration>& values) {
  LatencyHistogram histogram;
  for (const Duration value : values) histogram.record(value);
  return histogram;
}

}  // namespace hyperscale

namespace rc {

template <>
struct Arbitrary<hyperscale::LatencyHistogram> {
  static Gen<hyperscale::LatencyHistogram> arbitrary() {
    return gen::map(hyperscale::latencies_gen(), hyperscale::histogram_of);
  }
};

}  // namespace rc
