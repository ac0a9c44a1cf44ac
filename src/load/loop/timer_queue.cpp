#include "load/loop/timer_queue.h"

#include "base/check.h"

#include <utility>

namespace hyperscale::load {

Timer::~Timer() {
  if (queue_ != nullptr) queue_->cancel(*this);
}

TimerQueue::~TimerQueue() {
  for (Timer* timer : heap_) timer->queue_ = nullptr;
}

void TimerQueue::set(Timer& timer, MonoTime at) {
  CHECK(timer.queue_ == nullptr || timer.queue_ == this, "a timer belongs to one queue");
  timer.at_ = at;
  timer.order_ = ++orders_;
  if (timer.queue_ == nullptr) {
    timer.queue_ = this;
    timer.position_ = heap_.size();
    heap_.push_back(&timer);
  } else {
    sift_down(timer.position_);
  }
  sift_up(timer.position_);
}

void TimerQueue::cancel(Timer& timer) {
  if (timer.queue_ == nullptr) return;
  CHECK(timer.queue_ == this, "a timer belongs to one queue");
  timer.queue_ = nullptr;
  Timer* last = heap_.back();
  heap_.pop_back();
  if (last == &timer) return;
  put(timer.position_, last);
  sift_down(last->position_);
  sift_up(last->position_);
}

void TimerQueue::fire_due(MonoTime now) {
  while (!heap_.empty() && heap_.front()->at_ <= now) {
    Timer& timer = *heap_.front();
    cancel(timer);
    timer.fire_(timer.context_);  // may destroy the timer
  }
}

void TimerQueue::put(std::size_t position, Timer* timer) {
  heap_[position] = timer;
  timer->position_ = position;
}

void TimerQueue::sift_up(std::size_t position) {
  Timer* timer = heap_[position];
  while (position > 0) {
    const std::size_t parent = (position - 1) / 2;
    if (heap_[parent]->before(*timer)) break;
    put(position, heap_[parent]);
    position = parent;
  }
  put(position, timer);
}

void TimerQueue::sift_down(std::size_t position) {
  Timer* timer = heap_[position];
  for (std::size_t child = 2 * position + 1; child < heap_.size(); child = 2 * position + 1) {
    if (child + 1 < heap_.size() && heap_[child + 1]->before(*heap_[child])) ++child;
    if (timer->before(*heap_[child])) break;
    put(position, heap_[child]);
    position = child;
  }
  put(position, timer);
}

void LazyDeadline::check(void* self) {
  auto& deadline = *static_cast<LazyDeadline*>(self);
  if (deadline.deadline_ == MonoTime::max()) return;
  if (deadline.deadline_ > deadline.timer_.at()) {
    deadline.queue_.set(deadline.timer_, deadline.deadline_);
    return;
  }
  deadline.deadline_ = MonoTime::max();
  deadline.expired_(deadline.context_);
}

}  // namespace hyperscale::load
