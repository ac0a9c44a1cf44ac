// SnapshotAccess: the interface of an observation plan to a snapshot. It hides epochs, pins and arenas, so a test can
// implement it without a world.
//
// read() is called once per region and may fail: the generation can be evicted while a plan runs. Values that it
// returned before stay intact until the plan ends. Thread rule: on the thread that executes the plan.
#pragma once

#include "realtime/snapshot/field.h"

#include <cstdint>
#include <span>

#include <tl/expected.hpp>

namespace hyperscale::realtime {

enum class ArenaError : std::uint8_t {
  kGenerationEvicted,  // the ring no longer holds the generation
  kUnknownField,
};

class SnapshotAccess {
 public:
  virtual ~SnapshotAccess() = default;
  virtual tl::expected<std::span<const double>, ArenaError> read(FieldId field) const = 0;
  virtual std::uint64_t tick() const = 0;
  virtual std::uint64_t world_generation() const = 0;
  virtual std::uint64_t parameter_version() const = 0;
};

// Checked between regions, never per cell.
class Cancellation {
 public:
  virtual ~Cancellation() = default;
  virtual bool cancelled() const = 0;
};

}  // namespace hyperscale::realtime
