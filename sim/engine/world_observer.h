// WorldObserver: observes a virtual world, such as a checker. Called between the steps of processes; it may read
// everything and report a violation, and must not change anything.
//
// Same thread as the world.
#pragma once

#include "base/bytes.h"
#include "sim/engine/sim_time.h"

#include <cstdint>
#include <string>

namespace hyperscale::sim {

// A violation found by a checker. The first one ends the run.
struct Violation {
  std::string checker;
  std::string what;
  SimTime at;
};

class WorldObserver {
 public:
  virtual ~WorldObserver() = default;
  // A process has finished one call; it may have ended.
  virtual void after_step(HostId host) = 0;
  virtual void sent(HostId from, HostId to, const SharedBytes& bytes) = 0;
  // Killed, exited or failed by its disk.
  virtual void ended(HostId host) = 0;
};

}  // namespace hyperscale::sim
