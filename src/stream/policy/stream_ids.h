// Names of what a driver manages. Plain values.
#pragma once

#include "base/strong_type.h"

#include <cstdint>

namespace hyperscale::stream {

using StreamNumber = StrongId<struct StreamNumberTag, std::uint32_t>;  // one source of data
using Epoch = StrongId<struct EpochTag>;                               // one incarnation of a stream's regions; from 1
using LeaseId = StrongId<struct LeaseIdTag>;                           // never used twice in a driver's life
using ClientId = StrongId<struct ClientIdTag>;                         // the pid of a producer or consumer

// Largest epoch: the number after a folder's name must not wrap to zero.
inline constexpr Epoch kEpochMax{std::uint64_t{1} << 62};

constexpr Epoch next_of(Epoch epoch) {
  return Epoch(epoch.value() + 1);
}

}  // namespace hyperscale::stream
