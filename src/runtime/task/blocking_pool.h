// BlockingPool: threads for blocking or CPU-bound work (files, hashing), which event loops must not do.
//
// The queue in front is bounded: a full one answers Busy at once. A task may poll its CancelToken; one that does not
// cannot be killed (C++ threads cannot be aborted), so shutdown() abandons it after a grace, counted and named.
// Thread rule: any thread may submit. The coroutine forms resume on the caller's strand.
#pragma once

#include "base/result.h"
#include "base/time.h"
#include "runtime/channel/one_shot.h"

#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include <boost/asio/awaitable.hpp>

namespace hyperscale::runtime {

class BlockingPool {
 public:
  BlockingPool(unsigned threads, std::size_t queue_capacity);
  ~BlockingPool();
  BlockingPool(const BlockingPool&) = delete;
  BlockingPool& operator=(const BlockingPool&) = delete;

  // Busy when the queue is full, Unavailable after shutdown() began. `name` is what a straggler is called in the log.
  Status submit(std::string name, std::function<void()> job);

  // Runs `job` on the pool and returns its result, or Timeout at the deadline (the job then continues, its result
  // unused). A job that throws is answered as Internal.
  template <typename Job>
  asio::awaitable<Result<std::invoke_result_t<Job>>> run(std::string name, MonoTime deadline, Job job) {
    using Value = std::invoke_result_t<Job>;
    const auto answer = std::make_shared<OneShot<Result<Value>>>();
    auto submitted = submit(std::move(name), [answer, job = std::move(job)]() mutable {
      try {
        answer->set(Result<Value>(job()));
      } catch (const std::exception& error) {
        answer->set(fail(ErrorCode::kInternal, error.what()));
      } catch (...) {
        answer->set(fail(ErrorCode::kInternal, "threw something that is not an exception"));
      }
    });
    if (!submitted) co_return fail(submitted.error());
    auto result = co_await answer->wait_until(deadline);
    if (!result) co_return fail(ErrorCode::kTimeout, "blocking job passed its deadline");
    co_return std::move(*result);
  }

  std::size_t queued() const;
  // Stops intake, lets queued jobs finish until the deadline, and returns the names of abandoned jobs.
  std::vector<std::string> shutdown(Duration grace);

 private:
  struct Shared;
  std::shared_ptr<Shared> shared_;
};

}  // namespace hyperscale::runtime
