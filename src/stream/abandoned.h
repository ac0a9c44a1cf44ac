// Namespaces whose driver is dead: listing and removal of their epochs.
//
// Any process of the same user; one thread. Nothing is touched in a namespace that has a driver: only the driver knows
// its leases (SHM-AUTH-2). Epochs whose owner is alive or that were active recently are kept, also here (SHM-SAFE-2,
// SHM-SAFE-3); so are new namespaces without an epoch. Of a driver with cleanup at exit no epoch is current any more;
// of the others the newest epochs are kept for their successor.
#pragma once

#include "base/result.h"
#include "base/time.h"
#include "stream/policy/driver_policies.h"
#include "stream/policy/gc_policy.h"

#include <cstdint>
#include <string>
#include <vector>

namespace hyperscale::stream {

struct EpochFate {
  std::string name_space;
  StreamNumber stream;
  EpochFacts facts;
  std::optional<KeptFor> kept;  // none: removed, or to be removed
  bool has_driver = false;      // then only the driver decides
  std::string failure;          // why a removal did not succeed
};

enum class Collect : std::uint8_t { kLook, kRemove };

// One entry per epoch of this user below the base, by namespace, stream and number. `only`: the namespace to which it
// is restricted; empty: none.
Result<std::vector<EpochFate>> collect_abandoned(const std::string& base, const DriverPolicies& policies, MonoTime now,
                                                 Collect what, const std::string& only = {});

}  // namespace hyperscale::stream
