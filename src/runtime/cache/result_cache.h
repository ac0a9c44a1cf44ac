// ResultCache: results of accepted compute requests, kept for a limited time so that a caller can fetch them.
//
// An entry is pending, then done with a value or failed with an error.
//
// Bounds: entries_max entries in all, pending_max of them pending, bytes_max bytes of values, time_to_live per state.
// When a bound is reached, finished entries are evicted, least recently used first; pending entries are never evicted,
// a new one is refused as Busy instead.
//
// Memory of values is overwritten before it is freed: on eviction, expiry and clear(), or, for a value that a reader
// still holds, when that reader releases it. Nothing is ever written to disk.
//
// Thread rule: every method from any thread; one short lock (rank routing_table), values are wiped outside it. `now`
// comes from one monotonic clock.
//
// Failure: each method names its errors; none of them changes another entry.
#pragma once

#include "base/bytes.h"
#include "base/result.h"
#include "base/time.h"
#include "concurrent/ranked_mutex.h"
#include "runtime/secret/wiping_allocator.h"

#include <cstddef>
#include <cstdint>
#include <list>
#include <optional>
#include <unordered_map>
#include <vector>

namespace hyperscale::runtime {

struct ResultCacheLimits {
  std::size_t entries_max = 4096;
  std::size_t pending_max = 1024;
  std::size_t bytes_max = 64ULL * 1024 * 1024;
  Duration time_to_live = 60s;
};

enum class ResultState : std::uint8_t { kPending, kDone, kFailed };

struct CachedResult {
  ResultState state = ResultState::kPending;
  SharedBytes value;           // of kDone; keeps the bytes alive beyond an eviction
  std::optional<Error> error;  // of kFailed
};

struct ResultCacheStats {
  std::size_t entries = 0;
  std::size_t pending = 0;
  std::size_t value_bytes = 0;
  std::uint64_t hits = 0;
  std::uint64_t misses = 0;
  std::uint64_t evictions = 0;    // to make room
  std::uint64_t expirations = 0;  // by time
};

class ResultCache {
 public:
  using Value = WipingVector<std::uint8_t>;

  // REQUIRES: 0 < pending_max <= entries_max.
  explicit ResultCache(ResultCacheLimits limits);
  ~ResultCache();
  ResultCache(const ResultCache&) = delete;
  ResultCache& operator=(const ResultCache&) = delete;

  // Registers a pending entry. Busy when pending_max are pending; Conflict when the id is present.
  Status begin(std::uint64_t id, MonoTime now);
  // Settles a pending entry. NotFound when it is not pending (expired, cleared or settled before): the value is wiped.
  // A value above bytes_max settles the entry as failed and returns TooLarge.
  Status complete(std::uint64_t id, Value value, MonoTime now);
  Status fail_with(std::uint64_t id, Error error, MonoTime now);
  // Removes a pending entry, as if begin() had not been called; for a request that could not be queued.
  void forget(std::uint64_t id);

  // Nothing for an id that is unknown or expired.
  std::optional<CachedResult> find(std::uint64_t id, MonoTime now);

  // Drops expired entries. Every other call does so too; call it periodically on an idle cache.
  void expire(MonoTime now);
  void clear();

  ResultCacheStats stats() const;

 private:
  struct Entry {
    std::uint64_t id = 0;
    CachedResult result;
    std::size_t value_bytes = 0;
    MonoTime expires_at;
    std::list<std::uint64_t>::iterator recent;  // of finished entries
  };
  using Entries = std::list<Entry>;  // in order of expires_at
  struct Removed;                    // entries to be destroyed after the lock was released

  Status settle(std::uint64_t id, CachedResult result, std::size_t value_bytes, MonoTime now, Removed& removed);
  void expire_locked(MonoTime now, Removed& removed);
  void make_room_locked(std::size_t entries, std::size_t value_bytes, Removed& removed);
  void remove_locked(Entries& from, Entries::iterator entry, Removed& removed);

  const ResultCacheLimits limits_;
  mutable concurrent::RankedMutex mutex_;
  Entries pending_;
  Entries finished_;
  std::list<std::uint64_t> recent_;  // finished entries, most recently used first
  std::unordered_map<std::uint64_t, Entries::iterator> by_id_;
  ResultCacheStats stats_;
};

}  // namespace hyperscale::runtime
