// SnapshotAccess: all that an observation plan knows about a snapshot. It says nothing of epochs, pins or arenas, so a
// test can stand in for a world.
//
// read() is asked once per region and may fail: the generation can be evicted while a plan runs. What it returned
// before stays intact until the plan ends. Thread rule: on the thread that executes the plan.
#pragma once

#include "realtime/snapshot/field.h"

#include <cstdint>
#include <span>

#include <tl/expected.hpp>

namespace hyperscale::realtime {

enum class ArenaError : std::uint8_t {
  kGenerationEvicted,  // the ring has moved on past the generation
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

// Asked between regions, never per cell.
class Cancellation {
 public:
  virtual ~Cancellation() = default;
  virtual bool cancelled() const = 0;
};

}  // namespace hyperscale::realtime
