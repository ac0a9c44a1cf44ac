// The worker core under random events. RandomWorker has the rules; a broken one is printed with the last events. The
// core's own invariants are CHECKs, which run in every step.
#include "random_worker.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace hyperscale::worker {
namespace {

constexpr std::size_t kTapeLength = 1'200;

std::vector<std::uint32_t> tape() {
  return *rc::gen::container<std::vector<std::uint32_t>>(kTapeLength, rc::gen::inRange<std::uint32_t>(0, 1'000'000));
}

TEST(WorkerCoreProperty, KeepsItsRulesAndFreesAllCores) {
  EXPECT_TRUE(rc::check([] {
    RandomWorker worker(tape());
    worker.run();
    if (!worker.broken().empty()) RC_FAIL(fmt::format("{}\n{}", fmt::join(worker.broken(), "\n"), worker.story()));
    RC_ASSERT(worker.core().cores().available() == worker.core().cores().total());
  }));
}

TEST(WorkerCoreProperty, SameEventsGiveSameActions) {
  EXPECT_TRUE(rc::check([] {
    const std::vector<std::uint32_t> numbers = tape();
    RandomWorker one(numbers), other(numbers);
    one.run();
    other.run();
    RC_ASSERT(one.story() == other.story());
  }));
}

}  // namespace
}  // namespace hyperscale::worker
