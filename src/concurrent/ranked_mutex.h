// RankedMutex: a mutex with a place in the lock order, and the rule that no lock is held at a suspension point.
//
//   RankedMutex table_mutex(LockRank::kRoutingTable);
//   { RankedLock lock(table_mutex); ... }        // derive values under the lock, release it, then wait
//   assert_no_lock_held("Queue::pop");           // at every suspension point
//
// Order when nesting: state_meta, then routing_table / session_index, then counters. A thread that locks a rank at or
// below one it holds, or that suspends with a lock held, is a bug: it ends in a CHECK with a readable report, in every
// build, whether or not this run would have deadlocked. The cost is a thread-local read and write per lock. Thread
// rule: a RankedLock lives in one scope of one thread. It cannot be copied, moved, allocated or stored in a member that
// moves, so it cannot travel across a suspension.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string_view>

namespace hyperscale::concurrent {

enum class LockRank : std::uint8_t {
  kStateMeta = 1,
  kRoutingTable = 2,  // also session_index
  kCounters = 3,      // prefer atomics
};

std::string_view name(LockRank rank);

class RankedMutex {
 public:
  explicit RankedMutex(LockRank rank) : rank_(rank) {}
  RankedMutex(const RankedMutex&) = delete;
  RankedMutex& operator=(const RankedMutex&) = delete;

  LockRank rank() const { return rank_; }

 private:
  friend class RankedLock;
  const LockRank rank_;
  std::mutex mutex_;
};

class [[nodiscard]] RankedLock {
 public:
  explicit RankedLock(RankedMutex& mutex);
  ~RankedLock();
  RankedLock(const RankedLock&) = delete;
  RankedLock& operator=(const RankedLock&) = delete;
  static void* operator new(std::size_t) = delete;
  static void* operator new[](std::size_t) = delete;

 private:
  RankedMutex& mutex_;
  const std::uint8_t outer_rank_;  // what the thread held before; 0 for nothing
};

// How many RankedLocks this thread holds.
std::size_t held_locks();

// CHECKs that this thread holds no RankedLock; `where` names the suspension point in the report.
void assert_no_lock_held(const char* where);

}  // namespace hyperscale::concurrent
