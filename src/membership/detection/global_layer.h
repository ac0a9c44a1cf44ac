// GlobalLayer: suspected and dead machines, with the timing wheel that expires suspicions. Private to the failure
// detector, which adds lifecycle, job layer and reconciliation.
//
// Thread rule: one owner. Invariant: every suspect has exactly one entry in the wheel, at its deadline. A node is not
// suspected and dead at once. Failure: a full wheel refuses and counts.
#pragma once

#include "base/time.h"
#include "membership/detection/detection_config.h"
#include "membership/detection/detector_values.h"
#include "membership/detection/suspicion.h"
#include "membership/detection/timing_wheel.h"

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace hyperscale::membership {

class GlobalLayer {
 public:
  GlobalLayer(const DetectionConfig& config, DetectorStats& stats, MonoTime start);

  bool suspect(const wire::NodeAddress& node, const Suspicion::Doubt& doubt);
  bool confirm(const wire::NodeAddress& node, wire::Incarnation incarnation, const wire::NodeAddress& from,
               MonoTime now);
  bool shorten_suspicion(const wire::NodeAddress& node, MonoTime deadline);
  bool refute(const wire::NodeAddress& node, wire::Incarnation incarnation);
  bool declare_dead(const wire::NodeAddress& node, wire::Incarnation incarnation, MonoTime now);
  bool revive(const wire::NodeAddress& node, wire::Incarnation incarnation);
  void forget(const wire::NodeAddress& node);
  void clear();

  // Suspects whose deadline has passed; they are dead from here on.
  std::vector<GlobalDeath> expire(MonoTime now);
  MonoTime next_wake() const { return wheel_.next_wake(); }

  // Repairs wheel entries without a suspect, and suspects without an entry.
  std::vector<Anomaly> repair_wheel();
  void forget_old_deaths(MonoTime now);

  bool is_dead(const wire::NodeAddress& node) const { return dead_.contains(node); }
  bool is_suspected(const wire::NodeAddress& node) const { return suspects_.contains(node); }
  std::size_t suspects() const { return suspects_.size(); }
  bool empty() const { return suspects_.empty() && dead_.empty(); }
  // Fills in the state of this layer; false without any.
  bool describe(const wire::NodeAddress& node, NodeStatus& status) const;

 private:
  using Wheel = TimingWheel<wire::NodeAddress>;
  struct Suspect {
    Suspicion suspicion;
    Wheel::Handle in_wheel;
  };
  struct Death {
    wire::Incarnation incarnation;
    MonoTime since;
  };

  bool is_fresher(wire::Incarnation said, wire::Incarnation known) const;
  bool put(const wire::NodeAddress& node, Suspicion suspicion);
  void drop(std::map<wire::NodeAddress, Suspect>::iterator suspect);
  void record_death(const wire::NodeAddress& node, wire::Incarnation incarnation, MonoTime now);
  void forget_death(const wire::NodeAddress& node);

  const DetectionConfig& config_;
  DetectorStats& stats_;
  Wheel wheel_;
  std::map<wire::NodeAddress, Suspect> suspects_;
  std::map<wire::NodeAddress, Death> dead_;
  std::set<std::pair<MonoTime, wire::NodeAddress>> dead_by_age_;
};

}  // namespace hyperscale::membership
