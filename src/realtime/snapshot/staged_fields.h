// StagedFields: the values of the tick in progress, between the previous generation and the next one.
//
// begin(), then reads and writes in any order, then either fill() with commit() after publication, or abandon(). Fields
// that are not written keep their values: per-tick fields are copied, sparse and fixed ones shared. Thread rule: the
// engine only.
#pragma once

#include "realtime/snapshot/field_generation.h"
#include "realtime/snapshot/sparse_values.h"
#include "realtime/world_config.h"

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace hyperscale::realtime {

class StagedFields {
 public:
  StagedFields(const WorldConfig& config, std::size_t live_generations_max);

  // Doubles needed by the per-tick fields of one generation.
  std::size_t segment_doubles() const { return segment_doubles_; }

  // previous: nullptr before the first tick.
  void begin(FieldGeneration& staging, const FieldGeneration* previous);
  std::span<const double> read(FieldId field) const;
  std::span<const double> read_previous(FieldId field) const;
  std::span<double> write(FieldId field, bool seeded);
  std::span<std::uint64_t> write_block();

  void fill();                                            // completes the staged generation's table of fields
  void commit(Epoch epoch, std::span<const Epoch> live);  // REQUIRES: live is ascending
  void abandon();
  void collect(std::span<const Epoch> live);

  std::size_t sparse_values_in_use() const;

 private:
  struct Field {
    Mutability mutability = Mutability::kPerTick;
    std::size_t doubles = 0;
    WriteMode mode = WriteMode::kIncremental;
    std::vector<double> initial;  // of per-tick fields before the first tick, and of fixed ones
    std::optional<SparseValues> sparse = std::nullopt;
    std::span<double> staged = {};  // this tick's value of a per-tick field; empty: not written
  };

  std::vector<Field> fields_;
  std::size_t segment_doubles_ = 0;
  FieldGeneration* staging_ = nullptr;
  const FieldGeneration* previous_ = nullptr;
  bool block_written_ = false;
};

}  // namespace hyperscale::realtime
