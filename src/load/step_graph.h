// StepGraph: the steps of an iteration in layers, computed once. Steps of one layer run together, a layer after all
// steps of the one before it (DAG-STEP-2, DAG-STEP-3).
//
// Immutable after make(); any thread.
#pragma once

#include "base/result.h"
#include "plan/plan.h"

#include <cstdint>
#include <span>
#include <vector>

namespace hyperscale::load {

class StepGraph {
 public:
  // Fails with one sentence on an unknown dependency, a cycle or a name that appears twice.
  static Result<StepGraph> make(const std::vector<plan::Step>& steps);

  std::uint32_t layers() const { return static_cast<std::uint32_t>(layers_.size()); }
  std::span<const std::uint32_t> layer(std::uint32_t index) const { return layers_[index]; }
  // Steps that must have been answered for this one to run.
  std::span<const std::uint32_t> needs(std::uint32_t step) const { return needs_[step]; }
  std::uint32_t width() const { return width_; }  // steps of the largest layer

 private:
  std::vector<std::vector<std::uint32_t>> layers_;
  std::vector<std::vector<std::uint32_t>> needs_;
  std::uint32_t width_ = 0;
};

}  // namespace hyperscale::load
