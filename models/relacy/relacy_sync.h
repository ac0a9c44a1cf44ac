// RelacySync: the synchronisation policy of src/concurrent for the Relacy interleaving checker.
//
// Every atomic operation and every lock becomes a scheduling point, relaxed loads may return any value the memory model
// allows, and var<T> reports unordered accesses as a data race. The same structure source that production compiles with
// StdSync is thereby run through all schedules of a small scenario.
//
// The template parameters weaken the policy for planted bugs: a model that cannot fail proves nothing.
#pragma once

#include <atomic>
#include <cstddef>
#include <mutex>
#include <source_location>
#include <utility>

// After all other headers: Relacy defines keywords and function names as macros. They are taken back at once, because
// the policy passes the source position itself.
#include <relacy/relacy.hpp>
#undef new
#undef delete
#undef malloc
#undef calloc
#undef realloc
#undef free
#undef assert
#undef errno
#undef memory_order_relaxed
#undef memory_order_consume
#undef memory_order_acquire
#undef memory_order_release
#undef memory_order_acq_rel
#undef memory_order_seq_cst

namespace hyperscale::models {

using Place = std::source_location;

inline rl::debug_info at(const Place& place) {
  return {place.function_name(), place.file_name(), place.line()};
}

constexpr rl::memory_order to_relacy(std::memory_order order) {
  switch (order) {
    case std::memory_order_relaxed:
      return rl::mo_relaxed;
    case std::memory_order_consume:
      return rl::mo_consume;
    case std::memory_order_acquire:
      return rl::mo_acquire;
    case std::memory_order_release:
      return rl::mo_release;
    case std::memory_order_acq_rel:
      return rl::mo_acq_rel;
    case std::memory_order_seq_cst:
      break;
  }
  return rl::mo_seq_cst;
}

template <typename T>
class RelacyAtomic {
 public:
  RelacyAtomic() = default;
  explicit RelacyAtomic(T value) : value_(value) {}

  T load(std::memory_order order, Place place = Place::current()) const {
    return value_(at(place)).load(to_relacy(order));
  }
  void store(T value, std::memory_order order, Place place = Place::current()) {
    value_(at(place)).store(value, to_relacy(order));
  }
  T exchange(T value, std::memory_order order, Place place = Place::current()) {
    return value_(at(place)).exchange(value, to_relacy(order));
  }
  T fetch_add(T value, std::memory_order order, Place place = Place::current()) {
    return value_(at(place)).fetch_add(value, to_relacy(order));
  }
  // Strong: a spurious failure only repeats the loop, and a search over all schedules would never end.
  bool compare_exchange_weak(T& expected, T desired, std::memory_order success, std::memory_order failure,
                             Place place = Place::current()) {
    return value_(at(place)).compare_exchange_strong(expected, desired, to_relacy(success), to_relacy(failure));
  }

 private:
  rl::atomic<T> value_;
};

// Sequentially consistent operations weakened to acquire and release: loads may overtake the stores before them.
template <typename T>
class OvertakingAtomic : public RelacyAtomic<T> {
 public:
  using RelacyAtomic<T>::RelacyAtomic;

  T load(std::memory_order order, Place place = Place::current()) const {
    return RelacyAtomic<T>::load(order == std::memory_order_seq_cst ? std::memory_order_acquire : order, place);
  }
  T exchange(T value, std::memory_order order, Place place = Place::current()) {
    return RelacyAtomic<T>::exchange(value, order == std::memory_order_seq_cst ? std::memory_order_acq_rel : order,
                                     place);
  }
};

template <bool Excludes>
class RelacyMutex {
 public:
  void lock() {
    if constexpr (Excludes) mutex_.lock(at(Place::current()));
  }
  // No scheduling point: what is guarded is touched under the lock only, so a switch just before the unlock shows
  // nothing that a switch just after it does not, and leaving it out makes the exhaustive search feasible.
  void unlock() {
    const rl::preemption_disabler no_switch(rl::ctx());
    if constexpr (Excludes) mutex_.unlock(at(Place::current()));
  }

 private:
  rl::mutex mutex_;
};

// Relacy watches a stamp beside the value, so T may be any type.
template <typename T>
class RelacyVar {
 public:
  template <typename... Args>
  explicit RelacyVar(Args&&... args) : value_(std::forward<Args>(args)...), stamp_(0) {}

  const T& get(Place place = Place::current()) const {
    stamp_(at(place)).load();
    return value_;
  }
  T& mut(Place place = Place::current()) {
    stamp_(at(place)).store(0);
    return value_;
  }

 private:
  T value_;
  rl::var<unsigned> stamp_;
};

template <std::memory_order Acquire, std::memory_order Release, bool MutexExcludes>
struct BasicRelacySync {
  static constexpr std::memory_order kAcquire = Acquire;
  static constexpr std::memory_order kRelease = Release;
  template <typename T>
  using atomic = RelacyAtomic<T>;
  using mutex = RelacyMutex<MutexExcludes>;
  using lock_guard = std::lock_guard<mutex>;
  template <typename T>
  using var = RelacyVar<T>;
};

using RelacySync = BasicRelacySync<std::memory_order_acquire, std::memory_order_release, true>;
using WithoutRelease = BasicRelacySync<std::memory_order_acquire, std::memory_order_relaxed, true>;
using WithoutAcquire = BasicRelacySync<std::memory_order_relaxed, std::memory_order_release, true>;
struct WithoutSequence : RelacySync {
  template <typename T>
  using atomic = OvertakingAtomic<T>;
};
using WithoutLock = BasicRelacySync<std::memory_order_acquire, std::memory_order_release, false>;

}  // namespace hyperscale::models
