#include "node/process/node_parts.h"

#include "node/process/limits_from_config.h"
#include "runtime/clock/clock.h"
#include "runtime/config/config_capacity.h"

#include <random>
#include <thread>
#include <utility>

namespace hyperscale::node {

using concurrent::Overflow;

std::uint64_t random_seed() {
  std::random_device device;
  return (std::uint64_t{device()} << 32) | device();
}

NodeSettings::NodeSettings(const runtime::NodeConfig& node_config, runtime::ConfigInputs config_inputs)
    : inputs(std::move(config_inputs)),
      config(std::make_shared<const runtime::NodeConfig>(node_config)),
      last_reload(std::make_shared<const ReloadReport>()),
      updates(node_config.queues.config_updates, Overflow::kCoalesce) {}

NodeParts::NodeParts(const runtime::NodeConfig& node_config, runtime::ConfigInputs config_inputs,
                     std::unique_ptr<runtime::Log> node_log)
    : settings(node_config, std::move(config_inputs)),
      log(std::move(node_log)),
      started_at(runtime::mono_now()),
      loops(resolve_capacity(node_config, std::thread::hardware_concurrency()).threads),
      blocking(resolve_capacity(node_config, std::thread::hardware_concurrency()).blocking_threads,
               node_config.blocking_pool.queue),
      bus(node_config.queues.bus),
      board(metrics),
      supervisor(std::make_shared<runtime::Supervisor>(
          runtime::Supervisor::Surroundings{metrics, *log, bus, stop.token(), [this] { return loops.make_strand(); }},
          restart_limits(node_config), Prng(random_seed()))),
      health(*supervisor, board, bus, [this] { return current()->health.period; }) {
  register_channels();
}

void NodeParts::register_channels() {
  channels.add({"bus", "fan-out", bus.capacity(), "oldest lost to the slow receiver", {}, {}});
  channels.add({"shutdown", "last value", 1, "overwritten", {}, {}});
  channels.add_queue("cfg_updates", settings.updates);
  channels.add({"blocking", "queue", current()->blocking_pool.queue, "reject new", [this] { return blocking.queued(); },
                [] { return std::uint64_t{0}; }});
  channels.add({"log", "queue", runtime::kLogQueueMax, "drop oldest", {}, [this] { return log->dropped(); }});
  metrics.on_scrape([this, coalesced = std::uint64_t{0}]() mutable {
    channels.sample(metrics);
    const std::uint64_t now = settings.updates.counts().coalesced;
    metrics.add(runtime::Counter::kConfigCoalesced, "", static_cast<double>(now - std::exchange(coalesced, now)));
  });
}

}  // namespace hyperscale::node
