#include "wire/replay_guard.h"

#include "base/check.h"

#include <algorithm>

namespace hyperscale::wire {

std::string_view name(ReplayVerdict verdict) {
  switch (verdict) {
    case ReplayVerdict::kFresh:
      return "fresh";
    case ReplayVerdict::kDuplicate:
      return "duplicate";
    case ReplayVerdict::kStale:
      return "stale";
    case ReplayVerdict::kAhead:
      return "ahead";
  }
  UNREACHABLE("verdict {}", static_cast<int>(verdict));
}

ReplayGuard::ReplayGuard(ReplayConfig config, WallTime not_before)
    : config_(config), floor_of_strangers_(last_id_before(not_before)) {
  CHECK(config.ids_per_source_max > 0 && config.ids_max > 0 && config.sources_max > 0);
  CHECK(config.back >= 0ns && config.ahead >= 0ns);
}

SnowflakeId ReplayGuard::last_id_before(WallTime time) {
  const std::int64_t ms = time.ms() - kSnowflakeEpochUnixMs;
  if (ms <= 0) return SnowflakeId(0);
  return SnowflakeId((static_cast<std::uint64_t>(ms) << (kSnowflakeNodeBits + kSnowflakeSequenceBits)) - 1);
}

ReplayVerdict ReplayGuard::check(const NodeAddress& address, SnowflakeId id, WallTime now) {
  const WallTime made_at = parts_of(id).made_at;
  if (made_at > now + config_.ahead) return ReplayVerdict::kAhead;
  if (made_at < now - config_.back) return ReplayVerdict::kStale;
  forget_silent_sources(now);

  const auto known = sources_.find(address);
  if (id <= (known == sources_.end() ? floor_of_strangers_ : known->second.floor)) return ReplayVerdict::kStale;
  Source& source = known == sources_.end() ? add_source(address, now) : known->second;
  expire(source, now);
  const auto place = std::ranges::lower_bound(source.seen, id);
  if (place != source.seen.end() && *place == id) return ReplayVerdict::kDuplicate;
  // A full memory keeps the newest ids: one that is older than all of them has no place.
  if (source.seen.size() == config_.ids_per_source_max && place == source.seen.begin()) return ReplayVerdict::kStale;
  source.seen.insert(place, id);
  ++ids_;
  heard_from(address, source, now);
  if (source.seen.size() > config_.ids_per_source_max) forget_oldest_id(source);
  while (ids_ > config_.ids_max) {
    if (sources_.size() > 1) {
      forget_quietest_source();
    } else {
      forget_oldest_id(source);
    }
  }
  return ReplayVerdict::kFresh;
}

ReplayGuard::Source& ReplayGuard::add_source(const NodeAddress& address, WallTime now) {
  if (sources_.size() == config_.sources_max) forget_quietest_source();
  Source& source = sources_[address];
  source.floor = floor_of_strangers_;
  source.last_heard = now;
  by_last_heard_.emplace(now, address);
  return source;
}

void ReplayGuard::heard_from(const NodeAddress& address, Source& source, WallTime now) {
  // The latest time counts: a clock that was set back must not make an active source look silent.
  if (now <= source.last_heard) return;
  by_last_heard_.erase({source.last_heard, address});
  source.last_heard = now;
  by_last_heard_.emplace(now, address);
}

// What has left the window is stale by its time. The floor keeps it out also after the clock is set back.
void ReplayGuard::expire(Source& source, WallTime now) {
  while (!source.seen.empty() && parts_of(source.seen.front()).made_at < now - config_.back) {
    source.floor = source.seen.front();
    source.seen.pop_front();
    --ids_;
  }
}

void ReplayGuard::forget_oldest_id(Source& source) {
  source.floor = source.seen.front();
  source.seen.pop_front();
  --ids_;
  ++forgotten_;
}

void ReplayGuard::forget_silent_sources(WallTime now) {
  while (!by_last_heard_.empty() && by_last_heard_.begin()->first + config_.ahead < now - config_.back) {
    expire(sources_.at(by_last_heard_.begin()->second), now);
    forget_quietest_source();
  }
}

void ReplayGuard::forget_quietest_source() {
  const auto oldest = by_last_heard_.begin();
  const auto place = sources_.find(oldest->second);
  CHECK(place != sources_.end());
  const Source& source = place->second;
  const SnowflakeId newest = source.seen.empty() ? source.floor : source.seen.back();
  floor_of_strangers_ = std::max(floor_of_strangers_, newest);
  ids_ -= source.seen.size();
  forgotten_ += source.seen.size();
  sources_.erase(place);
  by_last_heard_.erase(oldest);
}

}  // namespace hyperscale::wire
