#include "concurrent/ranked_mutex.h"

#include "base/check.h"

namespace hyperscale::concurrent {
namespace {

struct HeldLocks {
  std::size_t count = 0;
  std::uint8_t highest_rank = 0;
};
thread_local HeldLocks held;

std::string_view name_of_held(std::uint8_t rank) {
  return rank == 0 ? "nothing" : name(static_cast<LockRank>(rank));
}

// Checked before the mutex is taken, so that a wrong order is reported instead of deadlocking.
std::uint8_t enter(LockRank rank) {
  const auto number = static_cast<std::uint8_t>(rank);
  CHECK(number > held.highest_rank, "lock order violated: {} (rank {}) requested while {} (rank {}) is held",
        name(rank), number, name_of_held(held.highest_rank), held.highest_rank);
  const std::uint8_t outer = held.highest_rank;
  held.highest_rank = number;
  ++held.count;
  return outer;
}

}  // namespace

std::string_view name(LockRank rank) {
  switch (rank) {
    case LockRank::kStateMeta:
      return "state_meta";
    case LockRank::kRoutingTable:
      return "routing_table";
    case LockRank::kCounters:
      return "counters";
  }
  UNREACHABLE("lock rank {}", static_cast<int>(rank));
}

RankedLock::RankedLock(RankedMutex& mutex) : mutex_(mutex), outer_rank_(enter(mutex.rank_)) {
  mutex_.mutex_.lock();
}

RankedLock::~RankedLock() {
  const auto number = static_cast<std::uint8_t>(mutex_.rank_);
  CHECK(held.highest_rank == number, "{} (rank {}) released while {} (rank {}) is the innermost lock of this thread",
        name(mutex_.rank_), number, name_of_held(held.highest_rank), held.highest_rank);
  mutex_.mutex_.unlock();
  held.highest_rank = outer_rank_;
  --held.count;
}

std::size_t held_locks() {
  return held.count;
}

void assert_no_lock_held(const char* where) {
  CHECK(held.count == 0, "{} suspends while this thread holds {} lock(s), the innermost is {} (rank {})", where,
        held.count, name_of_held(held.highest_rank), held.highest_rank);
}

}  // namespace hyperscale::concurrent
