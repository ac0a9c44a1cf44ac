// ClusterConfig: configuration of one node of a cluster. All timings derive from `probe_interval`.
//
// Plain values. `entropy` has to be set: the system's generator on a real network, a seeded one in the simulator.
#pragma once

#include "base/time.h"
#include "election/config.h"
#include "membership/config.h"
#include "wire/bug_switch.h"
#include "wire/cluster_message.h"
#include "wire/entropy_source.h"
#include "wire/keyring.h"
#include "wire/limits.h"
#include "wire/message_seal.h"
#include "wire/replay_guard.h"
#include "wire/source_rate_limit.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace hyperscale::cluster {

// Planted bugs for the simulator's own test (`sim --mutate NAME`). Only the simulator sets them.
struct Mutations {
  election::Mutations election;
  membership::Mutations membership;
  membership::DetectionMutations detection;
  membership::CoordinateMutations coordinates;
  wire::SealMutations seal;
  wire::BugSwitch accept_replays = {};     // replayed packets are accepted
  wire::BugSwitch skip_persist = {};       // votes and incarnations are not made durable
  wire::BugSwitch accept_old_states = {};  // embedded state is passed on without a version check
};

struct ClusterConfig {
  wire::NodeIdentity self;
  std::string cluster = "default";
  std::string environment = "default";
  std::vector<wire::NodeAddress> seeds;
  // Voters of this node's group as configured, itself among them (AD3-1); zero: this node does not vote.
  std::uint32_t group_size = 0;
  std::vector<std::string> voters = {};  // their names; empty: the first names seen
  std::uint32_t priority = 0;
  Duration probe_interval = 1s;
  std::uint64_t seed = 0;
  wire::Keyring keys;
  std::shared_ptr<wire::EntropySource> entropy = nullptr;
  wire::ProtocolVersion version = {};
  std::size_t datagram_bytes_max = wire::kDatagramBytesMax;
  std::size_t gossip_updates_max = 1024;
  wire::SourceRateConfig rate = {};
  // Limit of deciphering for all packets with this node's key id, from any sender.
  wire::PacketRate opening = {.capacity = 4'096, .refill_per_second = 20'000};
  wire::ReplayConfig replay = {};
  // Sends the default heartbeat of its own cores until the owner sets a state (EmbedState).
  bool tells_heartbeat = true;
  Mutations mutations = {};
};

}  // namespace hyperscale::cluster
