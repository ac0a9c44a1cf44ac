// FieldGeneration: the immutable state of the world after one tick: locations of the fields' values, and versions.
//
// Per-tick values and the block of words are in its own memory; sparse and fixed ones elsewhere, kept alive by the
// engine. Written by the engine before publication, read-only afterwards.
#pragma once

#include "base/time.h"
#include "realtime/snapshot/field.h"
#include "realtime/snapshot/generation_store.h"
#include "realtime/snapshot/pinned_generation.h"
#include "realtime/snapshot/segment.h"

#include <cstdint>
#include <span>
#include <vector>

namespace hyperscale::realtime {

struct FieldGeneration {
  Segment segment;
  std::vector<std::span<const double>> fields;  // by field id
  std::vector<std::uint64_t> block;             // always WorldConfig::block_words long
  std::uint64_t tick = 0;
  std::uint64_t world_generation = 0;
  std::uint64_t parameter_version = 0;

  void reset() { segment.reset(); }
};

using FieldStore = GenerationStore<FieldGeneration>;
using PinnedFields = PinnedGeneration<FieldGeneration>;

}  // namespace hyperscale::realtime
