// ProbeCycles: pending probes of this node: first direct, then through proxies, then the target has failed
// (SWIM-PROBE-1). They may overlap: a slow node's timeouts exceed its probe interval.
//
// Thread rule: one owner. Bounded by kProbesInFlightMax; start() refuses past it. It tracks phases only; Membership
// handles the outcome.
#pragma once

#include "base/time.h"
#include "wire/node_identity.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace hyperscale::membership {

inline constexpr std::size_t kProbesInFlightMax = 64;

enum class ProbePurpose : std::uint8_t {
  kRound,     // its turn in the schedule
  kOpinion,   // extra probe, because it is suspected
  kLastCall,  // extra probe of a suspect: the ack carries a refutation that got lost
  kAttempt,   // proactive confirmation of a peer that never answered (AD35-ROLE-4)
};

struct ProbeCycle {
  std::uint64_t sequence = 0;
  wire::NodeAddress target;
  ProbePurpose purpose = ProbePurpose::kRound;
  MonoTime sent;
  MonoTime deadline;
  bool can_fail = true;  // false when the target was not confirmed: its silence is ignored (AD29-4)
  bool refused = false;  // by the target's host; see refusals.cpp
  bool indirect = false;
  std::size_t proxies_asked = 0;
  std::vector<wire::NodeAddress> nacked_by;
};

class ProbeCycles {
 public:
  bool start(const ProbeCycle& cycle);  // false when too many are pending
  // The cycle that the answer ends; none for an unknown or late one, or a wrong target.
  std::optional<ProbeCycle> answered(std::uint64_t sequence, const wire::NodeAddress& target);
  void ask_proxies(std::uint64_t sequence, std::size_t proxies, MonoTime deadline);
  // True when the last proxy of the cycle sent a nack: the cycle is due at once.
  bool nacked(std::uint64_t sequence, const wire::NodeAddress& target, const wire::NodeAddress& proxy, MonoTime now);
  // Makes the direct probes of this target overdue. False when there are none.
  bool refused(const wire::NodeAddress& target);
  // Cycles whose deadline has passed; those in the direct phase are kept until ask_proxies() or drop().
  std::vector<ProbeCycle> overdue(MonoTime now);
  void drop(std::uint64_t sequence);
  void drop_target(const wire::NodeAddress& target);
  bool is_probing(const wire::NodeAddress& target) const;
  // This node did not run for a while: acks may be queued in its socket.
  void not_before(MonoTime deadline);

  MonoTime next_deadline() const;
  std::size_t size() const { return cycles_.size(); }

 private:
  std::vector<ProbeCycle>::iterator find(std::uint64_t sequence);

  std::vector<ProbeCycle> cycles_;
};

}  // namespace hyperscale::membership
