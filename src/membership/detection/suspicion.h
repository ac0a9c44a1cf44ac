// Suspicion of one node: start, incarnation, confirmations, and deadline.
//
// Invariant: the deadline never moves later. A suspicion that is confirmed endlessly still expires (this is the
// starvation that AD-30 removes). Thread rule: one owner.
#pragma once

#include "base/time.h"
#include "membership/detection/detection_config.h"
#include "wire/node_identity.h"

#include <cstddef>
#include <vector>

namespace hyperscale::membership {

// max(min, max - (max - min) * ln(C + 1) / ln(K + 1)) as in Lifeguard; `min` when no member can confirm (K = 0).
Duration suspicion_timeout(SuspicionTimeouts timeouts, std::size_t confirmations, std::size_t confirmations_wanted);

// SWIM-4: `configured` with its max lowered to k * ln(members), never below min; both times the health multiplier.
SuspicionTimeouts timeouts_in_cluster(SuspicionTimeouts configured, Duration k, std::size_t members,
                                      double health_multiplier);

// How many of `wanted` confirmations a cluster of this size can give: the suspect and the first observer cannot
// confirm.
std::size_t reachable_confirmations(std::size_t wanted, std::size_t members);

class Suspicion {
 public:
  struct Doubt {
    wire::Incarnation incarnation;
    wire::NodeAddress from;  // the first to suspect; does not count as a confirmation
    MonoTime since;
    SuspicionTimeouts timeouts;
    std::size_t confirmations_wanted = 0;
  };

  explicit Suspicion(const Doubt& doubt);

  // True for a new confirmer. Past confirmations_wanted nothing more is recorded.
  bool confirm(const wire::NodeAddress& from, MonoTime now, const DetectionMutations& mutations);
  // The cluster size changed: recomputes the deadline, if that is earlier.
  void refit(SuspicionTimeouts timeouts, std::size_t confirmations_wanted);

  // Moves the deadline earlier. True if it moved.
  bool shorten_to(MonoTime deadline);

  wire::Incarnation incarnation() const { return incarnation_; }
  MonoTime since() const { return since_; }
  MonoTime deadline() const { return deadline_; }
  std::size_t confirmations() const { return confirmations_; }

 private:
  MonoTime deadline_by_timeout() const;

  wire::Incarnation incarnation_;
  MonoTime since_;
  SuspicionTimeouts timeouts_;
  std::size_t confirmations_wanted_;
  std::size_t confirmations_ = 0;
  std::vector<wire::NodeAddress> voices_;  // the first and those who confirmed; at most confirmations_wanted + 1
  MonoTime deadline_;
};

}  // namespace hyperscale::membership
