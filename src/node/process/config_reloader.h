// ConfigReloader: applies a changed configuration to a running node.
//
// The file is read again together with the flags and environment of the start. What is valid and can change in place
// does; what needs a restart is refused and named; a file with errors changes nothing. Each outcome is logged and kept
// for the status page. Thread rule: run() is one task; bursts of changes coalesce to the newest before it sees them.
#pragma once

#include "node/process/node_parts.h"
#include "node/process/role.h"

#include <memory>
#include <vector>

#include <boost/asio/awaitable.hpp>

namespace hyperscale::node {

class ConfigReloader {
 public:
  // Both outlive the reloader; the roles are complete before run().
  ConfigReloader(NodeParts& parts, const std::vector<std::unique_ptr<Role>>& roles) : parts_(parts), roles_(roles) {}

  // Before run(): the phase before the drain lasts at least this long, whatever the configuration says.
  void leave_time_for(Duration pre_drain);

  // Applies changes until the queue of changes is closed.
  asio::awaitable<void> run();

 private:
  asio::awaitable<void> reload(std::string reason);
  void take_over(const runtime::NodeConfig& wanted, const std::string& reason);
  void apply_limits(const runtime::NodeConfig& config);

  NodeParts& parts_;
  const std::vector<std::unique_ptr<Role>>& roles_;
  Duration pre_drain_min_{};
};

}  // namespace hyperscale::node
