// TallySource: where the figures of one executor are read, for the world of a run. Plain value; any thread.
#pragma once

#include "load/recording/tally_reader.h"

#include <cstdint>
#include <memory>

namespace hyperscale::node {

// The tallies of one executor, also of one that has died.
struct TallySource {
  load::TallyReader reader;
  std::uint32_t executor = 0;    // number in the run
  std::uint32_t first_step = 0;  // where the steps of its workflow begin among all
  std::uint32_t steps = 0;
  bool alive = true;
  std::shared_ptr<const void> memory;  // what the reader reads, kept for as long as it may
};

}  // namespace hyperscale::node
