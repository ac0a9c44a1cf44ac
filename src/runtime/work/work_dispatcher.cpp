#include "runtime/work/work_dispatcher.h"

#include "base/duration_text.h"
#include "runtime/channel/async_event.h"
#include "runtime/clock/clock.h"
#include "runtime/metrics/metrics.h"

#include <boost/asio/this_coro.hpp>
#include <fmt/format.h>

namespace hyperscale::runtime {
namespace {

// The work's own token: cancelled when the caller is, and when the caller stops waiting for any reason.
class LinkedCancel {
 public:
  explicit LinkedCancel(const CancelToken& caller) : link_(caller.on_cancel([source = source_] { source.cancel(); })) {}
  ~LinkedCancel() { source_.cancel(); }
  LinkedCancel(const LinkedCancel&) = delete;
  LinkedCancel& operator=(const LinkedCancel&) = delete;
  CancelToken token() const { return source_.token(); }

 private:
  CancelSource source_;
  CancelToken::Registration link_;
};

}  // namespace

WorkDispatcher::WorkDispatcher(WorkQueue& queue, Metrics& metrics, RetryLimits retry, BreakerLimits breaker, Prng prng)
    : queue_(queue), metrics_(metrics), retry_(retry), breaker_limits_(breaker), prng_(prng) {}

void WorkDispatcher::set_limits(RetryLimits retry, BreakerLimits breaker) {
  const concurrent::RankedLock lock(mutex_);
  retry_ = retry;
  breaker_limits_ = breaker;
  breakers_.clear();
}

asio::awaitable<Result<SharedBytes>> WorkDispatcher::submit(Job job, std::string endpoint, MonoTime deadline,
                                                            CancelToken cancel) {
  if (auto admitted = admit(endpoint, mono_now()); !admitted) co_return fail(admitted.error());
  const LinkedCancel linked(cancel);
  std::optional<RetrySchedule> schedule;
  {
    const concurrent::RankedLock lock(mutex_);
    schedule.emplace(retry_, Prng(prng_.next()), deadline, /*idempotent=*/true);
  }
  const auto strand = co_await asio::this_coro::executor;
  for (;;) {
    Result<SharedBytes> result = co_await attempt(job, endpoint, deadline, linked.token());
    const bool worker_lost = !result && result.error().code == ErrorCode::kBrokenPipe;
    const auto delay = worker_lost ? schedule->next_delay(mono_now(), result.error().code) : std::nullopt;
    if (!delay) {
      report(endpoint, result, mono_now());
      co_return result;
    }
    metrics_.add(Counter::kBackoffRetries, endpoint);
    const auto pause = AsyncEvent::create(strand);
    const WaitEnd end = co_await pause->wait_until(mono_now() + *delay);
    if (end == WaitEnd::kCanceled) throw_canceled();
  }
}

asio::awaitable<Result<SharedBytes>> WorkDispatcher::attempt(Job job, const std::string& endpoint, MonoTime deadline,
                                                             CancelToken cancel) {
  const MonoTime begin = mono_now();
  const auto answer = std::make_shared<WorkAnswer>();
  WorkItem item(std::move(job), deadline, std::move(cancel), answer);
  switch (queue_.try_push(std::move(item))) {
    case concurrent::PushResult::kPushed:
    case concurrent::PushResult::kReplacedOldest:
      break;
    case concurrent::PushResult::kFull:
      metrics_.add(Counter::kBusyRejections, endpoint);
      co_return fail(ErrorCode::kBusy, fmt::format("work queue is full ({})", queue_.capacity()));
    case concurrent::PushResult::kClosed:
      co_return fail(ErrorCode::kUnavailable, "the node is going away");
  }
  auto result = co_await answer->wait_until(deadline);
  if (result) co_return std::move(*result);
  co_return fail(ErrorCode::kTimeout,
                 fmt::format("{} passed its deadline of {}", endpoint,
                             format_duration(std::chrono::duration_cast<std::chrono::milliseconds>(deadline - begin))));
}

Status WorkDispatcher::admit(const std::string& endpoint, MonoTime now) {
  const concurrent::RankedLock lock(mutex_);
  if (breakers_.try_emplace(endpoint, breaker_limits_).first->second.allow(now)) return {};
  return fail(ErrorCode::kOpenCircuit,
              fmt::format("{} fails too often; try again in {}", endpoint, format_duration(breaker_limits_.cool_down)));
}

void WorkDispatcher::report(const std::string& endpoint, const Result<SharedBytes>& result, MonoTime now) {
  const auto code = result ? std::optional<ErrorCode>() : result.error().code;
  const bool broken = code == ErrorCode::kInternal || code == ErrorCode::kBrokenPipe;
  bool opened = false;
  {
    const concurrent::RankedLock lock(mutex_);
    CircuitBreaker& breaker = breakers_.try_emplace(endpoint, breaker_limits_).first->second;
    const bool was_open = breaker.state(now) == BreakerState::kOpen;
    if (broken)
      breaker.on_failure(now);
    else if (!code)
      breaker.on_success(now);
    opened = !was_open && breaker.state(now) == BreakerState::kOpen;
  }
  if (opened) metrics_.add(Counter::kCircuitOpen, endpoint);
}

}  // namespace hyperscale::runtime
