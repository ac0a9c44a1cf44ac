// Measures how a cluster of N scales: the time until a death is known to the first and to all, and the cost of
// membership per node. One row per N, for docs/performance.md.
//
// Any thread; virtual time, so the figures do not depend on the machine.
#pragma once

#include "sim/scenario/scenario.h"
#include "sim/scenario/system.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hyperscale::sim {

// A system that also records which nodes detected a death, and when.
class ScaleSystem : public System {
 public:
  virtual std::vector<SimTime> deaths_told(HostId member) const = 0;
  virtual std::size_t watchers(HostId member) const = 0;
};

using ScaleSystemMaker = std::function<std::unique_ptr<ScaleSystem>(const Scenario& scenario, std::uint64_t seed)>;

struct ScaleRow {
  std::uint32_t nodes = 0;
  std::uint32_t deaths = 0;  // measured
  Duration first_knows{0};   // median over the deaths
  Duration all_know{0};      // median
  Duration all_know_worst{0};
  double bytes_per_node_second = 0;  // sent, without faults
  double packets_per_node_second = 0;
  Duration joined_after{0};  // until every node saw every other one
  std::optional<std::string> problem;
};

// Called with the progress, every few virtual seconds.
using ScaleProgress = std::function<void(std::string_view phase, SimTime now)>;

// Three gates, three managers and N - 6 workers in one datacenter.
ScaleRow measure_scale(std::uint32_t nodes, std::uint64_t seed, const ScaleSystemMaker& maker,
                       const std::atomic<bool>* stop, const ScaleProgress& progress = nullptr);
std::string scale_table(const std::vector<ScaleRow>& rows);

}  // namespace hyperscale::sim
