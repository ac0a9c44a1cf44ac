// ProbeCycles: the probes of this node that wait for an answer: first a direct one, then those through proxies, then
// none is left and the target has failed (SWIM-PROBE-1). They may overlap: a slow node's timeouts exceed its probe
// interval.
//
// Thread rule: one owner. Bounded by kProbesInFlightMax; start() refuses past it. It decides phases only; what an
// outcome means is Membership's.
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
  kOpinion,   // out of turn, because it is suspected
  kLastCall,  // of a suspect: a refutation that got lost would come with the answer
  kAttempt,   // proactive confirmation of a peer that never answered (AD35-ROLE-4)
};

struct ProbeCycle {
  std::uint64_t sequence = 0;
  wire::NodeAddress target;
  ProbePurpose purpose = ProbePurpose::kRound;
  MonoTime sent;
  MonoTime deadline;
  bool can_fail = true;  // false when the target was not confirmed: nothing follows from its silence (AD29-4)
  bool refused = false;  // by the target's host; see refusals.cpp
  bool indirect = false;
  std::size_t proxies_asked = 0;
  std::vector<wire::NodeAddress> nacked_by;
};

class ProbeCycles {
 public:
  bool start(const ProbeCycle& cycle);  // false when too many are under way
  // The cycle that the answer ends; none for an unknown or late one, or a wrong target.
  std::optional<ProbeCycle> answered(std::uint64_t sequence, const wire::NodeAddress& target);
  void ask_proxies(std::uint64_t sequence, std::size_t proxies, MonoTime deadline);
  // True when the last proxy of the cycle has said so: it is due at once.
  bool nacked(std::uint64_t sequence, const wire::NodeAddress& target, const wire::NodeAddress& proxy, MonoTime now);
  // The direct probes of this target wait for no answer any more: they are overdue. False when there are none.
  bool refused(const wire::NodeAddress& target);
  // Those whose deadline has passed; ones in the direct phase are kept, waiting for ask_proxies() or drop().
  std::vector<ProbeCycle> overdue(MonoTime now);
  void drop(std::uint64_t sequence);
  void drop_target(const wire::NodeAddress& target);
  bool is_probing(const wire::NodeAddress& target) const;
  // This node did not run for a while: answers may lie in its mailbox.
  void not_before(MonoTime deadline);

  MonoTime next_deadline() const;
  std::size_t size() const { return cycles_.size(); }

 private:
  std::vector<ProbeCycle>::iterator find(std::uint64_t sequence);

  std::vector<ProbeCycle> cycles_;
};

}  // namespace hyperscale::membership
