// TimingWheel: many deadlines behind one ticker, in two rings: a fine one for the current turn, a coarse one for the turns
// after it (AD-30). Insert, remove and moving earlier take constant time.
//
//   auto handle = wheel.insert(key, now + 7s);     // nothing when the wheel is full
//   for (const auto& due : wheel.advance(now)) ...
//
// - An entry never fires before its expiration, and fires within one fine tick after it if advance() is called then.
// - A deadline beyond the coarse ring stays in its bucket for as many rounds as it takes; it is never shortened.
// - An expiration can be moved earlier only.
// - Entries come out ordered by tick, then expiration, then key.
// Thread rule: one owner; `now` never goes backwards. Handles of entries that are gone are harmless.
#pragma once

#include "base/check.h"
#include "base/time.h"
#include "membership/detection/detection_config.h"
#include "membership/detection/slot_list.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace hyperscale::membership {

template <typename Key>
class TimingWheel {
 public:
  struct Handle {
    std::uint32_t slot = 0;
    std::uint32_t generation = 0;  // zero: no entry
    bool operator==(const Handle&) const = default;
  };
  struct Due {
    Key key;
    MonoTime expiration;
    bool operator==(const Due&) const = default;
  };

  // REQUIRES: fine_tick > 0; 2 to 64 buckets in each ring.
  TimingWheel(const WheelConfig& config, MonoTime start, bool clamp_long_deadlines = false);

  // Nothing when max_entries are in it. An expiration that has passed fires with the next tick.
  std::optional<Handle> insert(const Key& key, MonoTime expiration);
  bool remove(Handle handle);
  // False, and nothing changes, unless `expiration` is earlier than the entry's.
  bool move_earlier(Handle handle, MonoTime expiration);
  std::optional<MonoTime> expiration(Handle handle) const;

  std::vector<Due> advance(MonoTime now);
  // When advance() has something to do next: an entry fires, or a coarse bucket is dealt out.
  MonoTime next_wake() const;

  // Removes every entry whose key does not satisfy `keep`; how many.
  template <typename Keep>
  std::size_t retain(const Keep& keep);
  void clear();
  std::size_t size() const { return size_; }
  std::size_t max_entries() const { return config_.max_entries; }
};

}  // namespace hyperscale::membership
