#include "runtime/task/blocking_pool.h"

#include "base/check.h"
#include "concurrent/ranked_mutex.h"

#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

#include <fmt/format.h>
#include <pthread.h>

namespace hyperscale::runtime {
namespace {

struct Job {
  std::string name;
  std::function<void()> work;
};

}  // namespace

// Shared with the threads, so that the state outlives the pool for an abandoned thread.
struct BlockingPool::Shared {
  std::size_t capacity = 0;
  mutable std::mutex mutex;
  std::condition_variable wake;
  std::condition_variable idle;
  std::deque<Job> jobs;
  std::vector<std::string> running;  // by thread; empty string: idle
  unsigned alive = 0;
  bool closed = false;
  std::vector<std::thread> threads;

  void work(unsigned index) {
    std::unique_lock lock(mutex);
    for (;;) {
      wake.wait(lock, [this] { return closed || !jobs.empty(); });
      if (jobs.empty()) break;
      Job job = std::move(jobs.front());
      jobs.pop_front();
      running[index] = job.name;
      lock.unlock();
      job.work();
      job = {};
      lock.lock();
      running[index].clear();
    }
    --alive;
    idle.notify_all();
  }
};

BlockingPool::BlockingPool(unsigned threads, std::size_t queue_capacity) : shared_(std::make_shared<Shared>()) {
  CHECK(threads > 0 && queue_capacity > 0, "a pool needs threads and a queue");
  shared_->capacity = queue_capacity;
  shared_->running.resize(threads);
  shared_->alive = threads;
  for (unsigned i = 0; i < threads; ++i) {
    shared_->threads.emplace_back([shared = shared_, i] {
      ::pthread_setname_np(::pthread_self(), ("blocking-" + std::to_string(i)).c_str());
      shared->work(i);
    });
  }
}

BlockingPool::~BlockingPool() {
  CHECK(shared_->threads.empty(), "shutdown() was not called");
}

Status BlockingPool::submit(std::string name, std::function<void()> job) {
  concurrent::assert_no_lock_held("BlockingPool::submit");
  {
    const std::lock_guard lock(shared_->mutex);
    if (shared_->closed) return fail(ErrorCode::kUnavailable, "the blocking pool is shutting down");
    if (shared_->jobs.size() >= shared_->capacity) {
      return fail(ErrorCode::kBusy, fmt::format("blocking pool is full ({})", shared_->capacity));
    }
    shared_->jobs.push_back({std::move(name), std::move(job)});
  }
  shared_->wake.notify_one();
  return {};
}

std::size_t BlockingPool::queued() const {
  const std::lock_guard lock(shared_->mutex);
  return shared_->jobs.size();
}

std::vector<std::string> BlockingPool::shutdown(Duration grace) {
  std::vector<std::string> left_behind;
  std::deque<Job> dropped;
  bool all_ended = false;
  {
    std::unique_lock lock(shared_->mutex);
    shared_->closed = true;
    shared_->wake.notify_all();
    all_ended = shared_->idle.wait_for(lock, grace, [this] { return shared_->alive == 0; });
    for (const std::string& name : shared_->running) {
      if (!name.empty()) left_behind.push_back(name);
    }
    dropped.swap(shared_->jobs);
  }
  for (std::thread& thread : shared_->threads) {
    if (all_ended)
      thread.join();
    else
      thread.detach();
  }
  shared_->threads.clear();
  return left_behind;
}

}  // namespace hyperscale::runtime
