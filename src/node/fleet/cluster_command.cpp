#include "node/fleet/cluster_command.h"

#include "base/duration_text.h"
#include "base/exit_code.h"
#include "base/json_writer.h"
#include "base/print_text.h"
#include "node/fleet/fleet_table.h"
#include "node/fleet/local_fleet.h"
#include "node/local/terminal_style.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>

#include <fmt/format.h>
#include <simdjson.h>
#include <unistd.h>

namespace hyperscale::node {
namespace {

// An election takes a few intervals; more means that something is wrong.
constexpr int kElectionIntervals = 15;

constexpr const char* kProgram = "/proc/self/exe";

int failed(const Error& error, ExitCode code = ExitCode::kFailed) {
  print_text(stderr, fmt::format("hyperscale cluster: {}\n", error.context));
  return static_cast<int>(code);
}

int done(const Status& status, const std::string& sentence) {
  if (!status) return failed(status.error());
  print_text(stdout, sentence + "\n");
  return static_cast<int>(ExitCode::kOk);
}

std::string state_folder(const ClusterOptions& options) {
  if (!options.state_dir.empty()) return options.state_dir;
  const char* state = std::getenv("XDG_STATE_HOME");  // NOLINT(concurrency-mt-unsafe): no thread sets it
  if (state != nullptr && *state != '\0') return std::string(state) + "/hyperscale/cluster";
  const char* home = std::getenv("HOME");  // NOLINT(concurrency-mt-unsafe): no thread sets it
  return std::string(home != nullptr ? home : "/tmp") + "/.local/state/hyperscale/cluster";
}

// Resolves /proc/self/exe: in another process the link names another file.
std::string own_program() {
  std::string path(4096, '\0');
  const ssize_t size = ::readlink(kProgram, path.data(), path.size());
  return size > 0 ? path.substr(0, static_cast<std::size_t>(size)) : kProgram;
}

std::vector<FleetRow> rows_of(const LocalFleet& fleet) {
  std::vector<FleetRow> rows;
  for (const FleetProcess& process : fleet.processes()) {
    const bool alive = fleet.is_alive(process);
    const bool paused = fleet.is_paused(process);
    FleetRow row{.name = process.node.name,
                 .role = std::string(wire::name(process.node.role)),
                 .datacenter = process.node.datacenter,
                 .address = fmt::format("127.0.0.1:{}", process.node.ports.cluster),
                 .process = !alive   ? "gone"
                            : paused ? "paused"
                                     : "running",
                 .standing = {}};
    if (alive && !paused)
      if (auto standing = fleet.standing(process)) row.standing = std::move(*standing);
    rows.push_back(std::move(row));
  }
  return rows;
}

// "null" for a node that does not answer, or not in JSON.
std::string standing_of(const FleetRow& row) {
  simdjson::dom::parser parser;
  return row.standing && parser.parse(*row.standing).error() == simdjson::SUCCESS ? *row.standing : "null";
}

int print_status(const LocalFleet& fleet, bool as_json) {
  const std::vector<FleetRow> rows = rows_of(fleet);
  if (!as_json) {
    print_text(stdout, fleet_table(rows, utf8_locale() ? Glyphs::kUnicode : Glyphs::kAscii));
    return static_cast<int>(ExitCode::kOk);
  }
  JsonWriter json;
  json.begin_array();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const FleetProcess& process = fleet.processes()[i];
    json.begin_object();
    json.field("name", rows[i].name);
    json.field("role", rows[i].role);
    json.field("datacenter", rows[i].datacenter);
    json.field("address", rows[i].address);
    json.field("process", rows[i].process);
    json.field("pid", process.pid);
    json.field("api_port", process.node.ports.api);
    json.field("metrics_port", process.node.ports.metrics);
    json.field("transport_port", process.node.ports.transport);
    json.key("standing");
    json.verbatim(standing_of(rows[i]));
    json.end_object();
  }
  json.end_array();
  print_text(stdout, json.take());
  return static_cast<int>(ExitCode::kOk);
}

int up(const ClusterOptions& options) {
  FleetShape shape = options.shape;
  if (!options.probe_interval.empty()) {
    const auto interval = parse_duration(options.probe_interval);
    if (!interval || *interval < 10ms || *interval > 60s)
      return failed({ErrorCode::kInvalidArgument, "--probe-interval must be a time from 10ms to 1m"}, ExitCode::kUsage);
    shape.probe_interval = *interval;
  }
  if (nodes_of(shape) == 0 || nodes_of(shape) > kFleetNodesMax) {
    return failed({ErrorCode::kInvalidArgument,
                   fmt::format("{} nodes; a cluster here has 1 to {}", nodes_of(shape), kFleetNodesMax)},
                  ExitCode::kUsage);
  }
  const std::string folder = state_folder(options);
  if (!LocalFleet::open(folder))
    print_text(stderr, fmt::format("starting {} nodes under {}\n", nodes_of(shape), folder));
  const auto fleet = LocalFleet::start(folder, shape, own_program());
  if (!fleet) return failed(fleet.error());
  if (!fleet->await_leaders(kElectionIntervals * shape.probe_interval))
    print_text(stderr, "not every group has a leader yet; 'hyperscale cluster status' shows when\n");
  return print_status(*fleet, options.json);
}

int for_each_name(const ClusterOptions& options, LocalFleet& fleet, const std::string& sentence, int signal) {
  for (const std::string& name : options.names)
    if (Status sent = fleet.signal(name, signal); !sent) return failed(sent.error());
  return done({}, fmt::format("{} {}", fmt::join(options.names, ", "), sentence));
}

int start(const ClusterOptions& options, LocalFleet& fleet) {
  for (const std::string& name : options.names)
    if (Status started = fleet.restart(name, own_program()); !started) return failed(started.error());
  return done({}, fmt::format("{} runs", fmt::join(options.names, ", ")));
}

}  // namespace

int cluster_command(const ClusterOptions& options) {
  if (options.action == "up") return up(options);
  auto fleet = LocalFleet::open(state_folder(options));
  if (!fleet) return failed(fleet.error());
  if (options.action == "status") return print_status(*fleet, options.json);
  if (options.action == "kill") return for_each_name(options, *fleet, "killed", SIGKILL);
  if (options.action == "pause")
    return for_each_name(options, *fleet, "paused; 'resume' or 'heal' lets it go on", SIGSTOP);
  if (options.action == "resume") return for_each_name(options, *fleet, "goes on", SIGCONT);
  if (options.action == "start") return start(options, *fleet);
  if (options.action == "partition")
    return done(
        fleet->partition(options.names),
        fmt::format("{} and the others no longer hear each other; 'heal' ends it", fmt::join(options.names, ", ")));
  if (options.action == "heal") return done(fleet->heal(), "everybody hears everybody");
  return done(fleet->take_down(), "the cluster is gone");
}

}  // namespace hyperscale::node
