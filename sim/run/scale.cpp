#include "sim/run/scale.h"

#include "base/append_format.h"
#include "base/number_text.h"
#include "sim/run/simulation.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace hyperscale::sim {
namespace {

constexpr std::uint32_t kDeaths = 5;
constexpr std::uint32_t kFixedNodes = 6;
constexpr Duration kJoinMax = 300s;
constexpr Duration kSlice = 1s;
constexpr Duration kPeace = 60s;
constexpr Duration kDetectMax = 120s;

Duration median(std::vector<Duration> values) {
  if (values.empty()) return 0s;
  std::ranges::sort(values);
  return values[values.size() / 2];
}

class Measurement {
 public:
  Measurement(std::uint32_t nodes, std::uint64_t seed, const ScaleSystemMaker& maker, const std::atomic<bool>* stop,
              const ScaleProgress& progress)
      : stop_(stop),
        progress_(progress),
        scenario_(scenario_of(nodes)),
        system_(maker(scenario_, seed)),
        world_(world_setup(scenario_, seed), hosts_of(scenario_.topology), *system_, *system_),
        prng_(world_.stream("scale")) {
    row_.nodes = nodes;
    system_->attach(world_);
    prepare(world_, scenario_);
  }

  ScaleRow run() {
    if (join() && peace()) {
      for (std::uint32_t i = 0; i < kDeaths && !row_.problem; ++i) one_death();
    }
    if (world_.violation()) row_.problem = world_.violation()->checker + ": " + world_.violation()->what;
    row_.deaths = static_cast<std::uint32_t>(all_.size());
    row_.first_knows = median(first_);
    row_.all_know = median(all_);
    row_.all_know_worst = all_.empty() ? 0s : *std::ranges::max_element(all_);
    return std::move(row_);
  }

 private:
  static Scenario scenario_of(std::uint32_t nodes) {
    Scenario scenario;
    scenario.topology = {
        .gates = 3, .datacenters = 1, .managers = 3, .workers = std::max(nodes, kFixedNodes + 1) - kFixedNodes};
    scenario.settings.set("start_spread_ms", 5'000);
    scenario.settings.set("silent_machines", 1);  // the machine dies with the process: no refusal reveals it
    return scenario;
  }

  bool advance(Duration by, std::string_view phase) {
    const SimTime end = world_.now() + by;
    while (world_.now() < end && !world_.violation() && !row_.problem) {
      world_.run_until(std::min(end, world_.now() + kSlice));
      if (progress_) progress_(phase, world_.now());
      if (stop_ != nullptr && stop_->load()) row_.problem = "stopped";
    }
    return !world_.violation() && !row_.problem;
  }

  bool settle(std::string_view phase) {
    const Expectation settled{.kind = ExpectKind::kSettled};
    const SimTime end = world_.now() + kJoinMax;
    std::optional<std::string> unmet = "not begun";
    while (unmet && world_.now() < end) {
      if (!advance(5s, phase)) return false;
      unmet = system_->unmet(settled, {});
    }
    if (unmet) row_.problem = fmt::format("did not settle within {} s: {}", kJoinMax / 1s, *unmet);
    return !unmet;
  }

  bool join() {
    const bool settled = settle("joining");
    row_.joined_after = world_.now() - SimTime();
    return settled;
  }

  bool peace() {
    // First lets the gossip caused by joining drain.
    if (!advance(kPeace / 2, "calming down")) return false;
    const NetworkCounters before = world_.network().counters();
    if (!advance(kPeace, "measuring peace")) return false;
    const NetworkCounters& after = world_.network().counters();
    const double node_seconds = static_cast<double>(world_.size()) * static_cast<double>(kPeace / 1s);
    row_.bytes_per_node_second = static_cast<double>(after.sent_bytes - before.sent_bytes) / node_seconds;
    row_.packets_per_node_second = static_cast<double>(after.sent - before.sent) / node_seconds;
    return true;
  }

  void one_death() {
    std::vector<HostId> workers;
    for (HostId id = 0; id < world_.size(); ++id) {
      const HostSpec& spec = world_.host(id).spec;
      if (world_.host(id).running() && std::ranges::find(spec.labels, "workers") != spec.labels.end())
        workers.push_back(id);
    }
    if (workers.empty()) return;
    const HostId victim = workers[prng_.below(workers.size())];
    const std::size_t before = system_->deaths_told(victim).size();
    world_.crash(victim);
    const SimTime died = world_.now();
    const std::size_t watchers = system_->watchers(victim);
    std::vector<SimTime> told;
    while (world_.now() < died + kDetectMax && told.size() < before + watchers) {
      if (!advance(kSlice, "a death")) return;
      told = system_->deaths_told(victim);
    }
    if (told.size() < before + watchers) {
      row_.problem =
          fmt::format("{} of {} learnt of a death within {} s", told.size() - before, watchers, kDetectMax / 1s);
      return;
    }
    std::ranges::sort(told);
    first_.push_back(told[before] - died);
    all_.push_back(told.back() - died);
    world_.start(victim);
    settle("a return");  // a node that has not met the next victim yet could not miss it
  }

  const std::atomic<bool>* stop_;
  const ScaleProgress& progress_;
  Scenario scenario_;
  std::unique_ptr<ScaleSystem> system_;
  World world_;
  Prng prng_;
  ScaleRow row_;
  std::vector<Duration> first_;
  std::vector<Duration> all_;
};

}  // namespace

ScaleRow measure_scale(std::uint32_t nodes, std::uint64_t seed, const ScaleSystemMaker& maker,
                       const std::atomic<bool>* stop, const ScaleProgress& progress) {
  return Measurement(nodes, seed, maker, stop, progress).run();
}

std::string scale_table(const std::vector<ScaleRow>& rows) {
  std::string text =
      "| nodes | all joined after | first knows | all know | worst | sent per node | packets per node |\n"
      "|---:|---:|---:|---:|---:|---:|---:|\n";
  for (const ScaleRow& row : rows) {
    append_format(text, "| {} | {} | {} | {} | {} | {} | {} |{}\n", row.nodes, short_latency_text(row.joined_after),
                  latency_text(row.first_knows), latency_text(row.all_know), latency_text(row.all_know_worst),
                  bytes_per_second_text(row.bytes_per_node_second), rate_text(row.packets_per_node_second),
                  row.problem ? " " + *row.problem : "");
  }
  return text;
}

}  // namespace hyperscale::sim
