#include "sim/scenario/swarm.h"

#include "base/prng.h"
#include "sim/engine/chance.h"
#include "sim/engine/clock_skew.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

namespace hyperscale::sim {
namespace {

// Parameters for drawing one kind of fault. Durations are for a run of ten minutes and shrink with a shorter one.
struct Recipe {
  FaultKind kind;
  double in_swarm;  // share of swarms that have it
  Duration lasts_min;
  Duration lasts_max;
  double amount_min = 0;
  double amount_max = 0;
  Duration by_min{0};
  Duration by_max{0};
};

using enum FaultKind;

constexpr std::array kRecipes{
    Recipe{kCrash, 0.6, 100ms, 60s},
    Recipe{kPause, 0.5, 100ms, 30s},
    Recipe{kSlow, 0.4, 1s, 40s, 0, 0, 1ms, 80ms},
    Recipe{kLeave, 0.25, 5s, 60s},
    Recipe{kUpgrade, 0.3, 0s, 0s, 0, 3},
    Recipe{kPartition, 0.6, 500ms, 90s},
    Recipe{kOneWay, 0.4, 500ms, 60s},
    Recipe{kLoss, 0.5, 1s, 60s, 0.02, 0.6},
    Recipe{kDuplicate, 0.3, 1s, 60s, 0.02, 0.5},
    Recipe{kReorder, 0.3, 1s, 60s, 0.05, 0.8},
    Recipe{kCorrupt, 0.3, 1s, 60s, 0.01, 0.3},
    Recipe{kDelay, 0.4, 1s, 60s, 0, 0, 5ms, 800ms},
    Recipe{kBandwidth, 0.2, 1s, 40s, 2'000, 200'000},
    Recipe{kClockJump, 0.3, 1s, 60s, 0, 0, -20s, 20s},
    Recipe{kClockRate, 0.3, 1s, 60s, -kClockRatePpmMax, kClockRatePpmMax},
    Recipe{kDiskFull, 0.15, 1s, 30s},
    Recipe{kSyncError, 0.15, 1s, 60s, 0.05, 0.5},
    Recipe{kCrashAtSync, 0.3, 1s, 60s, 0.05, 0.5},
    Recipe{kSlowDisk, 0.2, 1s, 60s, 0, 0, 1ms, 300ms},
    Recipe{kBitRot, 0.15, 0s, 0s},
    Recipe{kRotateKeys, 0.0, 0s, 0s},  // drawn separately: all machines get the same keys
    Recipe{kReplay, 0.4, 1s, 90s, 1, 100},
    Recipe{kFlood, 0.3, 1s, 30s, 10, 500},
    Recipe{kForgeRefusals, 0.3, 1s, 60s, 1, 200},
    Recipe{kForgeSenders, 0.2, 1s, 30s, 10, 2'000},
};

class Drawing {
 public:
  Drawing(std::uint64_t seed, const SwarmOptions& options)
      : prng_(Prng(seed).stream("swarm")),
        options_(options),
        hosts_(hosts_of(options.topology)),
        rotted_(hosts_.size(), false) {
    scenario_.name = "swarm";
    scenario_.about = "Random faults, then peace";
    scenario_.time = options.time;
    scenario_.topology = options.topology;
  }

  Scenario run() {
    draw_network();
    draw_settings();
    draw_faults();
    draw_key_rotation();
    add_ending();
    return std::move(scenario_);
  }

 private:
  // Readable numbers: four digits, whole milliseconds unless that would be zero.
  double real(double lo, double hi) { return std::round((lo + (hi - lo) * prng_.unit()) * 1e4) / 1e4; }
  static Duration readable(Duration value) { return value > 10ms || value < -10ms ? value / 1ms * 1ms : value; }
  // Draws a factor, not a sum: small values are as likely as large ones.
  Duration spread(Duration lo, Duration hi) {
    Duration value = hi;
    while (value / 2 > lo && chance(prng_, 0.6)) value /= 2;
    return readable(prng_.between(std::min(lo, value), value));
  }
  Duration tenths(std::int64_t count) const { return options_.time * count / 10; }
  // Scales a duration for a run of ten minutes.
  Duration shrunk(Duration duration) const {
    return options_.time >= 10min ? duration : duration * (options_.time / 1s) / 600;
  }

  void draw_network() {
    LinkConditions& inside = scenario_.network.within_site;
    LinkConditions& outside = scenario_.network.between_sites;
    inside.latency = spread(50us, 2ms);
    inside.jitter = spread(20us, 1ms);
    outside.latency = spread(500us, 40ms);
    outside.jitter = spread(100us, 5ms);
    if (chance(prng_, 0.5)) inside.loss = outside.loss = real(0, 0.01);
    if (chance(prng_, 0.3)) inside.duplicate = outside.duplicate = real(0, 0.02);
    if (chance(prng_, 0.3)) inside.reorder = outside.reorder = real(0, 0.1);
  }

  // Names that sim/run/simulation.cpp and sim/cluster/cluster_setup.cpp read.
  void draw_settings() {
    Settings& settings = scenario_.settings;
    settings.set("start_spread_ms", static_cast<std::int64_t>(prng_.below(10'000)));
    settings.set("clock_ppm", static_cast<std::int64_t>(prng_.below(kClockRatePpmMax / 2)));
    settings.set("wall_skew_ms", static_cast<std::int64_t>(prng_.below(1'000)));
    if (chance(prng_, 0.3)) settings.set("gossip_buffer", static_cast<std::int64_t>(16 + prng_.below(64)));
    if (chance(prng_, 0.3)) settings.set("mtu", static_cast<std::int64_t>(700 + prng_.below(700)));
    if (chance(prng_, 0.3)) settings.set("mixed_versions", 1);
    if (chance(prng_, 0.4)) settings.set("silent_machines", 1);
    settings.set("receive_queue", static_cast<std::int64_t>(16'384 + prng_.below(200'000)));
  }

  void draw_faults() {
    std::vector<const Recipe*> chosen;
    for (const Recipe& recipe : kRecipes) {
      if (chance(prng_, recipe.in_swarm)) chosen.push_back(&recipe);
    }
    if (chosen.empty()) return;
    const Duration pause = spread(500ms, 40s);
    Duration at = prng_.between(0s, tenths(1) / 3);
    while ((at += prng_.between(1ms, 2 * pause)) < tenths(7)) draw_fault(*chosen[prng_.below(chosen.size())], at);
  }

  void draw_fault(const Recipe& recipe, Duration at) {
    Fault fault{.at = at, .kind = recipe.kind};
    if (traits(recipe.kind).takes_targets) fault.targets = draw_targets();
    if (traits(recipe.kind).takes_against && chance(prng_, 0.4)) fault.against = draw_targets();
    fault.amount = real(recipe.amount_min, recipe.amount_max);
    if (recipe.kind == kUpgrade) fault.amount = static_cast<double>(static_cast<int>(fault.amount));
    if (recipe.by_max > Duration(0)) fault.by = readable(prng_.between(recipe.by_min, recipe.by_max));
    if (recipe.lasts_max > Duration(0)) fault.lasts = spread(shrunk(recipe.lasts_min), shrunk(recipe.lasts_max));
    if (recipe.kind == kBitRot && !draw_rotting(fault)) return;
    insert_by_time(scenario_.faults, std::move(fault));
  }

  Targets draw_targets() {
    const auto single = [](TargetPick pick, std::uint32_t count, std::vector<std::string> labels) {
      return Targets{{.pick = pick, .count = count, .labels = std::move(labels)}};
    };
    const HostSpec& any = hosts_[prng_.below(hosts_.size())];
    std::vector<std::string> group = any.labels;  // such as managers, dc1
    switch (prng_.below(6)) {
      case 0:
        return single(TargetPick::kLeader, 0, std::move(group));
      case 1:
        return single(TargetPick::kEach, 1 + static_cast<std::uint32_t>(prng_.below(3)), std::move(group));
      case 2:
        return single(TargetPick::kEach, 1 + static_cast<std::uint32_t>(prng_.below(1 + hosts_.size() / 2)),
                      {std::string(kAllLabel)});
      case 3:
        return single(TargetPick::kEach, 0, {group.back()});
      default:
        return single(TargetPick::kEach, 0, {any.name});
    }
  }

  // At most one rotten record per machine: two copies exist, and losing both is beyond the fault model.
  bool draw_rotting(Fault& fault) {
    const std::uint64_t picked = prng_.below(hosts_.size());
    if (rotted_[picked]) return false;
    rotted_[picked] = true;
    fault.targets = {{.pick = TargetPick::kEach, .count = 0, .labels = {hosts_[picked].name}}};
    return true;
  }

  // Machine by machine and phase by phase, as operators do: all accept the new key before any machine uses it.
  void draw_key_rotation() {
    if (!chance(prng_, 0.3)) return;
    Duration at = prng_.between(tenths(1), tenths(2));
    const Duration step = prng_.between(0s, tenths(4) / (3 * static_cast<std::int64_t>(hosts_.size())));
    for (const int phase : {1, 2, 3}) {
      for (const HostSpec& host : hosts_) {
        insert_by_time(scenario_.faults,
                       Fault{.at = at,
                             .kind = kRotateKeys,
                             .targets = {{.pick = TargetPick::kEach, .count = 0, .labels = {host.name}}},
                             .amount = static_cast<double>(phase)});
        at += step;
      }
    }
  }

  void add_ending() {
    insert_by_time(scenario_.faults, Fault{.at = tenths(7), .kind = kHeal});
    scenario_.expectations.push_back({.at = tenths(9), .kind = ExpectKind::kSettled});
    const HostSpec& victim = hosts_[prng_.below(hosts_.size())];
    const Targets targets{{.pick = TargetPick::kEach, .count = 0, .labels = {victim.name}}};
    insert_by_time(scenario_.faults, Fault{.at = tenths(9) + 1s, .kind = kCrash, .targets = targets});
    scenario_.expectations.push_back({.at = tenths(10), .kind = ExpectKind::kKnownDead, .targets = targets});
    scenario_.expectations.push_back({.at = tenths(10), .kind = ExpectKind::kNoFalseDeath, .since = tenths(9)});
    scenario_.expectations.push_back({.at = tenths(10), .kind = ExpectKind::kSettled});
  }

  Prng prng_;
  SwarmOptions options_;
  std::vector<HostSpec> hosts_;
  std::vector<bool> rotted_;
  Scenario scenario_;
};

}  // namespace

Scenario swarm_scenario(std::uint64_t seed, const SwarmOptions& options) {
  return Drawing(seed, options).run();
}

}  // namespace hyperscale::sim
