// VersionedState: the newest version seen of each entity's state, so that late and duplicate states are dropped
// (catalogue section 17). An entity never seen is not stale; a refused version changes nothing, not even the entity's
// age.
//
//   if (!versions.check_and_update(sender, heartbeat.version, now)) return;   // stale: discard
//
// Bounded: past max_entities the least recently updated entity is evicted and counted. Thread rule: one owner.
#pragma once

#include "base/check.h"
#include "base/time.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace hyperscale::membership {

inline constexpr std::size_t kVersionedEntitiesMax = 10'000;

template <typename Id>
class VersionedState {
 public:
  explicit VersionedState(std::size_t max_entities = kVersionedEntitiesMax) : max_entities_(max_entities) {
    CHECK(max_entities > 0);
  }

  bool is_stale(const Id& id, std::uint64_t version) const {
    const auto found = entities_.find(id);
    return found != entities_.end() && version <= found->second.version;
  }

  // Raises the version if it is greater; the time is that of the last raise.
  void update(const Id& id, std::uint64_t version, MonoTime now) { check_and_update(id, version, now); }

  // True if the version was new; then it is recorded. Check and update are one step.
  bool check_and_update(const Id& id, std::uint64_t version, MonoTime now) {
    const auto [entry, is_new] = entities_.try_emplace(id, Entity{version, now});
    if (!is_new) {
      if (version <= entry->second.version) return false;
      by_age_.erase({entry->second.updated_at, id});
      entry->second = {version, now};
    }
    by_age_.insert({now, id});
    if (entities_.size() > max_entities_) forget_oldest();
    return true;
  }

  // Drops entities that were not updated for longer than max_age; how many.
  std::size_t cleanup(Duration max_age, MonoTime now) {
    std::size_t dropped = 0;
    for (; !by_age_.empty() && now - by_age_.begin()->first > max_age; ++dropped) drop_oldest();
    return dropped;
  }

  void forget(const Id& id) {
    const auto found = entities_.find(id);
    if (found == entities_.end()) return;
    by_age_.erase({found->second.updated_at, id});
    entities_.erase(found);
  }

  std::optional<std::uint64_t> version(const Id& id) const {
    const auto found = entities_.find(id);
    if (found == entities_.end()) return std::nullopt;
    return found->second.version;
  }
  std::size_t size() const { return entities_.size(); }
  std::uint64_t forgotten() const { return forgotten_; }

 private:
  struct Entity {
    std::uint64_t version = 0;
    MonoTime updated_at;
  };

  void drop_oldest() {
    entities_.erase(by_age_.begin()->second);
    by_age_.erase(by_age_.begin());
  }
  void forget_oldest() {
    drop_oldest();
    ++forgotten_;
  }

  std::size_t max_entities_;
  std::map<Id, Entity> entities_;
  std::set<std::pair<MonoTime, Id>> by_age_;
  std::uint64_t forgotten_ = 0;
};

}  // namespace hyperscale::membership
