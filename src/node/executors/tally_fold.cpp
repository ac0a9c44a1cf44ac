#include "node/executors/tally_fold.h"

#include "realtime/snapshot/coarse_clock.h"

#include <algorithm>
#include <utility>

namespace hyperscale::node {
namespace {

constexpr std::size_t kTimeWords = 1;

}  // namespace

TallyFold::TallyFold(std::uint32_t steps) {
  moment_.steps.resize(steps);
}

std::size_t TallyFold::words_of(std::uint32_t steps) {
  return kTimeWords + results::FastMoment::words_of(steps);
}

void TallyFold::read(std::vector<TallySource> sources) {
  const std::lock_guard lock(mutex_);
  sources_ = std::move(sources);
}

void TallyFold::fold(std::span<std::uint64_t> block) {
  moment_.share = {};
  std::ranges::fill(moment_.steps, results::StepMoment());
  const MonoTime now = realtime::monotonic_now();
  {
    const std::lock_guard lock(mutex_);
    for (const TallySource& source : sources_) add(source);
  }
  block.front() = static_cast<std::uint64_t>(now.ns());
  moment_.to_words(block.subspan(kTimeWords));
}

MonoTime TallyFold::moment_in(std::span<const std::uint64_t> block, results::FastMoment& into) {
  into.from_words(block.subspan(kTimeWords));
  return MonoTime::from_ns(static_cast<std::int64_t>(block.front()));
}

void TallyFold::add(const TallySource& source) {
  for (std::uint32_t i = 0; i < source.steps && source.first_step + i < moment_.steps.size(); ++i)
    moment_.steps[source.first_step + i] += source.reader.step_reading(i);
  results::ShareMoment own = source.reader.executor_reading();
  if (!source.alive) own.users = 0;
  moment_.share += own;
}

realtime::Propagator propagator_of(std::shared_ptr<TallyFold> tallies) {
  return {
      .name = "tallies", .writes = {}, .step = [tallies = std::move(tallies)](realtime::StepContext& step) -> Status {
        tallies->fold(step.write_block());
        return {};
      }};
}

}  // namespace hyperscale::node
