// RequestQueue: the bounded queue between callers and the workers of the pool.
//
// push() never waits: a full or closed queue refuses. pop() waits for a request or for close(), which ends every
// worker; the caller of close() gets the remaining requests. Thread rule: any thread.
#pragma once

#include "realtime/observe/obs_request.h"

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <utility>

namespace hyperscale::realtime {

class RequestQueue {
 public:
  enum class Pushed : std::uint8_t { kQueued, kFull, kClosed };
  using Request = std::shared_ptr<ObsRequest>;

  explicit RequestQueue(std::size_t capacity) : capacity_(capacity) {}

  Pushed push(Request request) {
    {
      const std::lock_guard lock(mutex_);
      if (closed_) return Pushed::kClosed;
      if (queued_.size() >= capacity_) return Pushed::kFull;
      queued_.push_back(std::move(request));
    }
    changed_.notify_one();
    return Pushed::kQueued;
  }

  // nullptr once the queue is closed.
  Request pop() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return closed_ || !queued_.empty(); });
    if (closed_) return nullptr;
    Request request = std::move(queued_.front());
    queued_.pop_front();
    return request;
  }

  std::deque<Request> close() {
    std::deque<Request> left;
    {
      const std::lock_guard lock(mutex_);
      closed_ = true;
      left = std::exchange(queued_, {});
    }
    changed_.notify_all();
    return left;
  }

  std::size_t depth() const {
    const std::lock_guard lock(mutex_);
    return queued_.size();
  }
  std::size_t capacity() const { return capacity_; }

 private:
  const std::size_t capacity_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Request> queued_;
  bool closed_ = false;
};

}  // namespace hyperscale::realtime
