// ConfigReloader: applies a changed configuration to a running node.
//
// Rereads the file and merges it with the flags and environment of the start. Live keys are applied; keys that need a
// restart are refused and named; a file with errors changes nothing. Each outcome is logged and kept for the status
// page. Thread rule: run() is one task; bursts of changes coalesce to the newest before it sees them.
#pragma once

#include "node/process/node_parts.h"
#include "node/process/role.h"

#include <memory>
#include <vector>

#include <boost/asio/awaitable.hpp>

namespace hyperscale::node {

class ConfigReloader {
 public:
  // Both outlive the reloader; all roles exist before run().
  ConfigReloader(NodeParts& parts, const std::vector<std::unique_ptr<Role>>& roles) : parts_(parts), roles_(roles) {}

  // Call before run(): sets a minimum for the phase before the drain, which overrides a shorter configured one.
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
