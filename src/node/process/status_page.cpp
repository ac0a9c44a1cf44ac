#include "node/process/status_page.h"

#include "base/json_writer.h"
#include "node/process/build_info.h"
#include "node/process/node_parts.h"
#include "runtime/clock/clock.h"

#include <vector>

namespace hyperscale::node {
namespace {

void write_texts(JsonWriter& json, std::string_view name, const std::vector<std::string>& texts) {
  json.key(name);
  json.begin_array();
  for (const std::string& text : texts) json.value(text);
  json.end_array();
}

void write_services(JsonWriter& json, const NodeParts& parts) {
  json.key("services");
  json.begin_array();
  for (const auto& service : parts.supervisor->services(runtime::mono_now())) {
    json.begin_object();
    json.field("name", service.name);
    json.field("state", runtime::name(service.state));
    json.field("tasks", service.tasks);
    json.field("running", service.running);
    json.field("restarts", service.restarts);
    json.end_object();
  }
  json.end_array();
}

void write_channels(JsonWriter& json, const NodeParts& parts) {
  json.key("channels");
  json.begin_array();
  for (const auto& channel : parts.channels.channels()) {
    json.begin_object();
    json.field("name", channel.name);
    json.field("kind", channel.kind);
    json.field("capacity", channel.capacity);
    json.field("when_full", channel.when_full);
    if (channel.depth) json.field("depth", channel.depth());
    if (channel.dropped) json.field("dropped", channel.dropped());
    json.end_object();
  }
  json.end_array();
}

void write_config(JsonWriter& json, const NodeParts& parts) {
  const auto report = parts.settings.last_reload.load();
  json.key("config");
  json.begin_object();
  json.field("version", parts.settings.version.load());
  json.key("last_reload");
  json.begin_object();
  json.field("reason", report->reason);
  write_texts(json, "applied", report->applied);
  write_texts(json, "refused", report->refused);
  write_texts(json, "errors", report->errors);
  json.end_object();
  json.end_object();
}

}  // namespace

std::string status_json(const NodeParts& parts, const Roles& roles) {
  const runtime::Overall overall = parts.board.overall();
  const auto config = parts.current();
  JsonWriter json;
  json.begin_object(JsonWriter::Layout::kCompact);
  json.field("name", config->node.name);
  json.field("version", version_text());
  json.field("uptime_s", (runtime::mono_now() - parts.started_at) / 1s);
  json.field("state", overall.text());
  write_texts(json, "unmet", overall.unmet);
  json.field("amnesia", config->node.amnesia);
  json.field("threads", parts.loops.thread_count());
  write_services(json, parts);
  write_channels(json, parts);
  json.key("connections");
  json.begin_object();
  json.field("api", parts.servers.api->open_connections());
  json.field("transport", parts.servers.transport->open_connections());
  json.end_object();
  write_config(json, parts);
  for (const auto& role : roles) role->write_status(json);
  json.end_object();
  return json.take_text();
}

}  // namespace hyperscale::node
