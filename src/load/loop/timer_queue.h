// TimerQueue: a binary heap of timers that their owners hold. Setting and cancelling are O(log n) and allocate only
// when the heap grows.
//
// Single-threaded; time is passed in. A timer is one-shot; setting it again moves it. Use a LazyDeadline for deadlines
// that move with every request: it touches the heap only when the old deadline is reached.
#pragma once

#include "base/time.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace hyperscale::load {

class TimerQueue;

class Timer {
 public:
  // `fire(context)` runs inside TimerQueue::fire_due.
  Timer(void (*fire)(void*), void* context) : fire_(fire), context_(context) {}
  ~Timer();
  Timer(const Timer&) = delete;
  Timer& operator=(const Timer&) = delete;
  bool is_set() const { return queue_ != nullptr; }
  MonoTime at() const { return at_; }

 private:
  friend class TimerQueue;
  void (*fire_)(void*);
  void* context_;
  TimerQueue* queue_ = nullptr;
  bool before(const Timer& other) const { return at_ != other.at_ ? at_ < other.at_ : order_ < other.order_; }

  MonoTime at_;
  std::uint64_t order_ = 0;  // of set() calls
  std::size_t position_ = 0;
};

class TimerQueue {
 public:
  TimerQueue() = default;
  ~TimerQueue();
  TimerQueue(const TimerQueue&) = delete;
  TimerQueue& operator=(const TimerQueue&) = delete;

  void set(Timer& timer, MonoTime at);
  void cancel(Timer& timer);
  // MonoTime::max() when none is set.
  MonoTime next() const { return heap_.empty() ? MonoTime::max() : heap_.front()->at_; }
  // Fires the timers that are due, by time, at equal times in the order in which they were set. Timers that are set
  // meanwhile for `now` or before fire too.
  void fire_due(MonoTime now);
  std::size_t size() const { return heap_.size(); }

 private:
  void put(std::size_t position, Timer* timer);
  void sift_up(std::size_t position);
  void sift_down(std::size_t position);
  std::vector<Timer*> heap_;
  std::uint64_t orders_ = 0;
};

// A deadline that usually moves on before it is reached: moving it later costs one store.
class LazyDeadline {
 public:
  LazyDeadline(TimerQueue& queue, void (*expired)(void*), void* context)
      : queue_(queue), timer_(&LazyDeadline::check, this), expired_(expired), context_(context) {}

  void set(MonoTime deadline) {
    deadline_ = deadline;
    if (!timer_.is_set() || deadline < timer_.at()) queue_.set(timer_, deadline);
  }
  void clear() { deadline_ = MonoTime::max(); }
  MonoTime get() const { return deadline_; }  // MonoTime::max(): none

 private:
  static void check(void* self);
  TimerQueue& queue_;
  Timer timer_;
  MonoTime deadline_ = MonoTime::max();
  void (*expired_)(void*);
  void* context_;
};

}  // namespace hyperscale::load
