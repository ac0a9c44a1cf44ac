// MessageBudget: what fits into a datagram beside its body (SWIM-GOSSIP-2, U-11). The embedded state comes before
// gossip: when both do not fit, gossip is left out first, then the state. Pure functions.
#pragma once

#include "membership/config.h"
#include "wire/cluster_message.h"

#include <cstddef>

namespace hyperscale::membership {

// Probes, acks and joins carry coordinates and state; the rest are kept small.
bool carries_state(const wire::ClusterBody& body);

// How many bytes of gossip `message`, complete but for its gossip, may carry.
std::size_t gossip_room(const wire::ClusterMessage& message, const Config& config);

// Whether the message fits at all without gossip.
bool fits(const wire::ClusterMessage& message, const Config& config);

}  // namespace hyperscale::membership
