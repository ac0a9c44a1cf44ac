// RecordingSync: a policy of threads and memory order that writes down what is asked of its atomics, so that a weaker
// order or another sequence is noticed on a machine that would forgive it. One thread only; what another one could do
// meanwhile is done by `before_load`.
#pragma once

#include <atomic>
#include <functional>
#include <utility>
#include <vector>

namespace hyperscale::realtime {

struct AtomicAccess {
  char what = 'l';  // load, store, exchange, add
  std::memory_order order = std::memory_order_relaxed;
  const void* where = nullptr;

  bool is_write() const { return what != 'l'; }
  // Of the same kind, wherever it was.
  bool operator==(const AtomicAccess& other) const { return what == other.what && order == other.order; }
};
using AccessLog = std::vector<AtomicAccess>;

struct RecordingSync {
  static constexpr std::memory_order kAcquire = std::memory_order_acquire;
  static constexpr std::memory_order kRelease = std::memory_order_release;
  static inline AccessLog log;
  static inline std::function<void()> before_load;

  template <typename T>
  class atomic {
   public:
    atomic() = default;
    explicit atomic(T value) : value_(value) {}
    T load(std::memory_order order) const {
      if (before_load) before_load();
      log.push_back({'l', order, this});
      return value_;
    }
    void store(T value, std::memory_order order) {
      log.push_back({'s', order, this});
      value_ = value;
    }
    T exchange(T value, std::memory_order order) {
      log.push_back({'x', order, this});
      return std::exchange(value_, value);
    }
    T fetch_add(T value, std::memory_order order) {
      log.push_back({'a', order, this});
      return std::exchange(value_, value_ + value);
    }

   private:
    T value_{};
  };

  template <typename T>
  class var {
   public:
    const T& get() const { return value_; }
    T& mut() { return value_; }

   private:
    T value_{};
  };

  static AccessLog take() { return std::exchange(log, {}); }
};

}  // namespace hyperscale::realtime
