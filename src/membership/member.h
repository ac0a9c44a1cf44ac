// Member: everything this node holds about one peer. Plain value; owned by MemberTable, which keeps its indexes
// consistent: state, incarnation, identity and timer are changed only through the table.
#pragma once

#include "base/time.h"
#include "membership/member_state.h"
#include "wire/cluster_message.h"

#include <cstddef>
#include <cstdint>

namespace hyperscale::membership {

struct Member {
  wire::NodeIdentity identity;
  MemberState state = MemberState::kUnconfirmed;
  wire::Incarnation incarnation;
  MonoTime since;      // in this state
  MonoTime timer;      // of the present state: removal, last calls, next action for an unconfirmed peer; max() for none
  bool named = false;  // false while only its configured address and role are known

  bool suspected_here = false;    // by a probe of this node
  bool death_rumoured = false;    // the suspicion began with a gossiped death
  std::size_t last_calls = 0;     // made in this suspicion
  std::uint32_t rtt_us = 0;       // of the last answered probe
  MonoTime refusal_heeded_until;  // until then a refusal triggers no extra probe

  // While unconfirmed.
  MonoTime passive_until;
  std::uint32_t attempts = 0;  // proactive ones (AD35-ROLE-4)
  bool warned = false;

  // Places in the table's indexes.
  std::size_t present_place = SIZE_MAX;
  std::size_t gone_place = SIZE_MAX;
  std::size_t scope = 0;

  const wire::NodeAddress& address() const { return identity.address; }
};

}  // namespace hyperscale::membership
