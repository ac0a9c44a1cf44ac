#include "node/config_reloader.h"

#include "node/cluster/cluster_service.h"
#include "node/cluster/cluster_settings.h"
#include "node/limits_from_config.h"
#include "runtime/channel/async_queue.h"
#include "runtime/clock/clock.h"
#include "runtime/config/config_diff.h"
#include "runtime/config/config_file.h"
#include "runtime/config/config_loader.h"

#include <fmt/format.h>

namespace hyperscale::node {
namespace {

constexpr Duration kReadDeadline = 5s;

}  // namespace

asio::awaitable<void> ConfigReloader::run() {
  for (;;) {
    auto change = co_await runtime::async_pop(parts_.config_updates);
    if (!change) co_return;
    co_await reload(std::move(change->reason));
  }
}

asio::awaitable<void> ConfigReloader::reload(std::string reason) {
  if (!parts_.inputs.file_path) {
    parts_.log->warn("config", "{}: nothing to reload, the node was started without a configuration file", reason);
    parts_.last_reload.store(ReloadReport{reason, {}, {}, {"started without a configuration file"}});
    co_return;
  }
  const std::string path = *parts_.inputs.file_path;
  auto read = [path] { return runtime::read_config_file(path); };
  auto outcome =
      co_await parts_.blocking.run("read configuration", runtime::mono_now() + kReadDeadline, std::move(read));
  Result<std::string> text = outcome ? std::move(*outcome) : Result<std::string>(fail(outcome.error()));
  if (!text) {
    parts_.log->error("config", "{}: kept the running configuration: {}", reason, text.error().to_string());
    parts_.last_reload.store(ReloadReport{reason, {}, {}, {text.error().to_string()}});
    co_return;
  }
  runtime::ConfigInputs inputs = parts_.inputs;
  inputs.file_text = std::move(*text);
  const runtime::ConfigLoad load = runtime::load_config(inputs);
  if (load.ok()) {
    take_over(load.config, reason);
    co_return;
  }
  ReloadReport report{reason, {}, {}, {}};
  for (const auto& error : load.errors) {
    report.errors.push_back(error.to_string());
    parts_.log->error("config", "{}: kept the running configuration: {}", reason, error.to_string());
  }
  parts_.last_reload.store(std::move(report));
}

void ConfigReloader::take_over(const runtime::NodeConfig& wanted, const std::string& reason) {
  const auto running = parts_.current();
  const runtime::ConfigDiff diff = runtime::diff_configs(*running, wanted);
  ReloadReport report{reason, {}, {}, {}};
  for (const auto& change : diff.changes) {
    (change.live ? report.applied : report.refused)
        .push_back(fmt::format("{} {} -> {}", change.path, change.old_text, change.new_text));
  }
  const runtime::NodeConfig next = runtime::apply_live(*running, wanted);
  parts_.config.store(next);
  apply_limits(next);
  rotate_keys(next, report);
  for (const auto& change : report.applied) parts_.log->info("config", "{}: applied {}", reason, change);
  for (const auto& change : report.refused)
    parts_.log->warn("config", "{}: refused {}, needs a restart", reason, change);
  if (diff.empty()) parts_.log->info("config", "{}: nothing changed", reason);
  // The version comes last: whoever sees it finds the report that belongs to it.
  parts_.last_reload.store(std::move(report));
  parts_.bus.publish(runtime::ConfigUpdatedEvent{++parts_.config_version});
}

// Keys are in files, so they may have changed although the configuration has not.
void ConfigReloader::rotate_keys(const runtime::NodeConfig& config, ReloadReport& report) {
  if (!parts_.cluster || config.cluster.secret_file.empty()) return;
  auto keys = read_keyring(config.cluster);
  if (!keys) {
    report.errors.push_back(keys.error().context);
    parts_.log->error("config", "kept the running secrets: {}", keys.error().context);
    return;
  }
  parts_.cluster->rotate(std::move(*keys));
  parts_.log->info("config", "read the secrets of the cluster again");
}

void ConfigReloader::apply_limits(const runtime::NodeConfig& config) {
  parts_.log->set_level(*runtime::parse_log_level(config.log.level));
  parts_.api->set_limits(api_limits(config));
  parts_.metrics_server->set_limits(metrics_limits(config));
  parts_.transport->set_limits(framed_limits(config));
  parts_.supervisor->set_limits(restart_limits(config));
  parts_.dispatcher.set_limits(retry_limits(config), breaker_limits(config));
  parts_.facets.apply(config);
  parts_.drain->set_limits(drain_limits(config, parts_.pre_drain_min));
}

}  // namespace hyperscale::node
