// Bus: what the parts of a node tell each other. Several producers, any number of receivers; a slow receiver loses the
// oldest events, is told how many, and reconciles from a snapshot instead of trusting that it saw everything.
#pragma once

#include "concurrent/fanout_ring.h"

#include <cstdint>
#include <functional>
#include <string>
#include <variant>

#include <boost/asio/awaitable.hpp>

namespace hyperscale::runtime {

namespace asio = boost::asio;

class Log;
class Metrics;

struct HealthEvent {
  std::string service;
  bool ok = false;
};
struct ConfigUpdatedEvent {
  std::uint64_t version = 0;
};
struct ServiceCrashedEvent {
  std::string service;
  std::string task;
};
struct ShutdownEvent {
  std::string reason;
};

using BusEvent = std::variant<HealthEvent, ConfigUpdatedEvent, ServiceCrashedEvent, ShutdownEvent>;
using Bus = concurrent::FanoutRing<BusEvent>;

struct BusListener {
  std::string service;  // for the log and for bus_lagged_total
  std::function<void(const BusEvent&)> on_event;
  std::function<void()> reconcile;  // pulls a snapshot after a lag; may throw, the loop goes on
};

// Receives until the bus is closed.
asio::awaitable<void> listen_to_bus(Bus::Receiver receiver, BusListener listener, Metrics& metrics, Log& log);

}  // namespace hyperscale::runtime
