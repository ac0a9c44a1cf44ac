// ComputeRole: the compute demo of a node: echo and hash jobs under the permits of six facets, run at once or accepted
// for later, through one bounded queue to a pool of workers; a cache of results, and an index generation.
//
// It exercises every guarantee of the runtime and is used by its tests; a fleet does not need it. Life and threads:
// role.h; the figures for tests are safe from any thread.
#pragma once

#include "base/snowflake.h"
#include "concurrent/bounded_queue.h"
#include "concurrent/ranked_mutex.h"
#include "node/process/role.h"
#include "runtime/cache/result_cache.h"
#include "runtime/facet/facet_set.h"
#include "runtime/task/in_flight.h"
#include "runtime/work/telemetry.h"
#include "runtime/work/work_dispatcher.h"
#include "runtime/work/worker_pool.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace hyperscale::node {

struct IndexUpdate {
  std::uint64_t generation = 0;
};

// State that the jobs of the demo share.
struct ComputeParts {
  explicit ComputeParts(NodeParts& node_parts);

  NodeParts& node;
  const unsigned worker_count;
  runtime::WorkQueue work;
  runtime::TelemetryQueue telemetry;
  concurrent::BoundedQueue<IndexUpdate> index_updates;
  runtime::FacetSet facets;
  runtime::ResultCache results;
  runtime::TelemetrySink telemetry_sink;
  std::atomic<std::uint64_t> index_requested{0};
  std::atomic<std::uint64_t> index_generation{0};
  runtime::InFlight accepted_jobs;  // answered 202, not yet finished
  SnowflakeGenerator job_ids;
  concurrent::RankedMutex job_ids_mutex{concurrent::LockRank::kCounters};
  runtime::WorkDispatcher dispatcher;
};

class ComputeRole final : public Role {
 public:
  explicit ComputeRole(NodeParts& parts);

  void add_routes(runtime::Router& api) override;
  std::vector<FrameMethod> frame_methods() override;
  std::vector<std::string> add_services(runtime::ReadinessBoard& board) override;
  void start_tasks(runtime::Supervisor& supervisor) override;
  std::string up_text() const override;
  void write_status(JsonWriter& json) const override;
  void reload(const runtime::NodeConfig& config, ReloadReport& report) override;
  void stop() override;
  void drain(std::function<void()> done) override;
  void end_drain() override;
  asio::awaitable<void> settle() override;
  void forget() override;

  ComputeParts& parts() { return parts_; }

 private:
  asio::awaitable<void> apply_index_updates();
  void on_drained();

  ComputeParts parts_;
  std::function<void()> drained_;  // set before the queue is closed
  runtime::WorkerPool workers_;
};

}  // namespace hyperscale::node
