#include "node/process/config_reloader.h"

#include "node/process/limits_from_config.h"
#include "runtime/channel/async_queue.h"
#include "runtime/clock/clock.h"
#include "runtime/config/config_diff.h"
#include "runtime/config/config_file.h"
#include "runtime/config/config_loader.h"

#include <algorithm>

#include <fmt/format.h>

namespace hyperscale::node {
namespace {

constexpr Duration kReadDeadline = 5s;

}  // namespace

asio::awaitable<void> ConfigReloader::run() {
  for (;;) {
    auto change = co_await runtime::async_pop(parts_.settings.updates);
    if (!change) co_return;
    co_await reload(std::move(change->reason));
  }
}

asio::awaitable<void> ConfigReloader::reload(std::string reason) {
  if (!parts_.settings.inputs.file_path) {
    parts_.log->warn("config", "{}: nothing to reload, the node was started without a configuration file", reason);
    parts_.settings.last_reload.store(ReloadReport{reason, {}, {}, {"started without a configuration file"}});
    co_return;
  }
  const std::string path = *parts_.settings.inputs.file_path;
  auto read = [path] { return runtime::read_config_file(path); };
  auto outcome =
      co_await parts_.blocking.run("read configuration", runtime::mono_now() + kReadDeadline, std::move(read));
  Result<std::string> text = outcome ? std::move(*outcome) : Result<std::string>(fail(outcome.error()));
  if (!text) {
    parts_.log->error("config", "{}: kept the running configuration: {}", reason, text.error().to_string());
    parts_.settings.last_reload.store(ReloadReport{reason, {}, {}, {text.error().to_string()}});
    co_return;
  }
  runtime::ConfigInputs inputs = parts_.settings.inputs;
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
  parts_.settings.last_reload.store(std::move(report));
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
  parts_.settings.config.store(next);
  apply_limits(next);
  for (const auto& role : roles_) role->reload(next, report);
  for (const auto& change : report.applied) parts_.log->info("config", "{}: applied {}", reason, change);
  for (const auto& change : report.refused)
    parts_.log->warn("config", "{}: refused {}, needs a restart", reason, change);
  if (diff.empty()) parts_.log->info("config", "{}: nothing changed", reason);
  // The version is published last: a reader of the new version finds its report.
  parts_.settings.last_reload.store(std::move(report));
  parts_.bus.publish(runtime::ConfigUpdatedEvent{++parts_.settings.version});
}

void ConfigReloader::leave_time_for(Duration pre_drain) {
  pre_drain_min_ = std::max(pre_drain_min_, pre_drain);
  parts_.drain->set_limits(drain_limits(*parts_.current(), pre_drain_min_));
}

void ConfigReloader::apply_limits(const runtime::NodeConfig& config) {
  parts_.log->set_level(*runtime::parse_log_level(config.log.level));
  parts_.servers.api->set_limits(api_limits(config));
  parts_.servers.metrics->set_limits(metrics_limits(config));
  parts_.servers.transport->set_limits(framed_limits(config));
  parts_.supervisor->set_limits(restart_limits(config));
  parts_.drain->set_limits(drain_limits(config, pre_drain_min_));
}

}  // namespace hyperscale::node
