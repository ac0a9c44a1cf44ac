// Layers: the order in which the workflows of a job run on a datacenter, and where the job is in it.
//
// Layers run strictly one after the other; a workflow's layer is greater than those of all it depends on. The workflows
// of a layer run together in one stage, only an exclusive one has a stage of its own before them (plan::schedule_of).
// The next layer may be provisioned when the context of all layers before it is in the journal (LayerSync): a dependent
// workflow never runs with context that could be lost.
//
// Pure; one thread. The cores of a stage are planned on the pool that exists when it begins; the order of the stages
// does not depend on the pool.
#pragma once

#include "base/result.h"
#include "manager/placement.h"
#include "plan/job.h"

#include <cstdint>
#include <vector>

namespace hyperscale::manager {

struct Stage {
  std::uint32_t layer = 0;
  std::vector<SlotCores> workflows;  // with one core per slot
};

// The stages of a job on `pool` cores: a workflow with T threads and V users has min(T, max(V, 1)) slots (EXEC-VU-1).
// Fails with one sentence on an empty job, a cycle, an unknown dependency. REQUIRES: pool > 0.
Result<std::vector<Stage>> stages_of(const plan::Job& job, std::uint32_t pool);

class Layers {
 public:
  // REQUIRES: not empty, in order of their layers.
  explicit Layers(const std::vector<Stage>& stages);

  bool finished() const { return at_ == layers_.size(); }
  std::uint32_t stage() const { return at_; }
  // Layer of the current stage. REQUIRES: not finished().
  std::uint32_t layer() const { return layers_[at_]; }
  std::uint32_t layers() const { return layers_.back() + 1; }
  // How many layers have their context in the journal.
  std::uint32_t synced() const { return synced_; }
  bool may_provision() const { return !finished() && layer() <= synced_; }

  // The workflows of the current stage have ended. True if the layer has ended with it and another one follows: its
  // context is to be journalled.
  bool end_stage();
  // The LayerSync with this version is in the journal. REQUIRES: version == synced() + 1, and that layer has ended.
  void sync(std::uint32_t version);

 private:
  std::vector<std::uint32_t> layers_;  // of each stage
  std::uint32_t at_ = 0;
  std::uint32_t synced_ = 0;
};

}  // namespace hyperscale::manager
