// SampleRing: where the samples of one executor are read, also of one that has died. Plain value; any thread.
#pragma once

#include "load/recording/tally_reader.h"
#include "stream/frame_ring.h"

#include <cstdint>
#include <memory>

namespace hyperscale::node {

struct SampleRing {
  std::uint32_t executor = 0;  // number in the run
  std::uint64_t number = 0;    // of the process in its pool: a successor has another one
  stream::RingMemory<> memory;
  load::TallyReader tallies;            // of the same executor: samples() counts what it recorded
  std::shared_ptr<const void> regions;  // what both read, kept for as long as they may
};

}  // namespace hyperscale::node
