// The three machines under random events: processes that die, refuse, are slow or deaf, people who change, pause and
// stop, time that stands still. RandomRun has the rules; a broken one is printed with the last events.
#include "random_run.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace hyperscale::jobs {
namespace {

constexpr std::size_t kTape = 400;

RandomRun played() {
  RandomRun run(*rc::gen::container<std::vector<std::uint32_t>>(kTape, rc::gen::inRange<std::uint32_t>(0, 1'000'000)));
  run.run();
  return run;
}

std::string text_of(const RandomRun& run) {
  return fmt::format("{}\n{}", fmt::join(run.broken(), "\n"), run.story());
}

TEST(JobMachineProperty, KeepsItsRules) {
  EXPECT_TRUE(rc::check([] {
    const RandomRun run = played();
    if (!run.broken().empty()) RC_FAIL(text_of(run));
    RC_ASSERT(run.overs() == 1U);
  }));
}

TEST(JobMachineProperty, EndIsFinal) {
  EXPECT_TRUE(rc::check([] {
    RandomRun run = played();
    run.disturb();
    if (!run.broken().empty()) RC_FAIL(text_of(run));
    RC_ASSERT(run.overs() == 1U);
  }));
}

// Each segment ends once, as what happened to it says.
TEST(JobMachineProperty, EverySegmentIsCountedOnce) {
  EXPECT_TRUE(rc::check([] {
    const RandomRun run = played();
    for (const SequenceMachine& workflow : run.machine().workflows()) {
      RC_ASSERT((workflow.done() && workflow.steps().done()));
      for (const ShareMachine::Executor& executor : workflow.steps().executors()) {
        RC_ASSERT(executor.phase == ShareMachine::Phase::kEnded);
        RC_ASSERT(executor.deaths <= kRestartsMax + 1);
        if (executor.deaths > kRestartsMax) RC_ASSERT(executor.lost);
      }
      RC_ASSERT((!(workflow.completed() && workflow.lost_a_share())));
    }
  }));
}

TEST(JobMachineProperty, SameEventsGiveSameActions) {
  EXPECT_TRUE(rc::check([] {
    const auto tape =
        *rc::gen::container<std::vector<std::uint32_t>>(kTape, rc::gen::inRange<std::uint32_t>(0, 1'000'000));
    RandomRun one(tape), other(tape);
    one.run();
    other.run();
    RC_ASSERT(one.story() == other.story());
  }));
}

}  // namespace
}  // namespace hyperscale::jobs
