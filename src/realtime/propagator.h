// Propagators: functions that compute the next state of the world, one after the other, on the engine thread.
//
// A step reads the state before the tick (read_previous) or as earlier steps of this tick left it (read), and writes
// the fields it declared. It fails by returning an error or throwing: the whole tick is then dropped and none of it is
// visible. A full write returns uninitialised memory that must be filled; an incremental one starts from the previous
// values.
#pragma once

#include "base/result.h"
#include "realtime/snapshot/field.h"

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace hyperscale::realtime {

class StepContext {
 public:
  virtual ~StepContext() = default;
  virtual std::uint64_t tick() const = 0;  // the tick in progress
  virtual double dt() const = 0;
  virtual std::span<const double> read(FieldId field) const = 0;
  virtual std::span<const double> read_previous(FieldId field) const = 0;
  virtual std::span<double> write(FieldId field) = 0;   // as declared: full or incremental
  virtual std::span<double> update(FieldId field) = 0;  // always starts from the values of read(); for command handlers
  // The world's block of words (WorldConfig::block_words), not initialised: the caller fills all of it.
  virtual std::span<std::uint64_t> write_block() = 0;
  // Increments the parameter version, from this tick on.
  virtual void parameters_changed() = 0;
};

enum class WriteMode : std::uint8_t { kFull, kIncremental };

struct FieldWrite {
  FieldId field = 0;
  WriteMode mode = WriteMode::kFull;
};

struct Propagator {
  std::string name;
  std::vector<FieldWrite> writes;
  std::function<Status(StepContext&)> step;
  std::vector<FieldId> reads = {};  // checked to exist; order is the order of propagators
};

}  // namespace hyperscale::realtime
