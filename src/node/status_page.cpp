#include "node/status_page.h"

#include "node/build_info.h"
#include "node/node_parts.h"
#include "runtime/clock/clock.h"

#include <nlohmann/json.hpp>

namespace hyperscale::node {
namespace {

using nlohmann::json;

json services_json(const NodeParts& parts) {
  json all = json::array();
  for (const auto& service : parts.supervisor->services(runtime::mono_now())) {
    all.push_back({{"name", service.name},
                   {"state", runtime::name(service.state)},
                   {"tasks", service.tasks},
                   {"running", service.running},
                   {"restarts", service.restarts}});
  }
  return all;
}

json channels_json(const NodeParts& parts) {
  json all = json::array();
  for (const auto& channel : parts.channels.channels()) {
    json row{{"name", channel.name},
             {"kind", channel.kind},
             {"capacity", channel.capacity},
             {"when_full", channel.when_full}};
    if (channel.depth) row["depth"] = channel.depth();
    if (channel.dropped) row["dropped"] = channel.dropped();
    all.push_back(std::move(row));
  }
  return all;
}

json facets_json(const NodeParts& parts) {
  json all = json::array();
  for (const auto& facet : parts.facets.snapshot()) {
    all.push_back({{"name", facet.name},
                   {"cap", facet.cap},
                   {"inflight", facet.inflight},
                   {"busy_total", facet.busy_total},
                   {"deadline_timeouts_total", facet.deadline_timeouts_total}});
  }
  return all;
}

json jobs_json(const NodeParts& parts) {
  json all = json::object();
  for (const auto& [kind, figures] : parts.telemetry_sink.figures()) {
    all[kind] = {{"done", figures.done}, {"failed", figures.failed}, {"longest_ms", figures.longest / 1ms}};
  }
  return all;
}

json config_json(const NodeParts& parts) {
  const auto report = parts.last_reload.load();
  return {{"version", parts.config_version.load()},
          {"last_reload",
           {{"reason", report->reason},
            {"applied", report->applied},
            {"refused", report->refused},
            {"errors", report->errors}}}};
}

}  // namespace

std::string status_json(const NodeParts& parts) {
  const runtime::Overall overall = parts.board.overall();
  const auto config = parts.current();
  const json body{
      {"name", config->node.name},
      {"version", version_text()},
      {"uptime_s", (runtime::mono_now() - parts.started_at) / 1s},
      {"state", overall.text()},
      {"unmet", overall.unmet},
      {"amnesia", config->node.amnesia},
      {"threads", parts.loops.thread_count()},
      {"services", services_json(parts)},
      {"channels", channels_json(parts)},
      {"facets", facets_json(parts)},
      {"jobs", jobs_json(parts)},
      {"accepted_jobs_running", parts.accepted_jobs.count()},
      {"index_generation", parts.index_generation.load()},
      {"connections", {{"api", parts.api->open_connections()}, {"transport", parts.transport->open_connections()}}},
      {"config", config_json(parts)}};
  return body.dump();
}

}  // namespace hyperscale::node
