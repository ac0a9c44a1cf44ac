// Inputs of checkers, as plain values that do not depend on the implementation of the cluster: names, terms, states.
// Tests write them by hand, to show that each checker detects its violation.
#pragma once

#include "base/time.h"
#include "sim/engine/sim_time.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hyperscale::sim {

enum class SeenState : std::uint8_t { kUnconfirmed, kAlive, kSuspect, kDead, kLeft };

struct SeenMember {
  HostId host = 0;
  SeenState state = SeenState::kAlive;
};

// State of a running node at one moment, as in its own view.
struct NodeSnapshot {
  HostId host = 0;
  std::optional<std::uint32_t> group;  // in which it votes
  std::optional<HostId> leader;        // the leader of that group in its view
  std::uint64_t term = 0;
  bool acts = false;                // may act as leader
  std::vector<SeenMember> members;  // in the order of their machines
};

// What a node persists before it continues.
struct PersistedVote {
  std::uint64_t incarnation = 0;
  std::uint64_t term = 0;
  std::string voted_for;
};

// A bounded quantity.
struct Gauge {
  const char* name = "";
  std::uint64_t value = 0;
  std::uint64_t limit = 0;
};

// A violation, or nullopt.
using Finding = std::optional<std::string>;

}  // namespace hyperscale::sim
