// What checkers are told about a cluster, as plain values that do not depend on how the cluster is made: names, terms,
// states. A test can write them by hand, and does, to show that each checker finds what it is for.
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

// One running node at one moment, as its own view shows it.
struct NodeSnapshot {
  HostId host = 0;
  std::optional<std::uint32_t> group;  // that it votes in
  std::optional<HostId> leader;        // whom it believes to lead that group
  std::uint64_t term = 0;
  bool acts = false;                // it may act as leader
  std::vector<SeenMember> members;  // in the order of their machines
};

// What a node writes down before it goes on.
struct PersistedVote {
  std::uint64_t incarnation = 0;
  std::uint64_t term = 0;
  std::string voted_for;
};

// A number that has a bound.
struct Gauge {
  const char* name = "";
  std::uint64_t value = 0;
  std::uint64_t limit = 0;
};

// What is wrong; nothing when all is well.
using Finding = std::optional<std::string>;

}  // namespace hyperscale::sim
