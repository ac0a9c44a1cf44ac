#include "apps/hyperscale/ping/ping_text.h"

#include "base/json_writer.h"
#include "base/number_text.h"
#include "base/terminal_text.h"

#include <algorithm>
#include <array>
#include <vector>

#include <fmt/format.h>

namespace hyperscale::app {
namespace {

constexpr std::size_t kNameCells = 14;
constexpr std::size_t kTimeCells = 10;
constexpr std::size_t kGreetingCellsMax = 200;

struct Spread {
  Duration min{};
  Duration median{};
  Duration max{};
};

struct Phase {
  std::string_view name;
  std::string_view key;
  std::optional<Duration> (*time)(const PingOutcome&);
};

constexpr std::array<Phase, 4> kPhases = {{
    {"name lookup", "lookup_ms", [](const PingOutcome& one) { return one.lookup; }},
    {"connect", "connect_ms", [](const PingOutcome& one) { return one.connect; }},
    {"greeting", "greeting_ms", [](const PingOutcome& one) { return one.greeting; }},
    {"total", "total_ms", [](const PingOutcome& one) { return std::optional(one.total); }},
}};

// Times of failed pings are not comparable: they count only if no ping succeeded.
std::optional<Spread> spread_of(const Phase& phase, std::span<const PingOutcome> outcomes) {
  const bool any_ok = std::ranges::any_of(outcomes, &PingOutcome::ok);
  std::vector<Duration> times;
  for (const PingOutcome& outcome : outcomes) {
    const auto time = phase.time(outcome);
    if (time && outcome.ok() == any_ok) times.push_back(*time);
  }
  if (times.empty()) return std::nullopt;
  std::ranges::sort(times);
  const std::size_t middle = times.size() / 2;
  const Duration median = times.size() % 2 == 1 ? times[middle] : (times[middle - 1] + times[middle]) / 2;
  return Spread{times.front(), median, times.back()};
}

const PingOutcome& last_reached(std::span<const PingOutcome> outcomes) {
  for (std::size_t i = outcomes.size(); i > 0; --i) {
    if (outcomes[i - 1].endpoint) return outcomes[i - 1];
  }
  return outcomes.back();
}

const PingOutcome* last_failed(std::span<const PingOutcome> outcomes) {
  for (std::size_t i = outcomes.size(); i > 0; --i) {
    if (!outcomes[i - 1].ok()) return &outcomes[i - 1];
  }
  return nullptr;
}

std::string place_text(const std::string& host, std::uint16_t port) {
  return host.find(':') == std::string::npos ? fmt::format("{}:{}", host, port) : fmt::format("[{}]:{}", host, port);
}

std::string safe(std::string_view foreign, Glyphs glyphs) {
  return cut(visible(foreign, glyphs), kGreetingCellsMax, glyphs);
}

std::string phase_lines(std::span<const PingOutcome> outcomes, Glyphs glyphs) {
  const auto cell = [&](Duration time) { return right(latency_text(time, glyphs), kTimeCells); };
  std::string text;
  if (outcomes.size() > 1) {
    text += fmt::format("  {}{}{}{}\n", left("", kNameCells), right("min", kTimeCells), right("median", kTimeCells),
                        right("max", kTimeCells));
  }
  for (const Phase& phase : kPhases) {
    const auto spread = spread_of(phase, outcomes);
    // An IP literal needs no lookup.
    if (!spread || spread->max == Duration::zero()) continue;
    text += fmt::format("  {}{}", left(phase.name, kNameCells), cell(spread->min));
    if (outcomes.size() > 1) text += cell(spread->median) + cell(spread->max);
    text += '\n';
  }
  return text;
}

std::string endpoint_lines(const node::LookedUpEndpoint& endpoint, Glyphs glyphs) {
  std::string text;
  const auto fact = [&](std::string_view name, std::string_view value) {
    text += fmt::format("  {}{}\n", left(name, kNameCells), safe(value, glyphs));
  };
  fact("address", place_text(endpoint.address, endpoint.port));
  fact("family", plan::name(endpoint.family));
  fact("transport", plan::name(endpoint.transport));
  if (endpoint.exchanger) {
    fact("exchanger", fmt::format("{}, preference {}", endpoint.exchanger->name, endpoint.exchanger->preference));
  }
  return text;
}

void json_text_or_null(JsonWriter& json, std::string_view key, std::string_view foreign) {
  json.key(key);
  if (foreign.empty()) return json.null();
  json.value(safe(foreign, Glyphs::kUnicode));
}

void json_endpoint(JsonWriter& json, const std::optional<node::LookedUpEndpoint>& endpoint) {
  json_text_or_null(json, "address", endpoint ? endpoint->address : "");
  json_text_or_null(json, "family", endpoint ? plan::name(endpoint->family) : "");
  json_text_or_null(json, "transport", endpoint ? plan::name(endpoint->transport) : "");
  json.key("exchanger");
  if (!endpoint || !endpoint->exchanger) return json.null();
  json.begin_object();
  json.field("name", std::string_view(safe(endpoint->exchanger->name, Glyphs::kUnicode)));
  json.field("preference", std::uint32_t{endpoint->exchanger->preference});
  json.end_object();
}

}  // namespace

std::string ping_text(const Ping& ping, std::span<const PingOutcome> outcomes, Glyphs glyphs) {
  const PingOutcome& shown = last_reached(outcomes);
  const auto answered = std::ranges::count_if(outcomes, &PingOutcome::ok);
  std::string text = fmt::format("> {} {}\n", plan::name(ping.kind), place_text(ping.host, ping.port));
  if (!shown.greeting_line.empty()) text += fmt::format("< {}\n", safe(shown.greeting_line, glyphs));
  if (outcomes.size() > 1) text += fmt::format("\n{} of {} answered\n", answered, outcomes.size());
  if (const PingOutcome* failed = last_failed(outcomes); failed != nullptr) {
    text += fmt::format("\nfailed: {}\n", visible(failed->error, glyphs));
  }
  text += "\n" + phase_lines(outcomes, glyphs);
  if (shown.endpoint) text += endpoint_lines(*shown.endpoint, glyphs);
  return text;
}

std::string ping_json(const Ping& ping, std::span<const PingOutcome> outcomes) {
  const PingOutcome& shown = last_reached(outcomes);
  const auto answered = static_cast<std::uint64_t>(std::ranges::count_if(outcomes, &PingOutcome::ok));
  const PingOutcome* failed = last_failed(outcomes);
  JsonWriter json;
  json.begin_object(JsonWriter::Layout::kInline);
  json.field("kind", plan::name(ping.kind));
  json.field("host", std::string_view(ping.host));
  json.field("port", std::uint32_t{ping.port});
  json.field("ok", failed == nullptr);
  json.field("pings", std::uint64_t{outcomes.size()});
  json.field("answered", answered);
  json_text_or_null(json, "error", failed == nullptr ? "" : failed->error);
  json_endpoint(json, shown.endpoint);
  json_text_or_null(json, "greeting", shown.greeting_line);
  for (const Phase& phase : kPhases) {
    json.key(phase.key);
    const auto spread = spread_of(phase, outcomes);
    if (!spread) {
      json.null();
      continue;
    }
    json.begin_object();
    json.key("min");
    json.milliseconds(spread->min);
    json.key("median");
    json.milliseconds(spread->median);
    json.key("max");
    json.milliseconds(spread->max);
    json.end_object();
  }
  json.end_object();
  return json.take();
}

}  // namespace hyperscale::app
