// EgressPool: the worker threads that execute observations, their queue, and the replacement of stuck workers.
//
// Each worker has a seat with a record to pin with. If the detector declares a worker stuck, its caller is answered and
// another worker starts in a free seat, so that stuck workers do not stop the pool; there are twice as many seats as
// workers. A replaced worker that resumes ends, which frees its seat. Workers end when the queue is closed. Thread
// rule: submit() and close() from any thread; answer_stalled() and replace() from the engine or a shutdown.
#pragma once

#include "realtime/observe/observer.h"
#include "realtime/observe/request_queue.h"
#include "realtime/work_threads.h"
#include "realtime/world_config.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace hyperscale::realtime {

class EgressPool {
 public:
  EgressPool(const WorldConfig& config, FieldStore& store, CoarseClock& clock, const Observer& observer,
             WorkThreads& threads, WorldMetrics& metrics);

  // keep_alive owns this pool; every worker holds it.
  Status start(const std::shared_ptr<void>& keep_alive);

  RequestQueue::Pushed submit(std::shared_ptr<ObsRequest> request);
  // Answers the caller in the worker's place, if the worker still serves the request of that pin.
  void answer_stalled(std::size_t seat, std::uint64_t pin_sequence, ObsErrorKind kind);
  // Replaces a stuck worker, once; does nothing without a free seat or a thread, and may then be called again.
  void replace(std::size_t seat, const std::shared_ptr<void>& keep_alive);
  // Refuses new requests and answers the queued ones.
  void close();

  std::size_t queue_depth() const { return queue_.depth(); }
  std::size_t queue_capacity() const { return queue_.capacity(); }
  std::size_t workers() const { return workers_; }

 private:
  struct Seat {
    std::mutex mutex;
    std::shared_ptr<ObsRequest> in_hand;
    std::uint64_t first_sequence = 0;  // of the pins for the current request
    bool taken = false;
    bool replaced = false;
  };

  Status seat_worker(std::size_t seat, const std::shared_ptr<void>& keep_alive);
  void work(std::size_t seat);
  void serve(std::size_t seat, const std::shared_ptr<ObsRequest>& request);
  bool leaves(std::size_t seat);

  const WorldConfig& config_;
  FieldStore& store_;
  CoarseClock& clock_;
  const Observer& observer_;
  WorkThreads& threads_;
  WorldMetrics& metrics_;
  const std::size_t workers_;
  RequestQueue queue_;
  std::vector<Seat> seats_;
};

}  // namespace hyperscale::realtime
