// ReplayChecker: a datagram has an effect once. Two deliveries of the same bytes to one process, by a network that
// repeats or an attacker that replays, must not both make it act (SEC-4).
//
// Single-threaded. Receives only datagrams that made a process act, by the hash of their bytes.
#pragma once

#include "sim/checkers/observation.h"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace hyperscale::sim {

class ReplayChecker {
 public:
  static constexpr std::string_view kName = "replay_without_effect";

  explicit ReplayChecker(std::size_t hosts) : taken_(hosts) {}

  void restarted(HostId host) { taken_[host].clear(); }
  Finding taken(HostId host, std::uint64_t bytes_hash);

 private:
  std::vector<std::unordered_set<std::uint64_t>> taken_;  // for lookup only, never iterated
};

}  // namespace hyperscale::sim
