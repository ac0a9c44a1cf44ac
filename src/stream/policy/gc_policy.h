// Which epochs of a stream may be removed. Pure; any thread.
//
// An epoch is removed only if it is not among the newest `keep`, no lease references it (SHM-SAFE-1), its owner is dead
// (SHM-SAFE-3) and its last activity is longer ago than `min_age` (SHM-SAFE-2). "Newest" is by rank among those that
// exist, so gaps in the numbers do not reduce protection (SHM-DRV-1). When memory is short only the age is waived, and
// only for disowned epochs (SHM-DRV-9).
#pragma once

#include "base/time.h"
#include "stream/policy/stream_ids.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace hyperscale::stream {

// Removals of one run; the rest waits for the next.
inline constexpr std::size_t kRemovalsPerRunMax = 64;

enum class Owner : std::uint8_t {
  kNone,   // the pid word is zero: the driver has disowned it, or it was never complete
  kDead,   // there is no such process, or its pid belongs to another one now
  kAlive,  // or unknown: another pid namespace, no permission
};

struct EpochFacts {
  Epoch epoch;
  Owner owner = Owner::kAlive;
  std::uint64_t activity_ns = 0;  // newest of its regions; of the directory when no superblock is whole
  std::uint64_t bytes = 0;
};

enum class KeptFor : std::uint8_t { kRank, kLease, kOwner, kAge, kLimit };
inline constexpr std::size_t kKeptForCount = 5;
std::string_view name(KeptFor reason);

struct GcQuestion {
  std::span<const EpochFacts> found{};
  // The announced epoch; it may have no directory. None: the stream will not be used again, so no epoch is protected by
  // its rank.
  std::optional<Epoch> current{};
  std::optional<Epoch> lowest_leased{};
  std::uint32_t keep = 2;
  Duration min_age{};
  bool short_of_space = false;
};

struct GcVerdict {
  Epoch epoch;
  std::optional<KeptFor> kept;  // none: it is to be removed
};

// One verdict per epoch that was found, the oldest first.
std::vector<GcVerdict> judge_epochs(const GcQuestion& question, MonoTime now);

// How long ago `activity_ns` was; zero for the future (SHM-DRV-4).
Duration age_of(std::uint64_t activity_ns, MonoTime now);

}  // namespace hyperscale::stream
