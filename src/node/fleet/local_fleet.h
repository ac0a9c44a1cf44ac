// LocalFleet: a cluster of real node processes on this machine, under one state folder: started, looked at, hurt,
// healed and taken away again.
//
//   STATE/fleet.json        what there is, with the pids
//   STATE/secret, worker_secret, token   of gates and managers, of workers, and for admin routes; mode 0600
//   STATE/ca.pem, ca-key.pem  with TLS between nodes: the authority of their certificates
//   STATE/NAME/node.toml, log, state/, cert.pem, key.pem
//
// Thread rule: one thread; blocking. The processes outlive the command that started them. A pid that another process
// has by now is never signalled.
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
  std::uint64_t started_ns = 0;  // tells a reused pid
};

class LocalFleet {
 public:
  // Starts all of it. Fails, with nothing left behind, when there is one already or a node does not come up.
  static Result<LocalFleet> start(const std::string& folder, const FleetShape& shape, const std::string& program);
  static Result<LocalFleet> open(const std::string& folder);

  const std::vector<FleetProcess>& processes() const { return processes_; }
  const FleetProcess* find(const std::string& name) const;
  bool is_alive(const FleetProcess& process) const;
  bool is_paused(const FleetProcess& process) const;

  // SIGKILL returns when the process is gone.
  Status signal(const std::string& name, int signal);
  Status restart(const std::string& name, const std::string& program);
  // These nodes and the others no longer hear each other.
  Status partition(const std::vector<std::string>& names);
  // Everybody hears everybody, and those that were paused go on.
  Status heal();
  // Ends all processes, in order first, and removes the folder.
  Status take_down();

  // False when after this time a gate or manager still knows no leader.
  bool await_leaders(Duration patience) const;

  // What a node says about the cluster (JSON), or why it says nothing.
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
