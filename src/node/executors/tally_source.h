// TallySource: the tallies of one executor, for the world of a run. Plain value; any thread.
#pragma once

#include "load/recording/tally_reader.h"

#include <cstdint>
#include <memory>

namespace hyperscale::node {

// The executor may have died.
struct TallySource {
  load::TallyReader reader;
  std::uint32_t executor = 0;    // number in the run
  std::uint32_t first_step = 0;  // index of the first step of its workflow
  std::uint32_t steps = 0;
  bool alive = true;
  std::shared_ptr<const void> memory;  // keeps the memory of the reader mapped
};

}  // namespace hyperscale::node
