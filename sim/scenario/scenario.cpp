#include "sim/scenario/scenario.h"

#include "base/nearest_match.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <set>

#include <fmt/format.h>

namespace hyperscale::sim {
namespace {

constexpr std::array<std::string_view, 7> kExpectNames{"settled",        "one_leader",  "no_leader",     "known_dead",
                                                       "no_false_death", "leader_kept", "leader_changed"};

struct TopologyField {
  std::string name;
  std::uint32_t Topology::* field;
};

const std::array<TopologyField, 4>& topology_fields() {
  static const std::array<TopologyField, 4> fields{{{"gates", &Topology::gates},
                                                    {"dcs", &Topology::datacenters},
                                                    {"managers", &Topology::managers},
                                                    {"workers", &Topology::workers}}};
  return fields;
}

Status set_field(std::string_view part, Topology& topology) {
  const std::size_t equals = part.find('=');
  const std::string name(part.substr(0, equals));
  std::vector<std::string> known;
  for (const TopologyField& each : topology_fields()) {
    known.push_back(each.name);
    if (each.name != name || equals == std::string_view::npos) continue;
    const std::string_view number = part.substr(equals + 1);
    std::uint32_t value = 0;
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
    if (error == std::errc() && end == number.data() + number.size() && value <= kHostsMax) {
      topology.*each.field = value;
      return {};
    }
    return fail(ErrorCode::kInvalidArgument, fmt::format("'{}' is not a number from 0 to {}", number, kHostsMax));
  }
  const auto close = nearest_match(name, known);
  return fail(ErrorCode::kInvalidArgument,
              fmt::format("'{}' is not understood{}; write such as gates=3,dcs=2,managers=3,workers=4", part,
                          close ? fmt::format("; did you mean '{}'?", *close) : std::string()));
}

}  // namespace

Result<Topology> parse_topology(std::string_view text, Topology base) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(','), text.size());
    if (auto set = set_field(text.substr(0, end), base); !set) return fail(set.error());
    text.remove_prefix(std::min(text.size(), end + 1));
  }
  if (base.size() == 0 || base.size() > kHostsMax) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{} machines; 1 to {} can be simulated", base.size(), kHostsMax));
  }
  return base;
}

// Each datacenter is a site; the gates form another.
std::vector<HostSpec> hosts_of(const Topology& topology) {
  std::vector<HostSpec> hosts;
  for (std::uint32_t i = 1; i <= topology.gates; ++i) {
    hosts.push_back({.name = fmt::format("gate{}", i), .labels = {"gates"}, .site = 0});
  }
  for (std::uint32_t dc = 1; dc <= topology.datacenters; ++dc) {
    const std::string name = fmt::format("dc{}", dc);
    for (std::uint32_t i = 1; i <= topology.managers; ++i) {
      hosts.push_back({.name = fmt::format("{}-manager{}", name, i), .labels = {"managers", name}, .site = dc});
    }
    for (std::uint32_t i = 1; i <= topology.workers; ++i) {
      hosts.push_back({.name = fmt::format("{}-worker{}", name, i), .labels = {"workers", name}, .site = dc});
    }
  }
  std::ranges::sort(hosts, {}, &HostSpec::name);
  return hosts;
}

std::vector<std::string> labels_of(const std::vector<HostSpec>& hosts) {
  std::set<std::string> all{std::string(kAllLabel)};
  for (const HostSpec& host : hosts) {
    all.insert(host.name);
    all.insert(host.labels.begin(), host.labels.end());
  }
  return {all.begin(), all.end()};
}

std::span<const std::string_view> expect_names() {
  return kExpectNames;
}

}  // namespace hyperscale::sim
