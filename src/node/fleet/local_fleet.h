// LocalFleet: a cluster of real node processes on this machine, under one state folder: starts, inspects, kills,
// partitions, heals and removes them.
//
//   STATE/fleet.json        the nodes, with their pids
//   STATE/secret, worker_secret, token   of gates and managers, of workers, and for admin routes; mode 0600
//   STATE/ca.pem, ca-key.pem  with TLS between nodes: the authority of their certificates
//   STATE/NAME/node.toml, log, state/, cert.pem, key.pem
//
// Thread rule: one thread; blocking. The processes outlive the command that started them. A reused pid is never
// signalled.
#pragma once

#include "base/result.h"
#include "node/fleet/fleet_plan.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

namespace hyperscale::node {

struct FleetProcess {
  FleetNode node;
  pid_t pid = 0;
  std::uint64_t started_ns = 0;  // detects a reused pid
};

class LocalFleet {
 public:
  // Starts all nodes. Fails if the folder already has a cluster, or if a node does not start; then removes the folder.
  // A process that dies in it leaves a folder that open() and take_down() accept.
  static Result<LocalFleet> start(const std::string& folder, const FleetShape& shape, const std::string& program);
  static Result<LocalFleet> open(const std::string& folder);

  const std::vector<FleetProcess>& processes() const { return processes_; }
  const FleetProcess* find(const std::string& name) const;
  bool is_alive(const FleetProcess& process) const;
  bool is_paused(const FleetProcess& process) const;

  // With SIGKILL, returns when the process has exited.
  Status signal(const std::string& name, int signal);
  Status restart(const std::string& name, const std::string& program);
  // Drops all packets between these nodes and the others.
  Status partition(const std::vector<std::string>& names);
  // Ends all partitions and resumes paused nodes.
  Status heal();
  // Ends all processes, by SIGTERM and after a time limit by SIGKILL, and removes the folder.
  Status take_down();

  // False if a gate or manager knows no leader after this time.
  bool await_leaders(Duration patience) const;

  // The cluster status of a node (JSON), or why it did not answer.
  Result<std::string> standing(const FleetProcess& process) const;

 private:
  explicit LocalFleet(std::string folder) : folder_(std::move(folder)) {}
  std::string folder_of(const FleetNode& node) const { return folder_ + "/" + node.name; }
  Status launch(FleetProcess& process, const std::string& program);
  Status await_up(const FleetProcess& process) const;
  Status write_certificates() const;
  Status save() const;
  Result<std::string> token() const;
  Status block(const FleetProcess& process, const std::vector<const FleetProcess*>& others) const;
  void kill_all() const;

  std::string folder_;
  std::vector<FleetProcess> processes_;
};

}  // namespace hyperscale::node
