#include "runtime/http/request_pipeline.h"

#include <chrono>
#include <utility>

namespace hyperscale::runtime {
namespace {

MonoTime steady_now() {
  return MonoTime::from_ns(std::chrono::steady_clock::now().time_since_epoch() / 1ns);
}

}  // namespace

RequestPipeline::RequestPipeline(Router router, HttpLimits limits, Metrics& metrics, HttpServerOptions options)
    : router_(std::move(router)),
      metrics_(metrics),
      access_(std::move(options.access)),
      log_error_(std::move(options.log_error)),
      clock_(options.clock ? std::move(options.clock) : steady_now),
      in_flight_(router_.routes().size()),
      limits_(std::make_shared<const HttpLimits>(limits)) {}

std::shared_ptr<const HttpLimits> RequestPipeline::limits() const {
  const std::lock_guard lock(limits_mutex_);
  return limits_;
}

void RequestPipeline::set_limits(HttpLimits limits) {
  auto snapshot = std::make_shared<const HttpLimits>(limits);
  const std::lock_guard lock(limits_mutex_);
  limits_.swap(snapshot);
}

Permit RequestPipeline::try_acquire(std::size_t route, std::uint32_t concurrency) {
  std::atomic<std::uint32_t>& in_flight = in_flight_[route];
  std::uint32_t current = in_flight.load();
  while (current < concurrency) {
    if (in_flight.compare_exchange_weak(current, current + 1)) return Permit(in_flight);
  }
  return {};
}

void RequestPipeline::log_error(std::string message) const {
  if (log_error_) log_error_(std::move(message));
}

}  // namespace hyperscale::runtime
