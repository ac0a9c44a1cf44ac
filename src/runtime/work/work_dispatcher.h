// WorkDispatcher: queues requests as jobs. It pushes a job to the bounded queue, waits for the answer within the
// deadline, and returns a result or a typed error. A full queue is Busy at once.
//
// A job whose worker died is retried after a short, jittered backoff, as all jobs here are idempotent; a circuit
// breaker stops calls to an endpoint whose jobs mostly fail until it recovers. Timeouts do not count against an
// endpoint: how long a job takes is the caller's choice. Thread rule: any strand.
#pragma once

#include "base/prng.h"
#include "concurrent/ranked_mutex.h"
#include "runtime/policy/circuit_breaker.h"
#include "runtime/policy/retry_policy.h"
#include "runtime/work/worker_pool.h"

#include <map>
#include <string>

#include <boost/asio/awaitable.hpp>

namespace hyperscale::runtime {

class WorkDispatcher {
 public:
  WorkDispatcher(WorkQueue& queue, Metrics& metrics, RetryLimits retry, BreakerLimits breaker, Prng prng);

  // `endpoint` is a route pattern or method name from a closed set; it labels the metrics.
  asio::awaitable<Result<SharedBytes>> submit(Job job, std::string endpoint, MonoTime deadline, CancelToken cancel);

  void set_limits(RetryLimits retry, BreakerLimits breaker);

 private:
  Status admit(const std::string& endpoint, MonoTime now);
  void report(const std::string& endpoint, const Result<SharedBytes>& result, MonoTime now);
  asio::awaitable<Result<SharedBytes>> attempt(Job job, const std::string& endpoint, MonoTime deadline,
                                               CancelToken cancel);

  WorkQueue& queue_;
  Metrics& metrics_;
  concurrent::RankedMutex mutex_{concurrent::LockRank::kCounters};
  RetryLimits retry_;
  BreakerLimits breaker_limits_;
  std::map<std::string, CircuitBreaker> breakers_;
  Prng prng_;
};

}  // namespace hyperscale::runtime
