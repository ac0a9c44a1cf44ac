// ProxiedProbes: probes that this node makes for others (ping-req). Each ends with an indirect ack or, when the target
// stays silent, with an explicit nack (AD29-5, SWIM-PROBE-3): the asker then knows that the proxy itself was reachable.
//
// Thread rule: one owner. Bounded by kProxiedProbesMax; past it a request is not answered, because a nack means that
// the target was probed.
#pragma once

#include "base/time.h"
#include "wire/node_identity.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace hyperscale::membership {

inline constexpr std::size_t kProxiedProbesMax = 64;

struct ProxiedProbe {
  std::uint64_t sequence = 0;  // of this node's probe
  wire::NodeAddress target;
  wire::NodeAddress asker;
  std::uint64_t asker_sequence = 0;
  MonoTime deadline;
};

class ProxiedProbes {
 public:
  bool start(const ProxiedProbe& probe) {  // false when too many are pending
    if (probes_.size() >= kProxiedProbesMax) return false;
    probes_.push_back(probe);
    return true;
  }

  std::optional<ProxiedProbe> answered(std::uint64_t sequence, const wire::NodeAddress& target) {
    return take([&](const ProxiedProbe& probe) { return probe.sequence == sequence && probe.target == target; });
  }
  std::optional<ProxiedProbe> overdue(MonoTime now) {  // one of them; call until none
    return take([&](const ProxiedProbe& probe) { return probe.deadline <= now; });
  }

  std::optional<ProxiedProbe> refused(const wire::NodeAddress& target) {  // one of them; call until none
    return take([&](const ProxiedProbe& probe) { return probe.target == target; });
  }

  MonoTime next_deadline() const {
    MonoTime next = MonoTime::max();
    for (const ProxiedProbe& probe : probes_) next = std::min(next, probe.deadline);
    return next;
  }

 private:
  template <typename Wanted>
  std::optional<ProxiedProbe> take(Wanted wanted) {
    const auto found = std::find_if(probes_.begin(), probes_.end(), wanted);
    if (found == probes_.end()) return std::nullopt;
    const ProxiedProbe probe = *found;
    probes_.erase(found);
    return probe;
  }

  std::vector<ProxiedProbe> probes_;
};

}  // namespace hyperscale::membership
