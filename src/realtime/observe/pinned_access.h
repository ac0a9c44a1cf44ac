// PinnedAccess: the interface of a plan to a pinned generation; FieldHandle: a field of one generation.
//
// A handle fails with kGenerationEvicted once its generation has left the ring. That is policy: the values stay intact
// as long as the pin lives. Thread rule: the thread that holds the pin.
#pragma once

#include "realtime/observe/snapshot_access.h"
#include "realtime/snapshot/field_generation.h"

#include <functional>

namespace hyperscale::realtime {

// Called at fixed points of an observation, so that a test can block readers there. Empty in production.
using MomentHook = std::function<void(Moment)>;

struct FieldHandle {
  Epoch generation = kNothingPublished;
  FieldId field = 0;
};

class PinnedAccess final : public SnapshotAccess {
 public:
  PinnedAccess(const PinnedFields& pinned, const MomentHook& hook) : pinned_(&pinned), hook_(&hook) {}

  FieldHandle handle(FieldId field) const { return FieldHandle{pinned_->epoch(), field}; }
  tl::expected<std::span<const double>, ArenaError> resolve(FieldHandle handle) const {
    if (*hook_) (*hook_)(Moment::kRegion);
    if (handle.generation != pinned_->epoch() || pinned_->evicted()) {
      return tl::unexpected(ArenaError::kGenerationEvicted);
    }
    const FieldGeneration& generation = pinned_->payload();
    if (handle.field >= generation.fields.size()) return tl::unexpected(ArenaError::kUnknownField);
    if (*hook_) (*hook_)(Moment::kRead);
    return generation.fields[handle.field];
  }

  tl::expected<std::span<const double>, ArenaError> read(FieldId field) const override {
    return resolve(handle(field));
  }
  std::uint64_t tick() const override { return pinned_->payload().tick; }
  std::uint64_t world_generation() const override { return pinned_->payload().world_generation; }
  std::uint64_t parameter_version() const override { return pinned_->payload().parameter_version; }

 private:
  const PinnedFields* pinned_;
  const MomentHook* hook_;
};

}  // namespace hyperscale::realtime
