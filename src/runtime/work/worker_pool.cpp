#include "runtime/work/worker_pool.h"

#include "runtime/channel/async_queue.h"
#include "runtime/clock/clock.h"
#include "runtime/metrics/metrics.h"
#include "runtime/task/blocking_pool.h"

#include <utility>

namespace hyperscale::runtime {
namespace {

class Running {
 public:
  explicit Running(std::atomic<int>& count) : count_(count) { ++count_; }
  ~Running() { leave(); }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;

  // True for the last worker that leaves.
  bool leave() {
    if (std::exchange(left_, true)) return false;
    return --count_ == 0;
  }

 private:
  std::atomic<int>& count_;
  bool left_ = false;
};

}  // namespace

WorkerPool::WorkerPool(WorkQueue& queue, TelemetryQueue& telemetry, BlockingPool& blocking, Metrics& metrics,
                       std::function<void()> on_drained)
    : queue_(queue),
      telemetry_(telemetry),
      blocking_(blocking),
      metrics_(metrics),
      on_drained_(std::move(on_drained)) {}

asio::awaitable<void> WorkerPool::work() {
  Running running(running_);
  for (;;) {
    auto item = co_await async_pop(queue_);
    if (!item) break;
    co_await handle(*item);
  }
  if (running.leave()) on_drained_();
}

asio::awaitable<void> WorkerPool::handle(WorkItem& item) {
  const MonoTime begin = mono_now();
  if (item.cancel.canceled()) {
    metrics_.add(Counter::kTasksCanceled, "work");
    item.answer(fail(ErrorCode::kCanceled, "the caller is gone"));
    co_return;
  }
  if (begin >= item.deadline) {
    item.answer(fail(ErrorCode::kTimeout, "the deadline passed in the queue"));
    co_return;
  }
  auto result = co_await run_job(item.job, blocking_, item.deadline, item.cancel);
  const bool ok = result.has_value();
  if (!ok && result.error().code == ErrorCode::kCanceled) metrics_.add(Counter::kTasksCanceled, "work");
  telemetry_.try_push({std::string(name(item.job.kind)), ok, mono_now() - begin});
  item.answer(std::move(result));
}

}  // namespace hyperscale::runtime
