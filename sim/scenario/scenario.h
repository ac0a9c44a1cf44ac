// Scenario: a named situation as data: machines, network, faults, and the expectations with their times.
//
// Plain values. The swarm generates one from a seed, files under sim/scenarios contain handwritten ones; the same code
// runs both.
#pragma once

#include "base/result.h"
#include "base/time.h"
#include "sim/engine/host.h"
#include "sim/engine/link_conditions.h"
#include "sim/engine/settings.h"
#include "sim/scenario/fault.h"
#include "sim/scenario/target.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hyperscale::sim {

inline constexpr std::uint32_t kHostsMax = 5'000;

// gate1.., dc1-manager1.., dc1-worker1..; labels: all, gates, managers, workers, dc1...
struct Topology {
  std::uint32_t gates = 3;
  std::uint32_t datacenters = 2;
  std::uint32_t managers = 3;  // in each datacenter
  std::uint32_t workers = 4;   // in each datacenter

  std::uint32_t size() const { return gates + datacenters * (managers + workers); }
  bool operator==(const Topology&) const = default;
};

// "gates=3,dcs=2,managers=3,workers=4", any subset; missing ones keep their values.
Result<Topology> parse_topology(std::string_view text, Topology base);
// In the order of their names.
std::vector<HostSpec> hosts_of(const Topology& topology);
// Every name and label, for parse_targets.
std::vector<std::string> labels_of(const std::vector<HostSpec>& hosts);

enum class ExpectKind : std::uint8_t {
  kSettled,       // all live nodes see each other alive, and each group with a majority has one leader
  kOneLeader,     // in each group that has targets
  kNoLeader,      // no target acts as leader
  kKnownDead,     // all watchers see the targets as dead
  kNoFalseDeath,  // no running machine was declared dead since `since`
  kLeaderKept,    // no target became leader since `since`
  kLeaderChanged  // a target became leader since `since`
};

std::span<const std::string_view> expect_names();  // in the order of the kinds

struct Expectation {
  Duration at{0};
  ExpectKind kind = ExpectKind::kSettled;
  Targets targets = {};  // empty: all
  Duration since{0};
};

// The insert position for this time: after all entries at the same time or earlier.
template <typename Timed>
void insert_by_time(std::vector<Timed>& all, Timed one) {
  const auto later = std::ranges::upper_bound(all, one.at, {}, &Timed::at);
  all.insert(later, std::move(one));
}

struct Scenario {
  std::string name;
  std::string about;
  Duration time = 10min;
  Topology topology;
  NetworkSetup network;
  Settings settings;
  std::vector<Fault> faults;  // ordered by time, as expectations are
  std::vector<Expectation> expectations;
};

}  // namespace hyperscale::sim
