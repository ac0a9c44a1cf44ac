// StallWatch: checks every reader's pin and executes the judge's verdict: cancel, or answer, replace and log.
//
// It runs at the start of every tick and while the engine is idle or disabled, so it needs no progress of readers or
// ticks. Callers that copy the block answer themselves and keep at most one generation, so their pin is not checked.
// Thread rule: the engine thread.
#pragma once

#include "realtime/observe/egress_pool.h"
#include "realtime/stall_judge.h"

#include <memory>
#include <vector>

namespace hyperscale::realtime {

class StallWatch {
 public:
  StallWatch(const WorldConfig& config, FieldStore& store, EgressPool& pool, WorldMetrics& metrics);

  // True if any reader is pinned.
  bool look(MonoTime now, const std::shared_ptr<void>& keep_alive);

 private:
  void force_unpin(std::size_t reader, const PinView& pin, MonoTime now);

  const WorldConfig& config_;
  FieldStore& store_;
  EgressPool& pool_;
  WorldMetrics& metrics_;
  StallJudge judge_;
  std::vector<Epoch> pinned_;
  std::vector<bool> overridden_;
};

}  // namespace hyperscale::realtime
