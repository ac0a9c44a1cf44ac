// Default heartbeat of a node, from its own cores (MSG-HB-1 to -3). Probes and acks carry it; it contains leader and
// health.
//
// Pure functions; any thread.
#pragma once

#include "base/bytes.h"
#include "wire/heartbeat.h"
#include "wire/node_identity.h"

#include <cstdint>

namespace hyperscale::cluster {

struct OwnFacts {
  bool leads = false;
  wire::Term term;
  wire::ServerState state = wire::ServerState::kSyncing;
  std::uint32_t workers = 0;          // that are up, as a manager sees them
  std::uint32_t available_cores = 0;  // of a worker

  bool operator==(const OwnFacts&) const = default;
};

SharedBytes own_heartbeat(const wire::NodeIdentity& self, const OwnFacts& facts, std::uint64_t version);

}  // namespace hyperscale::cluster
