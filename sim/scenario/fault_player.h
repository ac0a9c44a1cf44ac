// FaultPlayer: injects the faults of a scenario into a world at their times, and removes each at its end.
//
// Same thread as its world; lives as long. Faults that overlap are undone one by one; heal() undoes everything: no
// partition, loss, slowness, pause, full disk or clock error remains, and all processes run. A target that does not
// exist at that time (no leader) is skipped.
#pragma once

#include "base/prng.h"
#include "sim/engine/attacker.h"
#include "sim/engine/world.h"
#include "sim/scenario/fault.h"
#include "sim/scenario/system.h"

#include <functional>
#include <vector>

namespace hyperscale::sim {

class FaultPlayer {
 public:
  FaultPlayer(World& world, System& system);

  void schedule(const std::vector<Fault>& faults);
  void apply(const Fault& fault);
  void heal();

  std::vector<HostId> hosts(const Targets& targets);
  // All machines except these, which are in ascending order.
  std::vector<HostId> others_than(const std::vector<HostId>& hosts) const;
  std::uint64_t applied() const { return applied_; }

 private:
  using Undo = std::function<void()>;

  Undo apply_to_machines(const Fault& fault, const std::vector<HostId>& hosts);
  Undo apply_to_links(const Fault& fault, const std::vector<HostId>& hosts);
  Undo apply_to_disks(const Fault& fault, const std::vector<HostId>& hosts);
  Undo apply_to_clocks(const Fault& fault, const std::vector<HostId>& hosts);
  void upgrade(HostId host, std::uint16_t minor_version);

  World& world_;
  System& system_;
  Attacker attacker_;
  Prng prng_;
  std::vector<const HostSpec*> specs_;
  std::vector<std::int32_t> natural_rate_ppm_;
  std::vector<Duration> natural_wall_offset_;
  std::uint64_t applied_ = 0;
  std::uint64_t times_healed_ = 0;
};

}  // namespace hyperscale::sim
