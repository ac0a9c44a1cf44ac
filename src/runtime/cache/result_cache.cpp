#include "runtime/cache/result_cache.h"

#include "base/check.h"

#include <utility>

namespace hyperscale::runtime {

using concurrent::LockRank;
using concurrent::RankedLock;

// Declared before the lock in every method, so that the values in it are wiped after the lock was released.
struct ResultCache::Removed {
  Entries entries;
};

ResultCache::ResultCache(ResultCacheLimits limits) : limits_(limits), mutex_(LockRank::kRoutingTable) {
  CHECK(limits_.pending_max > 0 && limits_.pending_max <= limits_.entries_max,
        "a result cache of {} entries cannot have {} pending", limits_.entries_max, limits_.pending_max);
}

ResultCache::~ResultCache() = default;

Status ResultCache::begin(std::uint64_t id, MonoTime now) {
  Removed removed;
  RankedLock lock(mutex_);
  expire_locked(now, removed);
  if (by_id_.contains(id)) return fail(ErrorCode::kConflict, fmt::format("result {} is already known", id));
  if (pending_.size() >= limits_.pending_max)
    return fail(ErrorCode::kBusy, fmt::format("{} results are pending already", pending_.size()));
  make_room_locked(1, 0, removed);
  Entry entry;
  entry.id = id;
  entry.expires_at = now + limits_.time_to_live;
  by_id_[id] = pending_.insert(pending_.end(), std::move(entry));
  return {};
}

Status ResultCache::complete(std::uint64_t id, Value value, MonoTime now) {
  Removed removed;
  const std::size_t value_bytes = value.capacity();
  CachedResult result;
  if (value_bytes > limits_.bytes_max) {
    Error error{ErrorCode::kTooLarge,
                fmt::format("the result has {} bytes; the cache keeps at most {}", value_bytes, limits_.bytes_max)};
    if (auto settled = fail_with(id, error, now); !settled) return settled;
    return fail(std::move(error));
  }
  result.state = ResultState::kDone;
  result.value = SharedBytes::adopt(std::move(value));
  RankedLock lock(mutex_);
  return settle(id, std::move(result), value_bytes, now, removed);
}

Status ResultCache::fail_with(std::uint64_t id, Error error, MonoTime now) {
  Removed removed;
  CachedResult result;
  result.state = ResultState::kFailed;
  result.error = std::move(error);
  RankedLock lock(mutex_);
  return settle(id, std::move(result), 0, now, removed);
}

Status ResultCache::settle(std::uint64_t id, CachedResult result, std::size_t value_bytes, MonoTime now,
                           Removed& removed) {
  expire_locked(now, removed);
  const auto found = by_id_.find(id);
  if (found == by_id_.end() || found->second->result.state != ResultState::kPending)
    return fail(ErrorCode::kNotFound, fmt::format("result {} is not pending", id));
  make_room_locked(0, value_bytes, removed);
  const Entries::iterator entry = found->second;
  finished_.splice(finished_.end(), pending_, entry);
  entry->result = std::move(result);
  entry->value_bytes = value_bytes;
  entry->expires_at = now + limits_.time_to_live;
  entry->recent = recent_.insert(recent_.begin(), id);
  stats_.value_bytes += value_bytes;
  return {};
}

void ResultCache::forget(std::uint64_t id) {
  Removed removed;
  RankedLock lock(mutex_);
  const auto found = by_id_.find(id);
  if (found == by_id_.end() || found->second->result.state != ResultState::kPending) return;
  remove_locked(pending_, found->second, removed);
}

std::optional<CachedResult> ResultCache::find(std::uint64_t id, MonoTime now) {
  Removed removed;
  RankedLock lock(mutex_);
  expire_locked(now, removed);
  const auto found = by_id_.find(id);
  if (found == by_id_.end()) {
    ++stats_.misses;
    return std::nullopt;
  }
  ++stats_.hits;
  const Entry& entry = *found->second;
  if (entry.result.state != ResultState::kPending) recent_.splice(recent_.begin(), recent_, entry.recent);
  return entry.result;
}

void ResultCache::expire(MonoTime now) {
  Removed removed;
  RankedLock lock(mutex_);
  expire_locked(now, removed);
}

void ResultCache::clear() {
  Removed removed;
  RankedLock lock(mutex_);
  by_id_.clear();
  recent_.clear();
  removed.entries.splice(removed.entries.end(), pending_);
  removed.entries.splice(removed.entries.end(), finished_);
  stats_.value_bytes = 0;
}

ResultCacheStats ResultCache::stats() const {
  RankedLock lock(mutex_);
  ResultCacheStats stats = stats_;
  stats.entries = by_id_.size();
  stats.pending = pending_.size();
  return stats;
}

void ResultCache::expire_locked(MonoTime now, Removed& removed) {
  for (Entries* entries : {&pending_, &finished_}) {
    while (!entries->empty() && entries->front().expires_at <= now) {
      remove_locked(*entries, entries->begin(), removed);
      ++stats_.expirations;
    }
  }
}

// Room for so many more entries and value bytes. Pending entries hold no value and are fewer than entries_max, so there
// is room at the latest when every finished entry is gone.
void ResultCache::make_room_locked(std::size_t entries, std::size_t value_bytes, Removed& removed) {
  while (!recent_.empty() &&
         (by_id_.size() + entries > limits_.entries_max || stats_.value_bytes + value_bytes > limits_.bytes_max)) {
    remove_locked(finished_, by_id_.at(recent_.back()), removed);
    ++stats_.evictions;
  }
}

void ResultCache::remove_locked(Entries& from, Entries::iterator entry, Removed& removed) {
  if (entry->result.state != ResultState::kPending) recent_.erase(entry->recent);
  stats_.value_bytes -= entry->value_bytes;
  by_id_.erase(entry->id);
  removed.entries.splice(removed.entries.end(), from, entry);
}

}  // namespace hyperscale::runtime
