// StdSync: the threads and memory order the structures of this module are built on.
//
// Every structure here is a template over a policy, so that the same source runs in production on StdSync and in an
// interleaving model on a policy that explores every schedule. A policy has
//   atomic<T>, mutex, lock_guard     as in the standard library, always with an explicit std::memory_order;
//   var<T>                           plain data: get() reads it, mut() writes it; a model reports a race on it;
//   kAcquire, kRelease               the orders of publication; a model weakens them to show that it detects this.
// Thread rule: var<T> is unprotected; its user guards it. Fences are not used: ThreadSanitizer does not support them.
#pragma once

#include <atomic>
#include <cstddef>
#include <mutex>
#include <utility>

namespace hyperscale::concurrent {

inline constexpr std::size_t kCacheLineBytes = 64;

struct StdSync {
  static constexpr std::memory_order kAcquire = std::memory_order_acquire;
  static constexpr std::memory_order kRelease = std::memory_order_release;

  template <typename T>
  using atomic = std::atomic<T>;
  using mutex = std::mutex;
  using lock_guard = std::lock_guard<std::mutex>;

  template <typename T>
  class var {
   public:
    template <typename... Args>
    explicit var(Args&&... args) : value_(std::forward<Args>(args)...) {}
    const T& get() const { return value_; }
    T& mut() { return value_; }

   private:
    T value_;
  };
};

}  // namespace hyperscale::concurrent
