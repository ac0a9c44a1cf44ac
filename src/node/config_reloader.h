// ConfigReloader: applies a changed configuration to a running node.
//
// The file is read again together with the flags and environment of the start. What is valid and can change in place
// does; what needs a restart is refused and named; a file with errors changes nothing. Each outcome is logged and kept
// for the status page. Thread rule: run() is one task; bursts of changes coalesce to the newest before it sees them.
#pragma once

#include "node/node_parts.h"

#include <boost/asio/awaitable.hpp>

namespace hyperscale::node {

class ConfigReloader {
 public:
  explicit ConfigReloader(NodeParts& parts) : parts_(parts) {}

  // Applies changes until the queue of changes is closed.
  asio::awaitable<void> run();

 private:
  asio::awaitable<void> reload(std::string reason);
  void take_over(const runtime::NodeConfig& wanted, const std::string& reason);
  void apply_limits(const runtime::NodeConfig& config);
  void rotate_keys(const runtime::NodeConfig& config, ReloadReport& report);

  NodeParts& parts_;
};

}  // namespace hyperscale::node
