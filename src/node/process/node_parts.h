// NodeParts: the parts that all roles of a node share, in construction order: configuration, log, metrics, loops,
// channels, supervisor, drain, servers. Composition only: no decisions, and no part belongs to a role.
//
// Life: created by NodeProcess, which also starts the tasks and destroys everything in reverse order once all tasks
// have ended.
#pragma once

#include "concurrent/bounded_queue.h"
#include "concurrent/snapshot_cell.h"
#include "runtime/channel/bus.h"
#include "runtime/channel/channel_registry.h"
#include "runtime/config/config_source.h"
#include "runtime/config/node_config.h"
#include "runtime/health/health_reporter.h"
#include "runtime/health/readiness_board.h"
#include "runtime/http/http_server.h"
#include "runtime/log/log.h"
#include "runtime/metrics/metrics.h"
#include "runtime/task/blocking_pool.h"
#include "runtime/task/drain_driver.h"
#include "runtime/task/event_loops.h"
#include "runtime/task/stop_signal.h"
#include "runtime/task/supervisor.h"
#include "runtime/transport/framed_server.h"

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace hyperscale::node {

namespace asio = boost::asio;

struct ConfigChange {
  std::string reason;  // "SIGHUP", "file changed", "API"
};

// Outcome of the last reload, for the status page.
struct ReloadReport {
  std::string reason;
  std::vector<std::string> applied;
  std::vector<std::string> refused;
  std::vector<std::string> errors;
};

// The running configuration and its pending changes. Any thread.
struct NodeSettings {
  NodeSettings(const runtime::NodeConfig& config, runtime::ConfigInputs config_inputs);

  runtime::ConfigInputs inputs;  // reread on a reload
  concurrent::SnapshotCell<runtime::NodeConfig> config;
  concurrent::SnapshotCell<ReloadReport> last_reload;
  std::atomic<std::uint64_t> version{1};
  concurrent::BoundedQueue<ConfigChange> updates;
};

// Created by NodeProcess after the roles have added their routes.
struct NodeServers {
  std::shared_ptr<runtime::HttpServer> api;
  std::shared_ptr<runtime::HttpServer> metrics;
  std::shared_ptr<runtime::FramedServer> transport;
};

struct NodeParts {
  NodeParts(const runtime::NodeConfig& config, runtime::ConfigInputs config_inputs,
            std::unique_ptr<runtime::Log> node_log);

  NodeSettings settings;
  std::unique_ptr<runtime::Log> log;
  runtime::Metrics metrics;
  const MonoTime started_at;
  runtime::EventLoops loops;
  runtime::BlockingPool blocking;
  runtime::Bus bus;
  runtime::StopSignal stop;
  runtime::ChannelRegistry channels;
  runtime::ReadinessBoard board;
  std::shared_ptr<runtime::Supervisor> supervisor;
  runtime::HealthReporter health;
  std::shared_ptr<runtime::DrainDriver> drain;
  NodeServers servers;
  // From any thread: begins a shutdown; a second call aborts it.
  std::function<void(const std::string& reason)> request_shutdown;

  std::shared_ptr<const runtime::NodeConfig> current() const { return settings.config.load(); }

 private:
  void register_channels();
};

std::uint64_t random_seed();  // from the kernel

}  // namespace hyperscale::node
