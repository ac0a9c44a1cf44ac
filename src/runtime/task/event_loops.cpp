#include "runtime/task/event_loops.h"

#include "base/check.h"

#include <condition_variable>
#include <mutex>

#include <pthread.h>

namespace hyperscale::runtime {

// Outlives the EventLoops object when a thread had to be left behind.
struct EventLoops::Shared {
  explicit Shared(unsigned threads) : context(static_cast<int>(threads)), work(context.get_executor()) {}
  asio::io_context context;
  asio::executor_work_guard<asio::io_context::executor_type> work;
  std::mutex mutex;
  std::condition_variable ended;
  unsigned running = 0;
};

EventLoops::EventLoops(unsigned threads)
    : thread_count_(threads), shared_(std::make_shared<Shared>(threads)), context_(&shared_->context) {
  CHECK(threads > 0, "an event loop needs a thread");
}

EventLoops::~EventLoops() {
  CHECK(threads_.empty(), "stop_and_join() was not called");
}

void EventLoops::start() {
  shared_->running = thread_count_;
  for (unsigned i = 0; i < thread_count_; ++i) {
    threads_.emplace_back([shared = shared_, i] {
      ::pthread_setname_np(::pthread_self(), ("loop-" + std::to_string(i)).c_str());
      shared->context.run();
      const std::lock_guard lock(shared->mutex);
      --shared->running;
      shared->ended.notify_all();
    });
  }
}

bool EventLoops::stop_and_join(Duration grace) {
  shared_->work.reset();
  shared_->context.stop();
  bool all_ended = false;
  {
    std::unique_lock lock(shared_->mutex);
    all_ended = shared_->ended.wait_for(lock, grace, [this] { return shared_->running == 0; });
  }
  for (std::thread& thread : threads_) {
    if (all_ended)
      thread.join();
    else
      thread.detach();
  }
  threads_.clear();
  return all_ended;
}

}  // namespace hyperscale::runtime
