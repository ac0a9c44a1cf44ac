// Bus: events between the parts of a node. Several producers, any number of receivers; a slow receiver loses the oldest
// events, gets their count, and reconciles from a snapshot.
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
  std::function<void()> reconcile;  // pulls a snapshot after a lag; may throw, the loop continues
};

// Receives until the bus is closed.
asio::awaitable<void> listen_to_bus(Bus::Receiver receiver, BusListener listener, Metrics& metrics, Log& log);

}  // namespace hyperscale::runtime
