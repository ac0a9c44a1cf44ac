#include "sim/run/sim_command.h"

#include "base/check_prologue.h"
#include "base/duration_text.h"
#include "base/nearest_match.h"
#include "sim/run/campaign.h"
#include "sim/run/scenario_list.h"
#include "sim/run/sim_report.h"
#include "sim/run/simulation.h"
#include "sim/scenario/scenario_file.h"
#include "sim/scenario/swarm.h"

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <thread>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

namespace hyperscale::sim {
namespace {

constexpr Duration kPlainProgressPeriod = 10s;

std::atomic<bool> stop_requested = false;
// Printed before a failed CHECK inside a simulation: the bug is in the code under test, and has a seed.
thread_local std::string running_seed;

// The second signal ends the process at once.
void request_stop(int signal) {
  stop_requested.store(true);
  std::signal(signal, SIG_DFL);
}

void print_running_seed() {
  if (!running_seed.empty()) fmt::print(stderr, "\nsim: a CHECK failed; replay with\n  {}\n", running_seed);
}

void print(std::FILE* to, std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), to);
  std::fflush(to);
}

int usage(std::string_view what) {
  print(stderr, fmt::format("hyperscale sim: {}\n", what));
  return kExitUsage;
}

// One line, overwritten on a terminal; otherwise occasional lines.
class ProgressLine {
 public:
  ProgressLine(std::uint64_t seeds, bool silent)
      : seeds_(seeds), silent_(silent), terminal_(isatty(STDERR_FILENO) == 1) {}
  void clear() const {
    if (shown_ && terminal_) print(stderr, "\r\x1b[K");
  }

  void show(const CampaignProgress& progress) {
    if (silent_ || progress.real_time < 1s) return;
    if (terminal_) {
      print(stderr, fmt::format("\r\x1b[Ksim: {}", progress_text(progress, seeds_)));
    } else if (progress.real_time >= next_) {
      next_ = progress.real_time + kPlainProgressPeriod;
      print(stderr, fmt::format("sim: {}\n", progress_text(progress, seeds_)));
    }
    shown_ = true;
  }

 private:
  std::uint64_t seeds_;
  bool silent_;
  bool terminal_;
  bool shown_ = false;
  Duration next_ = kPlainProgressPeriod;
};

std::string scenario_names() {
  std::string text;
  for (const ScenarioText& each : scenario_list()) {
    text += fmt::format("  {:<26} {}\n", each.name, read_scenario(each.name, each.text).scenario.about);
  }
  return text;
}

std::string bug_names(const Binding& binding) {
  std::string text;
  for (const PlantedBug& bug : binding.bugs) {
    text += fmt::format("  {:<30} {} (found within {} seeds{})\n", bug.name, bug.about, bug.seeds_max,
                        bug.scenario.empty() ? "" : " of " + bug.scenario);
  }
  return text;
}

// An embedded scenario, or a file.
Result<std::string> scenario_text(const std::string& name) {
  std::vector<std::string> known;
  for (const ScenarioText& each : scenario_list()) {
    if (each.name == name) return std::string(each.text);
    known.emplace_back(each.name);
  }
  if (name.find('/') == std::string::npos && !name.ends_with(".toml")) {
    const auto close = nearest_match(name, known);
    return fail(ErrorCode::kNotFound, fmt::format("no scenario is called '{}'{}; --list shows them", name,
                                                  close ? fmt::format("; did you mean '{}'?", *close) : std::string()));
  }
  std::ifstream file(name, std::ios::binary);
  std::string text(std::istreambuf_iterator<char>(file), {});
  if (!file) return fail(ErrorCode::kNotFound, fmt::format("cannot read the scenario {}", name));
  if (text.size() > kScenarioBytesMax)
    return fail(ErrorCode::kTooLarge, fmt::format("{} is too large for a scenario", name));
  return text;
}

// Creates the scenario of a seed.
Result<std::function<Scenario(std::uint64_t)>> scenario_maker(const SimOptions& options) {
  std::optional<Topology> topology;
  if (!options.nodes.empty()) {
    auto parsed = parse_topology(options.nodes, Topology());
    if (!parsed) return fail(parsed.error());
    topology = *parsed;
  }
  std::optional<Duration> time;
  if (!options.time.empty()) {
    auto parsed = parse_duration(options.time);
    if (!parsed) return fail(parsed.error());
    if (*parsed < 10s) return fail(ErrorCode::kInvalidArgument, "--time must be at least 10s");
    time = *parsed;
  }
  if (options.scenario.empty()) {
    const SwarmOptions swarm{.topology = topology.value_or(Topology()), .time = time.value_or(SwarmOptions().time)};
    return [swarm](std::uint64_t seed) { return swarm_scenario(seed, swarm); };
  }
  auto text = scenario_text(options.scenario);
  if (!text) return fail(text.error());
  const bool file = options.scenario.ends_with(".toml");
  ScenarioLoad load = read_scenario(file ? options.scenario : options.scenario + ".toml", *text, topology);
  if (!load.ok()) return fail(ErrorCode::kInvalidArgument, fmt::format("{}", fmt::join(load.errors, "\n")));
  if (time) load.scenario.time = std::max(*time, load.scenario.time);
  return [scenario = std::move(load.scenario)](std::uint64_t) { return scenario; };
}

// Runs a planted bug in the scenario that reveals it, unless options override that.
Status look_where_it_shows(SimOptions& options, const Binding& binding) {
  if (options.mutate.empty()) return {};
  std::vector<std::string> known;
  for (const PlantedBug& bug : binding.bugs) {
    known.push_back(bug.name);
    if (bug.name != options.mutate) continue;
    if (options.scenario.empty()) options.scenario = bug.scenario;
    if (!options.seed && options.seeds.empty() && !options.trace) options.seeds = fmt::format("1..{}", bug.seeds_max);
    return {};
  }
  const auto close = nearest_match(options.mutate, known);
  return fail(ErrorCode::kInvalidArgument,
              fmt::format("no mutation is called '{}'{}; --mutate list shows them", options.mutate,
                          close ? fmt::format("; did you mean '{}'?", *close) : std::string()));
}

int run_traced(const SimOptions& options, const Scenario& scenario, std::uint64_t seed, const SystemMaker& maker) {
  running_seed = replay_command(options, seed);
  const auto sink = [](SimTime at, std::string_view line) { fmt::print("{:>18} {}\n", virtual_time_text(at), line); };
  const SimulationOutcome outcome = simulate(scenario, seed, maker, {.trace = sink, .stop = &stop_requested});
  std::fflush(stdout);
  if (outcome.violation) print(stderr, failure_text(options, {seed, *outcome.violation, outcome.trace_hash}));
  fmt::print("sim: seed {} {}, trace {:016x}\n", seed,
             outcome.passed()  ? "passed"
             : outcome.stopped ? "stopped"
                               : "FAILED",
             outcome.trace_hash);
  return outcome.violation ? kExitFailed : outcome.stopped ? kExitStopped : kExitPassed;
}

int run_seeds(const SimOptions& options, const Binding& binding) {
  const auto seeds = seeds_of(options);
  if (!seeds) return usage(seeds.error().context);
  const auto scenario = scenario_maker(options);
  if (!scenario) return usage(scenario.error().context);
  const SystemMaker maker = binding.maker(options.mutate);
  if (options.trace && seeds->count() > 1) return usage("--trace shows one seed: say which with --seed");
  if (options.trace) return run_traced(options, (*scenario)(seeds->first), seeds->first, maker);

  ProgressLine line(seeds->count(), options.json);
  const Campaign campaign{.seeds = *seeds,
                          .scenario = *scenario,
                          .maker = maker,
                          .jobs = options.jobs != 0 ? options.jobs : std::max(1U, std::thread::hardware_concurrency()),
                          .twice = !options.once,
                          .keep_going = options.keep_going,
                          .stop = &stop_requested,
                          .progress = [&line](const CampaignProgress& progress) { line.show(progress); },
                          .begins = [&options](std::uint64_t seed) { running_seed = replay_command(options, seed); }};
  const CampaignResult result = run_campaign(campaign);
  line.clear();
  print(stdout, options.json ? summary_json(options, result, seeds->count()) + "\n"
                             : summary_text(options, result, seeds->count()));
  if (!result.failures.empty()) return kExitFailed;
  return result.stopped ? kExitStopped : kExitPassed;
}

int run_scale(const SimOptions& options, const Binding& binding) {
  const auto sizes = parse_scale(options.scale);
  if (!sizes) return usage(sizes.error().context);
  std::vector<ScaleRow> rows;
  bool failed = false;
  for (const std::uint32_t size : *sizes) {
    const bool terminal = isatty(STDERR_FILENO) == 1;
    if (!options.json && !terminal) print(stderr, fmt::format("sim: {} nodes\n", size));
    const auto progress = [&](std::string_view phase, SimTime now) {
      if (terminal) print(stderr, fmt::format("\r\x1b[Ksim: {} nodes, {}, {}", size, phase, virtual_time_text(now)));
    };
    rows.push_back(measure_scale(size, options.seed.value_or(1), binding.scale, &stop_requested, progress));
    if (terminal) print(stderr, "\r\x1b[K");
    failed |= rows.back().problem.has_value();
    if (stop_requested.load()) break;
  }
  print(stdout, options.json ? scale_json(rows) + "\n" : scale_table(rows));
  return stop_requested.load() ? kExitStopped : failed ? kExitFailed : kExitPassed;
}

}  // namespace

int sim_command(const SimOptions& wanted, const Binding& binding) {
  SimOptions options = wanted;
  if (options.list) {
    print(stdout, "Scenarios (without --scenario: a random one for each seed):\n" + scenario_names());
    return kExitPassed;
  }
  if (options.mutate == "list") {
    print(stdout, "Planted bugs:\n" + bug_names(binding));
    return kExitPassed;
  }
  if (auto known = look_where_it_shows(options, binding); !known) return usage(known.error().context);
  stop_requested.store(false);
  std::signal(SIGINT, request_stop);
  std::signal(SIGTERM, request_stop);
  set_check_prologue(print_running_seed);
  return options.scale.empty() ? run_seeds(options, binding) : run_scale(options, binding);
}

}  // namespace hyperscale::sim
