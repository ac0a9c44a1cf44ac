// NodeParts: everything a node is made of, in the order in which it is built. Composition only: no part decides here.
//
// Life: made by NodeProcess, which also starts the tasks and tears everything down in reverse order once all have
// ended.
#pragma once

#include "base/snowflake.h"
#include "concurrent/snapshot_cell.h"
#include "runtime/cache/result_cache.h"
#include "runtime/channel/bus.h"
#include "runtime/channel/channel_registry.h"
#include "runtime/config/config_capacity.h"
#include "runtime/config/config_source.h"
#include "runtime/config/node_config.h"
#include "runtime/facet/facet_set.h"
#include "runtime/health/health_reporter.h"
#include "runtime/health/readiness_board.h"
#include "runtime/http/http_server.h"
#include "runtime/log/log.h"
#include "runtime/metrics/metrics.h"
#include "runtime/task/blocking_pool.h"
#include "runtime/task/drain_driver.h"
#include "runtime/task/event_loops.h"
#include "runtime/task/in_flight.h"
#include "runtime/task/stop_signal.h"
#include "runtime/task/supervisor.h"
#include "runtime/transport/framed_server.h"
#include "runtime/work/telemetry.h"
#include "runtime/work/work_dispatcher.h"
#include "runtime/work/worker_pool.h"

#include <atomic>
#include <memory>
#include <string>
#include <vector>

namespace hyperscale::node {

namespace asio = boost::asio;
class ClusterService;

struct ConfigChange {
  std::string reason;  // "SIGHUP", "file changed", "API"
};
struct IndexUpdate {
  std::uint64_t generation = 0;
};

// What the last reload did, for the status page.
struct ReloadReport {
  std::string reason;
  std::vector<std::string> applied;
  std::vector<std::string> refused;
  std::vector<std::string> errors;
};

struct NodeParts {
  NodeParts(const runtime::NodeConfig& config, runtime::ConfigInputs config_inputs,
            std::unique_ptr<runtime::Log> node_log);

  runtime::NodeCapacity capacity;
  runtime::ConfigInputs inputs;
  std::unique_ptr<runtime::Log> log;
  runtime::Metrics metrics;
  concurrent::SnapshotCell<runtime::NodeConfig> config;
  concurrent::SnapshotCell<ReloadReport> last_reload;
  std::atomic<std::uint64_t> config_version{1};
  const MonoTime started_at;

  runtime::EventLoops loops;
  runtime::BlockingPool blocking;

  runtime::Bus bus;
  runtime::WorkQueue work;
  runtime::TelemetryQueue telemetry;
  concurrent::BoundedQueue<ConfigChange> config_updates;
  concurrent::BoundedQueue<IndexUpdate> index_updates;
  runtime::StopSignal stop;
  runtime::StopSignal work_drained;
  runtime::ChannelRegistry channels;

  runtime::ReadinessBoard board;
  runtime::FacetSet facets;
  runtime::ResultCache results;
  runtime::TelemetrySink telemetry_sink;
  std::atomic<std::uint64_t> index_requested{0};
  std::atomic<std::uint64_t> index_generation{0};
  runtime::InFlight accepted_jobs;  // answered 202 and not yet settled
  SnowflakeGenerator job_ids;
  concurrent::RankedMutex job_ids_mutex{concurrent::LockRank::kCounters};

  runtime::WorkDispatcher dispatcher;
  std::shared_ptr<runtime::Supervisor> supervisor;
  runtime::HealthReporter health;
  Duration pre_drain_min{};  // what the longest pre-drain hook asks for; set before the node runs
  std::shared_ptr<runtime::DrainDriver> drain;
  std::unique_ptr<runtime::WorkerPool> workers;
  std::shared_ptr<runtime::HttpServer> api;
  std::shared_ptr<runtime::HttpServer> metrics_server;
  std::shared_ptr<runtime::FramedServer> transport;
  std::shared_ptr<ClusterService> cluster;  // null: the node is in no cluster

  std::shared_ptr<const runtime::NodeConfig> current() const { return config.load(); }

 private:
  void register_channels();
};

}  // namespace hyperscale::node
