#include "node/compute/compute_role.h"

#include "base/json_writer.h"
#include "node/compute/compute_routes.h"
#include "node/process/limits_from_config.h"
#include "node/process/node_parts.h"
#include "runtime/channel/async_queue.h"
#include "runtime/config/config_capacity.h"

#include <thread>
#include <utility>

#include <fmt/format.h>

namespace hyperscale::node {
namespace {

using concurrent::Overflow;

// Any number is correct as long as nodes do not share jobs.
constexpr std::uint16_t kNodeNumber = 1;

}  // namespace

ComputeParts::ComputeParts(NodeParts& node_parts)
    : node(node_parts),
      worker_count(resolve_capacity(*node.current(), std::thread::hardware_concurrency()).workers),
      work(node.current()->queues.work, Overflow::kReject),
      telemetry(node.current()->queues.telemetry, Overflow::kDropOldest),
      index_updates(node.current()->queues.index_updates, Overflow::kCoalesce),
      facets(*node.current(), std::thread::hardware_concurrency(), node.metrics),
      results(runtime::ResultCacheLimits{}),
      job_ids(kNodeNumber),
      dispatcher(work, node.metrics, retry_limits(*node.current()), breaker_limits(*node.current()),
                 Prng(random_seed())) {
  node.channels.add_queue("work", work);
  node.channels.add_queue("telemetry", telemetry);
  node.channels.add_queue("index_updates", index_updates);
}

ComputeRole::ComputeRole(NodeParts& parts)
    : parts_(parts), workers_(parts_.work, parts_.telemetry, parts.blocking, parts.metrics, [this] { on_drained(); }) {}

void ComputeRole::add_routes(runtime::Router& api) {
  add_compute_routes(api, parts_);
}

std::vector<FrameMethod> ComputeRole::frame_methods() {
  return compute_methods(parts_);
}

std::vector<std::string> ComputeRole::add_services(runtime::ReadinessBoard& board) {
  board.add_service("worker_pool");
  return {"worker_pool"};
}

void ComputeRole::start_tasks(runtime::Supervisor& supervisor) {
  for (unsigned i = 0; i < parts_.worker_count; ++i) {
    supervisor.start({.name = fmt::format("worker-{}", i),
                      .service = "worker_pool",
                      .body = [this] { return workers_.work(); },
                      .needed_to_drain = true});
  }
  supervisor.start({.name = "telemetry", .service = "telemetry", .body = [this] {
                      return parts_.telemetry_sink.run(parts_.telemetry, *parts_.node.log);
                    }});
  supervisor.start({.name = "indexer", .service = "indexer", .body = [this] { return apply_index_updates(); }});
}

std::string ComputeRole::up_text() const {
  return fmt::format("workers={}", parts_.worker_count);
}

void ComputeRole::write_status(JsonWriter& json) const {
  json.key("facets");
  json.begin_array();
  for (const auto& facet : parts_.facets.snapshot()) {
    json.begin_object();
    json.field("name", facet.name);
    json.field("cap", facet.cap);
    json.field("inflight", facet.inflight);
    json.field("busy_total", facet.busy_total);
    json.field("deadline_timeouts_total", facet.deadline_timeouts_total);
    json.end_object();
  }
  json.end_array();
  json.key("jobs");
  json.begin_object();
  for (const auto& [kind, figures] : parts_.telemetry_sink.figures()) {
    json.key(kind);
    json.begin_object();
    json.field("done", figures.done);
    json.field("failed", figures.failed);
    json.field("longest_ms", figures.longest / 1ms);
    json.end_object();
  }
  json.end_object();
  json.field("accepted_jobs_running", parts_.accepted_jobs.count());
  json.field("index_generation", parts_.index_generation.load());
}

void ComputeRole::reload(const runtime::NodeConfig& config, ReloadReport&) {
  parts_.dispatcher.set_limits(retry_limits(config), breaker_limits(config));
  parts_.facets.apply(config);
}

void ComputeRole::stop() {
  parts_.index_updates.close();
}

void ComputeRole::drain(std::function<void()> done) {
  drained_ = std::move(done);
  parts_.work.close();
}

// Called by the last worker that finds the closed queue empty.
void ComputeRole::on_drained() {
  parts_.telemetry.close();
  drained_();
}

void ComputeRole::end_drain() {
  parts_.telemetry.close();
}

asio::awaitable<void> ComputeRole::settle() {
  co_await parts_.accepted_jobs.wait_idle(MonoTime::max());
}

void ComputeRole::forget() {
  parts_.results.clear();
}

asio::awaitable<void> ComputeRole::apply_index_updates() {
  for (;;) {
    const auto update = co_await runtime::async_pop(parts_.index_updates);
    if (!update) co_return;
    parts_.index_generation = update->generation;
  }
}

}  // namespace hyperscale::node
