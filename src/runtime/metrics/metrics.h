// All metrics of a node: each series is registered once, here, with its Prometheus name, help and label.
//
// Thread rule: every method may be called from any thread. Label values must come from small closed sets (route
// patterns, queue names, service names), never from a caller's input, so that the number of series stays bounded.
#pragma once

#include "base/time.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace hyperscale::runtime {

enum class Counter : std::uint8_t {
  kQueueDropped,           // {queue}
  kTasksSpawned,           // {kind}
  kTasksCompleted,         // {kind}
  kTasksAborted,           // {kind}
  kTasksCanceled,          // {kind}
  kIoTimeouts,             // {op}: read, write, idle, connect, handshake, request
  kIoErrors,               // {op}: read, write, accept, frame, http
  kBackoffRetries,         // {op}
  kBusyRejections,         // {endpoint}
  kServiceRestarts,        // {service}
  kFacetBusy,              // {facet}
  kFacetDeadlineTimeouts,  // {facet}
  kBusLagged,              // {service}
  kConfigCoalesced,        // no label
  kCircuitOpen,            // {endpoint}
  kConnectionsAccepted,    // {listener}
  kConnectionsRefused,     // {reason}: max_conns, accept_rate, certificate
  kRequestsRefused,        // {reason}: draining, body_limit, expansion, unauthorized, ...
  kHandshakesDropped,      // {reason}
  kCount,
};

enum class Gauge : std::uint8_t {
  kQueueDepth,            // {queue}
  kReadyzState,           // {service}: 0 unready, 1 degraded, 2 ready
  kReadyDependencyUnmet,  // {dep}
  kSemaphoreInflight,     // {facet}
  kConnectionsOpen,       // {listener}
  kDrainState,            // no label: 0 running, 1 pre-drain, 2 draining, 3 aborting, 4 stopped
  kCount,
};

class Metrics {
 public:
  Metrics();
  ~Metrics();
  Metrics(const Metrics&) = delete;
  Metrics& operator=(const Metrics&) = delete;

  void add(Counter counter, std::string_view label, double amount = 1);
  void set(Gauge gauge, std::string_view label, double value);
  void observe_latency(std::string_view endpoint, std::string_view method, Duration elapsed);

  // Runs before every exposition: samples values that are cheaper to read than to keep current, such as queue depths.
  void on_scrape(std::function<void()> sample);
  // Removes the samplers: the objects that they read are about to be destroyed.
  void clear_samplers();

  // Prometheus text exposition format, version 0.0.4.
  std::string expose() const;

  double value(Counter counter, std::string_view label) const;
  double value(Gauge gauge, std::string_view label) const;

 private:
  struct Families;
  std::unique_ptr<Families> families_;
};

}  // namespace hyperscale::runtime
