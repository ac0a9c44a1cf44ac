#include "node/node_parts.h"

#include "node/limits_from_config.h"
#include "runtime/clock/clock.h"

#include <random>
#include <thread>

namespace hyperscale::node {
namespace {

using concurrent::Overflow;

std::uint64_t random_seed() {
  std::random_device device;
  return (std::uint64_t{device()} << 32) | device();
}

// Ids need to differ between the nodes of one fleet only from the day that nodes share jobs; until then any number will
// do.
constexpr std::uint16_t kNodeNumber = 1;

}  // namespace

NodeParts::NodeParts(const runtime::NodeConfig& node_config, runtime::ConfigInputs config_inputs,
                     std::unique_ptr<runtime::Log> node_log)
    : capacity(resolve_capacity(node_config, std::thread::hardware_concurrency())),
      inputs(std::move(config_inputs)),
      log(std::move(node_log)),
      config(std::make_shared<const runtime::NodeConfig>(node_config)),
      last_reload(std::make_shared<const ReloadReport>()),
      started_at(runtime::mono_now()),
      loops(capacity.threads),
      blocking(capacity.blocking_threads, node_config.blocking_pool.queue),
      bus(node_config.queues.bus),
      work(node_config.queues.work, Overflow::kReject),
      telemetry(node_config.queues.telemetry, Overflow::kDropOldest),
      config_updates(node_config.queues.config_updates, Overflow::kCoalesce),
      index_updates(node_config.queues.index_updates, Overflow::kCoalesce),
      board(metrics),
      facets(node_config, std::thread::hardware_concurrency(), metrics),
      results(runtime::ResultCacheLimits{}),
      job_ids(kNodeNumber),
      dispatcher(work, metrics, retry_limits(node_config), breaker_limits(node_config), Prng(random_seed())),
      supervisor(std::make_shared<runtime::Supervisor>(
          runtime::Supervisor::Surroundings{metrics, *log, bus, stop.token(), [this] { return loops.make_strand(); }},
          restart_limits(node_config), Prng(random_seed()))),
      health(*supervisor, board, bus, [this] { return current()->health.period; }) {
  register_channels();
}

void NodeParts::register_channels() {
  channels.add({"bus", "fan-out", bus.capacity(), "oldest lost to the slow receiver", {}, {}});
  channels.add_queue("work", work);
  channels.add({"shutdown", "last value", 1, "overwritten", {}, {}});
  channels.add_queue("cfg_updates", config_updates);
  channels.add_queue("telemetry", telemetry);
  channels.add_queue("index_updates", index_updates);
  channels.add({"blocking", "queue", current()->blocking_pool.queue, "reject new", [this] { return blocking.queued(); },
                [] { return std::uint64_t{0}; }});
  channels.add({"log", "queue", runtime::kLogQueueMax, "drop oldest", {}, [this] { return log->dropped(); }});
  metrics.on_scrape([this, coalesced = std::uint64_t{0}]() mutable {
    channels.sample(metrics);
    const std::uint64_t now = config_updates.counts().coalesced;
    metrics.add(runtime::Counter::kConfigCoalesced, "", static_cast<double>(now - std::exchange(coalesced, now)));
  });
}

}  // namespace hyperscale::node
