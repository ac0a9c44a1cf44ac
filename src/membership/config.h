// Config: every timing and limit of membership, with the catalogue's defaults. All timings follow from one probe
// interval (the default is a second): scaled_to() stretches or shrinks them together, so that a LAN profile stays
// consistent.
//
// Plain values; any thread may use them.
#pragma once

#include "base/time.h"
#include "membership/coordinates/coordinate_system.h"
#include "membership/detection/detection_config.h"
#include "wire/bug_switch.h"
#include "wire/limits.h"
#include "wire/node_identity.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace hyperscale::membership {

// Planted bugs for the simulator's own test (`sim --mutate NAME`): each disables one protection. Only the simulator
// sets them. Those of suspicions and coordinates are in DetectionMutations and CoordinateMutations.
struct Mutations {
  wire::BugSwitch forget_incarnation_check = {};  // every update is accepted, however old
  wire::BugSwitch suspect_unconfirmed = {};       // a peer that never answered can be suspected and die
  wire::BugSwitch callbacks_twice = {};           // a death is reported again when it is received again
  wire::BugSwitch skip_indirect = {};             // a lost probe is a suspicion at once
  wire::BugSwitch never_refute = {};              // accusations of this node are ignored
  wire::BugSwitch resurrect_by_old_gossip = {};   // a dead member comes alive at an equal incarnation
  wire::BugSwitch believe_deaths_at_once = {};    // a gossiped death of a member that was not suspected is accepted
};

struct Seed {
  wire::NodeAddress address;
  wire::NodeRole role = wire::NodeRole::kManager;  // as configured; replaced by the role in its messages (AD35-ROLE-1)
};

struct Config {
  std::vector<Seed> seeds;  // addresses to join through; this node's own address is skipped

  Duration probe_interval = 1s;
  Duration direct_timeout = 500ms;    // times the local health multiplier
  Duration direct_timeout_max = 2s;   // upper bound for a far or unknown peer, before local health
  Duration indirect_timeout = 500ms;  // after the direct one; times the local health multiplier
  Duration proxy_timeout = 400ms;     // after it a proxy sends its nack
  std::size_t proxies = 3;
  std::size_t second_opinions = 3;   // how many receivers of a suspicion probe the suspect, on average
  std::size_t last_calls = 3;        // how many extra probes a suspect gets before its timeout
  std::size_t refused_patience = 2;  // suspicion timeout of a refused peer, in direct timeouts

  Duration gossip_interval = 200ms;  // of pushing updates; nothing is sent when there are none
  std::size_t gossip_fanout = 2;
  double retransmit_factor = 4;  // lambda of lambda * log(n + 1)
  std::size_t message_bytes_max = wire::kClusterMessageBytesMax;
  std::size_t gossip_bytes_max = 700;
  std::size_t gossip_updates_max = 1024;
  Duration gossip_kept = 20s;  // updates without a receiver

  Duration sync_interval = 10s;         // jittered by a quarter
  std::size_t early_syncs = 3;          // one probe interval apart, after the first contact
  std::size_t sync_pages_per_turn = 4;  // a turn is a gossip interval
  std::size_t sync_sessions_max = 16;

  Duration introduce_for = 60s;   // a new member contacts members that it learns of
  Duration introduce_again = 5s;  // retry without an answer
  std::size_t introductions_each = 3;
  std::size_t introductions_per_turn = 3;
  std::size_t introductions_max = 4096;

  Duration unconfirmed_warning = 60s;  // AD29-6
  Duration death_doubt = 3s;           // time to refute a death that no suspicion preceded
  Duration dead_kept = 900s;
  Duration tombstone_kept = 3600s;  // after removal: older incarnations stay refused
  std::size_t tombstones_max = 4096;
  std::size_t members_max = 4096;
  std::size_t unconfirmed_max = 2048;
  Duration leave_linger = 3s;  // longest time of a graceful leave
  std::size_t leave_fanout = 5;
  std::size_t audit_entries_max = 1024;

  DetectionConfig detection;     // suspicion: timeouts and confirmations
  CoordinateConfig coordinates;  // distances, adaptive timeouts, and the confirmation strategy of each role

  Mutations mutations;

  // The defaults scaled to this probe interval, except how long dead and left members are kept. `observer` is this
  // node's role, which selects the suspicion timeouts. REQUIRES: probe_interval >= 10ms.
  static Config scaled_to(Duration probe_interval, wire::NodeRole observer);
};

}  // namespace hyperscale::membership
