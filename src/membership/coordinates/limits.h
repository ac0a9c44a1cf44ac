// Limits of the coordinates: stored and accepted values. Plain constants.
#pragma once

#include "base/time.h"

#include <cstddef>
#include <cstdint>

namespace hyperscale::membership {

inline constexpr std::size_t kCoordinatePeersMax = 10'000;  // the least recently updated one is evicted first
inline constexpr std::size_t kRttWindow = 3;                // samples per peer that the median is taken of
inline constexpr std::size_t kFittedAgainMax = 4;           // stored peers, each time that a peer sends its coordinate
// Own samples until then: after that it is liars or jitter, not a start.
inline constexpr std::uint32_t kFittedAgainSamplesMax = 40;

inline constexpr Duration kRttSampleMax = 10s;
// A coordinate further out than the longest acceptable RTT is a lie or a fault.
inline constexpr double kPositionMaxMs = 10'000;
inline constexpr double kHeightMaxMs = 10'000;
inline constexpr double kErrorMax = 10'000;  // relative, or in milliseconds

static_assert(kPositionMaxMs * 1e6 >= static_cast<double>(kRttSampleMax.count()), "an acceptable sample has a place");

}  // namespace hyperscale::membership
