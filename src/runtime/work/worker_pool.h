// WorkerPool: the consumers of the work queue. Every worker is a supervised task that runs jobs one after another.
//
// On shutdown the queue is closed and the workers finish what is in it; the last one to find it empty reports
// on_drained. A worker that crashes loses only the job it holds; the caller of that job gets an error at once and may
// retry.
#pragma once

#include "concurrent/bounded_queue.h"
#include "runtime/work/telemetry.h"
#include "runtime/work/work_item.h"

#include <atomic>
#include <functional>

#include <boost/asio/awaitable.hpp>

namespace hyperscale::runtime {

class Metrics;
using WorkQueue = concurrent::BoundedQueue<WorkItem>;

class WorkerPool {
 public:
  // All references must outlive the workers.
  WorkerPool(WorkQueue& queue, TelemetryQueue& telemetry, BlockingPool& blocking, Metrics& metrics,
             std::function<void()> on_drained);

  // The body of one worker.
  asio::awaitable<void> work();

 private:
  asio::awaitable<void> handle(WorkItem& item);

  WorkQueue& queue_;
  TelemetryQueue& telemetry_;
  BlockingPool& blocking_;
  Metrics& metrics_;
  std::function<void()> on_drained_;
  std::atomic<int> running_{0};
};

}  // namespace hyperscale::runtime
