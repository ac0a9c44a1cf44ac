// TallyFold: folds the tallies of all executors of a run into the block of words of its world (src/realtime), at every
// tick. The block holds the time at which the tallies were read, then a results::FastMoment.
//
// Thread rule: read() and moment_in() from any thread, fold() from one at a time. A fold allocates nothing and cannot
// fail; a dead executor keeps its figures, except its users.
#pragma once

#include "base/time.h"
#include "node/executors/tally_source.h"
#include "realtime/propagator.h"
#include "results/moment.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

namespace hyperscale::node {

class TallyFold {
 public:
  explicit TallyFold(std::uint32_t steps);  // of all workflows

  // Replaces the sources.
  void read(std::vector<TallySource> sources);
  // REQUIRES for both: words_of(steps) words.
  void fold(std::span<std::uint64_t> block);
  // Copies the moment out of a block; returns when it was read.
  static MonoTime moment_in(std::span<const std::uint64_t> block, results::FastMoment& into);
  static std::size_t words_of(std::uint32_t steps);

 private:
  void add(const TallySource& source);

  results::FastMoment moment_;
  std::mutex mutex_;  // guards sources_
  std::vector<TallySource> sources_;
};

// The propagator that fills the block of a world. REQUIRES: a world whose block has words_of(steps) words.
realtime::Propagator propagator_of(std::shared_ptr<TallyFold> tallies);

}  // namespace hyperscale::node
