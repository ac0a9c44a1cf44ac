// RequestPipeline: shared by all connections of a listener: routes with their permits, the current limits, the metrics.
//
// Thread rule: every method may be called from any thread. Limits are an immutable snapshot that is replaced as a
// whole.
#pragma once

#include "runtime/http/access_rules.h"
#include "runtime/http/http_limits.h"
#include "runtime/http/http_server.h"
#include "runtime/http/router.h"
#include "runtime/metrics/metrics.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hyperscale::runtime {

// One unit of a route's concurrency, returned when destroyed or released. Movable.
class Permit {
 public:
  Permit() = default;
  explicit Permit(std::atomic<std::uint32_t>& in_flight) : in_flight_(&in_flight) {}
  Permit(Permit&& other) noexcept : in_flight_(std::exchange(other.in_flight_, nullptr)) {}
  Permit& operator=(Permit&& other) noexcept {
    std::swap(in_flight_, other.in_flight_);
    return *this;
  }
  ~Permit() { release(); }

  void release() {
    if (auto* in_flight = std::exchange(in_flight_, nullptr)) in_flight->fetch_sub(1);
  }
  explicit operator bool() const { return in_flight_ != nullptr; }

 private:
  std::atomic<std::uint32_t>* in_flight_ = nullptr;
};

class RequestPipeline {
 public:
  RequestPipeline(Router router, HttpLimits limits, Metrics& metrics, HttpServerOptions options);

  std::shared_ptr<const HttpLimits> limits() const;
  void set_limits(HttpLimits limits);
  bool draining() const { return draining_.load(std::memory_order_acquire); }
  void set_draining() { draining_.store(true, std::memory_order_release); }

  const Router& router() const { return router_; }
  // An empty permit when the route has `concurrency` requests in flight.
  Permit try_acquire(std::size_t route, std::uint32_t concurrency);
  const AccessRules* access() const { return access_.get(); }

  Metrics& metrics() { return metrics_; }
  void count_refusal(std::string_view reason) { metrics_.add(Counter::kRequestsRefused, reason); }
  void log_error(std::string message) const;
  MonoTime now() const { return clock_(); }

 private:
  Router router_;
  Metrics& metrics_;
  std::shared_ptr<const AccessRules> access_;
  std::function<void(std::string)> log_error_;
  std::function<MonoTime()> clock_;
  std::vector<std::atomic<std::uint32_t>> in_flight_;  // by route
  std::atomic<bool> draining_{false};
  mutable std::mutex limits_mutex_;  // held only to copy or replace the pointer
  std::shared_ptr<const HttpLimits> limits_;
};

}  // namespace hyperscale::runtime
