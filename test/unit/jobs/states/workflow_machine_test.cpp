#include "jobs/states/workflow_machine.h"

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace hyperscale::jobs {
namespace {

using enum WorkflowState;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

constexpr MonoTime kZero = MonoTime::from_ns(7'000'000'000);

wire::ShareId share(std::uint32_t workflow, std::uint32_t number = 0) {
  return {.job = "eu-1763535600000-k3v9x2ma-1", .workflow = workflow, .share = number};
}

WorkflowMachine with_shares(std::uint32_t count) {
  WorkflowMachine shares;
  for (std::uint32_t each = 0; each < count; ++each) shares.add(share(each), kZero);
  return shares;
}

void move_through(WorkflowMachine& shares, const wire::ShareId& id, std::initializer_list<WorkflowState> states) {
  for (const WorkflowState state : states) ASSERT_TRUE(shares.move(id, state, "step", kZero)) << name(state);
}

// proves: WFSM-3
TEST(WorkflowMachine, AnUnknownShareReadsAsPending) {
  WorkflowMachine shares;
  EXPECT_EQ(shares.state_of(share(1)), kPending);
  EXPECT_TRUE(shares.is_in(share(1), {kRunning, kPending}));
  EXPECT_FALSE(shares.is_over(share(1)));
  // A late message must not create it again.
  EXPECT_FALSE(shares.move(share(1), kDispatched, "late", kZero));
  EXPECT_FALSE(shares.contains(share(1)));
  EXPECT_EQ(shares.refused(), 1U);
  EXPECT_FALSE(shares.give_up(share(1)));
  EXPECT_FALSE(shares.cancel_for_parent(share(1), kZero));
  EXPECT_FALSE(shares.reset(share(1), "late", kZero));
}

// proves: WFSM-5
TEST(WorkflowMachine, QueriesEndWithTheShare) {
  WorkflowMachine shares = with_shares(2);
  EXPECT_FALSE(shares.add(share(1), kZero, kRunning)) << "it is there already";
  move_through(shares, share(1), {kDispatched, kRunning});
  EXPECT_EQ(shares.state_of(share(1)), kRunning);
  EXPECT_TRUE(shares.is_in(share(1), {kRunning, kFailed}));
  EXPECT_FALSE(shares.is_in(share(1), {kPending, kFailed}));
  EXPECT_EQ(shares.history_of(share(1))->changes().size(), 2U);
  EXPECT_EQ(shares.count(kRunning), 1U);
  shares.remove(share(1));
  EXPECT_EQ(shares.history_of(share(1)), nullptr);
  EXPECT_EQ(shares.state_of(share(1)), kPending);
  EXPECT_EQ(shares.count(kRunning), 0U);
  EXPECT_THAT(shares.shares(), ElementsAre(share(0)));
}

// proves part: WFSM-4 (complete as far as the last 64 changes go)
TEST(WorkflowMachine, HistoryIsReadableText) {
  WorkflowMachine shares = with_shares(1);
  shares.move(share(0), kDispatched, "dispatching to worker w1", kZero + 1s);
  shares.move(share(0), kRunning, "worker acknowledged", kZero + 1050ms);
  shares.move(share(0), kFailed, "worker w1 died", kZero + 6s);
  const auto& changes = shares.history_of(share(0))->changes();
  ASSERT_EQ(changes.size(), 3U);
  EXPECT_EQ(changes[1].from, kDispatched);
  EXPECT_EQ(changes[1].to, kRunning);
  EXPECT_EQ(changes[1].at, kZero + 1050ms);
  EXPECT_EQ(changes[1].reason, "worker acknowledged");
  EXPECT_EQ(shares.history_of(share(0))->text(),
            "0.000: PENDING → DISPATCHED (dispatching to worker w1)\n"
            "0.050: DISPATCHED → RUNNING (worker acknowledged)\n"
            "5.000: RUNNING → FAILED (worker w1 died)\n");
}

TEST(WorkflowMachine, HistoryIsBoundedAndCountsWhatItDrops) {
  WorkflowMachine shares = with_shares(1);
  for (int round = 0; round < 40; ++round) {
    ASSERT_TRUE(shares.cancel_for_parent(share(0), kZero));
    move_through(shares, share(0), {kCancelled});
    ASSERT_TRUE(shares.reset(share(0), "again", kZero + 1s));
  }
  EXPECT_EQ(shares.history_of(share(0))->changes().size(), kWorkflowHistoryMax);
  EXPECT_EQ(shares.history_of(share(0))->dropped(), 120 - kWorkflowHistoryMax);
  EXPECT_THAT(shares.history_of(share(0))->text(), testing::StartsWith("(56 older changes were dropped)\n"));
}

TEST(WorkflowMachine, AFailureThatIsGivenUpIsFinal) {
  WorkflowMachine shares = with_shares(1);
  EXPECT_FALSE(shares.give_up(share(0))) << "it has not failed";
  move_through(shares, share(0), {kDispatched, kFailed});
  EXPECT_FALSE(shares.is_over(share(0)));
  EXPECT_TRUE(shares.give_up(share(0)));
  EXPECT_TRUE(shares.is_over(share(0)));
  for (std::size_t to = 0; to < kWorkflowStates; ++to) {
    EXPECT_FALSE(shares.move(share(0), static_cast<WorkflowState>(to), "late", kZero));
  }
  EXPECT_EQ(shares.state_of(share(0)), kFailed);
}

TEST(WorkflowMachine, OnlyACancelForAParentIsUndone) {
  WorkflowMachine shares = with_shares(2);
  ASSERT_TRUE(shares.cancel_for_parent(share(0), kZero));
  EXPECT_FALSE(shares.reset(share(0), "early", kZero)) << "not confirmed yet";
  move_through(shares, share(0), {kCancelled});
  EXPECT_EQ(shares.history_of(share(0))->changes().front().reason, kParentFailed);
  EXPECT_TRUE(shares.is_over(share(0)));
  EXPECT_TRUE(shares.reset(share(0), "re-queued after failure", kZero));
  EXPECT_EQ(shares.state_of(share(0)), kPending);
  // By its user this time.
  move_through(shares, share(0), {kCancelling, kCancelled});
  EXPECT_FALSE(shares.reset(share(0), "again", kZero));
  move_through(shares, share(1), {kCancelling, kCancelled});
  EXPECT_FALSE(shares.reset(share(1), "again", kZero));
}

TEST(WorkflowMachine, NothingIsRetriedWhenTheJobIsOver) {
  WorkflowMachine shares = with_shares(2);
  ASSERT_TRUE(shares.cancel_for_parent(share(0), kZero));
  move_through(shares, share(0), {kCancelled});
  move_through(shares, share(1), {kDispatched, kFailed, kFailedCancelingDependents, kFailedReadyForRetry});
  shares.end_retries();
  EXPECT_FALSE(shares.reset(share(0), "late", kZero));
  EXPECT_FALSE(shares.move(share(1), kPending, "late", kZero));
  EXPECT_TRUE(shares.move(share(1), kCancelled, "job cancel request", kZero));
}

// proves: WFSM-PROG-1
TEST(WorkflowMachine, HooksSeeEachTransition) {
  WorkflowMachine shares = with_shares(1);
  std::vector<std::pair<wire::ShareId, WorkflowState>> first, last;
  shares.on_progress([&](const auto& id, WorkflowState state) { first.emplace_back(id, state); });
  shares.on_progress([](const auto&, WorkflowState) { throw std::runtime_error("a faulty hook"); });
  shares.on_progress([&](const auto& id, WorkflowState state) { last.emplace_back(id, state); });
  EXPECT_TRUE(shares.move(share(0), kDispatched, "step", kZero + 3s));
  EXPECT_FALSE(shares.move(share(0), kCompleted, "step", kZero + 4s));
  EXPECT_TRUE(shares.move(share(0), kRunning, "step", kZero + 5s));
  EXPECT_THAT(first, ElementsAre(Pair(share(0), kDispatched), Pair(share(0), kRunning)));
  EXPECT_EQ(last, first);
  EXPECT_EQ(shares.hook_failures(), 2U);
  EXPECT_EQ(shares.state_of(share(0)), kRunning);
  EXPECT_EQ(shares.since_progress(share(0), kZero + 5s), 0s) << "recorded before the hooks";
}

// proves part: WFSM-1 (one atomic step; the log line is the record that a hook gets)
// proves part: WFSM-2 (changes nothing, returns false; the warning is the record that a hook gets)
TEST(WorkflowMachine, RecordsTellTheTimeInTheStateBefore) {
  WorkflowMachine shares = with_shares(1);
  std::vector<std::string> lines;
  shares.on_record([&](const WorkflowMachine::Record& record) {
    lines.push_back(fmt::format("{} {} {} {} {}ms {}", record.share.workflow, name(record.from), name(record.to),
                                record.reason, record.in_from / 1ms, record.refused ? "refused" : "done"));
  });
  shares.move(share(0), kDispatched, "sent", kZero + 250ms);
  shares.touch(share(0), kZero + 300ms);
  shares.move(share(0), kPending, "back", kZero + 400ms);
  EXPECT_THAT(lines, ElementsAre("0 PENDING DISPATCHED sent 250ms done", "0 DISPATCHED PENDING back 150ms refused"));
}

// proves: WFSM-PROG-2
TEST(WorkflowMachine, StuckSharesAreListed) {
  WorkflowMachine shares = with_shares(4);
  EXPECT_EQ(shares.since_progress(share(9), kZero + 1h), 0s);
  shares.move(share(0), kDispatched, "step", kZero + 10s);
  shares.touch(share(1), kZero + 20s);
  move_through(shares, share(2), {kDispatched, kRunning, kCompleted});
  EXPECT_EQ(shares.since_progress(share(0), kZero + 130s), 120s);
  EXPECT_THAT(shares.stuck(120s, kZero + 130s), ElementsAre(share(3))) << "exactly the threshold is not more";
  EXPECT_THAT(shares.stuck(120s, kZero + 130s + 1ns), ElementsAre(share(0), share(3)));
  EXPECT_THAT(shares.stuck(120s, kZero + 1h), ElementsAre(share(0), share(1), share(3)));
}

// proves: WFSM-SCN-3
TEST(WorkflowMachine, ACompletedShareStaysCompleted) {
  WorkflowMachine shares = with_shares(1);
  move_through(shares, share(0), {kDispatched, kRunning, kCompleted});
  EXPECT_FALSE(shares.move(share(0), kPending, "again", kZero));
  EXPECT_EQ(shares.state_of(share(0)), kCompleted);
  EXPECT_EQ(shares.refused(), 1U);
}

TEST(WorkflowMachine, SharesOfAWorkflowAreFound) {
  WorkflowMachine shares;
  for (const std::uint32_t number : {2U, 0U, 1U}) shares.add(share(7, number), kZero);
  shares.add(share(8), kZero);
  EXPECT_THAT(shares.shares_of(7), ElementsAre(share(7, 0), share(7, 1), share(7, 2)));
  EXPECT_THAT(shares.shares_of(9), IsEmpty());
}

RC_GTEST_PROP(WorkflowMachine, RandomEventsKeepItsRules, ()) {
  WorkflowMachine shares = with_shares(3);
  MonoTime now = kZero;
  std::vector<WorkflowState> last(3, kPending);
  std::vector<bool> over(3, false);
  std::uint64_t moves = 0;
  for (int i = 0; i < 300; ++i) {
    now += 1ms;
    const auto which = *rc::gen::inRange<std::uint32_t>(0, 3);
    const auto to = static_cast<WorkflowState>(*rc::gen::inRange<std::size_t>(0, kWorkflowStates));
    const int what = *rc::gen::inRange(0, 20);
    bool was_reset = false;
    bool moved = false;
    if (what == 0) {
      shares.give_up(share(which));
    } else if (what == 1) {
      moved = shares.cancel_for_parent(share(which), now);
    } else if (what == 2) {
      moved = was_reset = shares.reset(share(which), "random", now);
    } else {
      moved = shares.move(share(which), to, "random", now);
    }
    moves += moved ? 1 : 0;
    const WorkflowState state = shares.state_of(share(which));
    if (moved) RC_ASSERT((may_become(last[which], state) || (was_reset && last[which] == kCancelled)));
    if (!moved) RC_ASSERT(state == last[which]);
    if (over[which]) RC_ASSERT((!moved || was_reset));
    last[which] = state;
    over[which] = shares.is_over(share(which));
    RC_ASSERT(shares.history_of(share(which))->changes().size() <= kWorkflowHistoryMax);
  }
  std::size_t counted = 0;
  std::uint64_t transitions = 0;
  for (std::size_t from = 0; from < kWorkflowStates; ++from) {
    counted += shares.count(static_cast<WorkflowState>(from));
    for (std::size_t to = 0; to < kWorkflowStates; ++to) {
      transitions += shares.transitions(static_cast<WorkflowState>(from), static_cast<WorkflowState>(to));
    }
  }
  RC_ASSERT(counted == 3U);
  RC_ASSERT(transitions == moves);
}

}  // namespace
}  // namespace hyperscale::jobs
