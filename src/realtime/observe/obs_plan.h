// ObsPlan: a compiled ObsSpec. It precomputes everything that does not depend on the values.
//
// A plan is immutable and cheap to copy; any number of threads may execute it at once. It belongs to one layout of one
// world: executing it on another returns kPlanInvalidated. execute() checks for cancellation and resolves its field
// once per region; the loop over cells has no branch and can be interrupted only between regions.
#pragma once

#include "base/result.h"
#include "realtime/observe/obs_spec.h"
#include "realtime/observe/snapshot_access.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace hyperscale::realtime {

enum class PlanFailure : std::uint8_t { kInvalidated, kCancelled };

class ObsPlan {
 public:
  // REQUIRES: components has an entry per field.
  static Result<ObsPlan> compile(const ObsSpec& spec, const Grid& grid, std::span<const std::uint32_t> components,
                                 std::uint64_t world_generation);

  // The number of values and mask bytes that it fills.
  std::size_t size() const { return compiled_->size; }
  double coverage() const { return compiled_->coverage; }
  // True if half or more of a region's box is padding.
  bool wasteful() const { return compiled_->wasteful; }
  std::size_t regions() const { return compiled_->regions.size(); }
  std::uint64_t world_generation() const { return compiled_->world_generation; }

  // REQUIRES: both buffers have size() elements.
  tl::expected<void, PlanFailure> execute(const SnapshotAccess& snapshot, const Cancellation& cancellation,
                                          std::span<double> values, std::span<std::uint8_t> mask) const;

 private:
  struct Step {
    std::uint32_t source;
    std::uint32_t target;
  };
  struct CompiledRegion {
    FieldId field = 0;
    Transform transform;
    std::vector<Step> steps;                // without pooling: one per valid value
    std::vector<std::uint32_t> pooled;      // with pooling: sources of all targets, group by group
    std::vector<std::uint32_t> group_ends;  // end of each target's group in `pooled`
    Pooling::Kind pooling = Pooling::Kind::kMean;
    std::size_t offset = 0;  // first value in the buffers
    std::size_t reach = 0;   // required length of its field
    std::vector<std::uint8_t> mask;
  };
  struct Compiled {
    std::vector<CompiledRegion> regions;
    std::size_t size = 0;
    double coverage = 0;
    bool wasteful = false;
    std::uint64_t world_generation = 0;
  };

  explicit ObsPlan(std::shared_ptr<const Compiled> compiled) : compiled_(std::move(compiled)) {}
  static Result<CompiledRegion> compile_entry(const ObsEntry& entry, const Grid& grid, std::uint32_t components,
                                              bool& wasteful);
  static std::size_t reach_of(const CompiledRegion& region);
  static void gather(const CompiledRegion& region, std::span<const double> field, std::span<double> out);
  static void pool(const CompiledRegion& region, std::span<const double> field, std::span<double> out);

  std::shared_ptr<const Compiled> compiled_;
};

}  // namespace hyperscale::realtime
