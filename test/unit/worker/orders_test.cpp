#include "played_worker.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hyperscale::worker {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;
using wire::CancelMode;
using wire::Refusal;

const wire::ShareId kShare = share_of("job");
const wire::AttemptId kFirst = attempt_of(kShare);

std::vector<std::string> commands_of(const std::vector<wire::NumberedChange>& changes) {
  std::vector<std::string> out;
  out.reserve(changes.size());
  for (const wire::NumberedChange& change : changes) out.push_back(change.command);
  return out;
}

TEST(StartOrder, BeginsInTheTimeAsked) {
  PlayedWorker worker;
  wire::WorkflowDispatch dispatch = worker.dispatch(kFirst);
  dispatch.from_elapsed = 30s;
  worker.place(dispatch);
  const wire::WorkflowStart start{kFirst, kBoot, kTerm, 200ms, {{"", "token", "\"x\"", 1}}};
  EXPECT_TRUE(worker.ask<wire::OrderAck>(start)->accepted);
  const auto starts = worker.take<Start>();
  ASSERT_THAT(starts, SizeIs(1));
  EXPECT_EQ(starts[0].at, worker.now + 200ms);
  EXPECT_EQ(starts[0].from_elapsed, 30s);
  EXPECT_THAT(starts[0].values, SizeIs(1));
  worker.pass(1200ms);
  EXPECT_EQ(worker.ask<wire::OrderAck>(start)->elapsed, 31s) << "a repeat is harmless";
  EXPECT_THAT(worker.take<Start>(), IsEmpty());
  worker.end(kFirst);
  EXPECT_TRUE(worker.ask<wire::OrderAck>(start)->accepted) << "also when it has ended";
}

TEST(StartOrder, NeedsAReadyAttempt) {
  PlayedWorker worker;
  EXPECT_EQ(worker.start(kFirst).refusal, Refusal::kUnknown);
  worker.adapter.prepares = false;
  worker.place(worker.dispatch(kFirst));
  EXPECT_EQ(worker.start(kFirst).refusal, Refusal::kNotReady);
  worker.feed(Prepared{kFirst});
  EXPECT_EQ(worker.start(attempt_of(kShare, 9)).refusal, Refusal::kOldFence);
  wire::WorkflowStart other{kFirst, wire::BootId(1), kTerm, 0ms, {}};
  EXPECT_EQ(worker.ask<wire::OrderAck>(other)->refusal, Refusal::kOtherBoot);
  other = {kFirst, kBoot, wire::Term(2), 0ms, {}};
  EXPECT_EQ(worker.ask<wire::OrderAck>(other)->refusal, Refusal::kOldTerm);
  EXPECT_TRUE(worker.start(kFirst).accepted);
}

TEST(ChangeOrder, IsAppliedOnceInOrder) {
  PlayedWorker worker;
  worker.run(kFirst);
  EXPECT_TRUE(worker.change(kFirst, 1, "vus=20").accepted);
  EXPECT_TRUE(worker.change(kFirst, 1, "vus=20").accepted);
  const wire::OrderAck gap = worker.change(kFirst, 3, "vus=40");
  EXPECT_EQ(gap.refusal, Refusal::kNotReady);
  EXPECT_EQ(gap.error, "change 2 is missing");
  EXPECT_EQ(gap.last_change, 1U);
  EXPECT_TRUE(worker.change(kFirst, 2, "vus=30").accepted);
  EXPECT_EQ(worker.change(kFirst, 3, "vus=40").last_change, 3U);
  std::vector<wire::NumberedChange> changes;
  for (const Change& change : worker.take<Change>()) changes.push_back(change.change);
  EXPECT_THAT(commands_of(changes), ElementsAre("vus=20", "vus=30", "vus=40"));
  EXPECT_EQ(worker.change(kFirst, 4, "faster").refusal, Refusal::kBadPlan);
  worker.pass(1s);
  worker.feed(Reading{kFirst, {}, {}, {}});
  EXPECT_EQ(worker.sent<wire::ShareProgress>().back().last_change, 3U);
}

// A later attempt replays the changes of the ones before it (H10).
TEST(ChangeOrder, WaitsForTheStart) {
  PlayedWorker worker;
  wire::WorkflowDispatch dispatch = worker.dispatch(kFirst);
  dispatch.changes = {{1, 5s, "vus=20"}};
  worker.place(dispatch);
  EXPECT_TRUE(worker.change(kFirst, 2, "vus=30").accepted);
  EXPECT_THAT(worker.take<Change>(), IsEmpty());
  worker.start(kFirst);
  EXPECT_THAT(commands_of(worker.take<Start>().at(0).changes), ElementsAre("vus=20", "vus=30"));
}

TEST(ChangeOrder, PausesStopTheClock) {
  PlayedWorker worker;
  worker.run(kFirst);
  worker.pass(2s);
  worker.change(kFirst, 1, "pause");
  worker.pass(10s);
  EXPECT_EQ(worker.start(kFirst).elapsed, 2s);
  worker.change(kFirst, 2, "resume");
  worker.pass(1s);
  EXPECT_EQ(worker.start(kFirst).elapsed, 3s);
}

TEST(Cancel, StopsThenKillsAfterOneSecond) {
  PlayedWorker worker;
  worker.run(kFirst, 4);
  const wire::WorkflowCancelResponse response = worker.cancel("job");
  EXPECT_TRUE(response.success);
  EXPECT_EQ(response.cancelled_count, 1U);
  EXPECT_EQ(response.still_running, 1U);
  EXPECT_THAT(worker.take<Stop>(), SizeIs(1));
  worker.pass(kCancelPatience - 1ms);
  EXPECT_THAT(worker.take<Kill>(), IsEmpty());
  worker.pass(1ms);
  EXPECT_THAT(worker.take<Kill>(), SizeIs(1));
  EXPECT_EQ(worker.core.cores().available(), 8U);
  const auto results = worker.sent<wire::WorkflowFinalResult>();
  ASSERT_THAT(results, SizeIs(1));
  EXPECT_EQ(results[0].end, wire::AttemptEnd::kCancelled);
  EXPECT_EQ(results[0].error, "");
}

// proves part: AD20-5 (at the worker)
// proves part: JOB-CANCEL-3 (the count of a worker)
TEST(Cancel, TwiceHasOneAnswer) {
  PlayedWorker worker;
  worker.adapter.ends_on_stop = true;
  worker.run(kFirst);
  worker.run(attempt_of(share_of("job", 1)));
  const wire::WorkflowCancelResponse first = worker.cancel("job");
  EXPECT_EQ(first.cancelled_count, 2U);
  worker.pass(5s);
  EXPECT_THAT(worker.take<Stop>(), SizeIs(2));
  wire::WorkflowCancelResponse second = worker.cancel("job");
  EXPECT_EQ(second.still_running, 0U);
  second.still_running = first.still_running;
  EXPECT_EQ(second, first);
  EXPECT_THAT(worker.take<Stop>(), IsEmpty());
  EXPECT_THAT(worker.take<Kill>(), IsEmpty());
  const wire::WorkflowCancelResponse unknown = worker.cancel("nothing");
  EXPECT_TRUE(unknown.success) << "what does not run is cancelled";
  EXPECT_EQ(unknown.cancelled_count, 0U);
}

TEST(Cancel, WhatIsNotStartedIsKilledAtOnce) {
  PlayedWorker worker;
  worker.place(worker.dispatch(kFirst));
  worker.cancel("job");
  EXPECT_THAT(worker.take<Stop>(), IsEmpty());
  EXPECT_THAT(worker.take<Kill>(), SizeIs(1));
  EXPECT_EQ(worker.sent<wire::WorkflowFinalResult>().at(0).end, wire::AttemptEnd::kCancelled);
}

TEST(Cancel, DispatchThatIsReadIsRefused) {
  PlayedWorker worker;
  worker.adapter.reads = false;
  const Ticket ticket = worker.ask_later(worker.dispatch(kFirst));
  EXPECT_EQ(worker.cancel("job").cancelled_count, 1U);
  EXPECT_FALSE(std::get<wire::WorkflowDispatchAck>(worker.answers.at(ticket)).accepted);
  EXPECT_EQ(worker.core.attempts(), 0U);
}

// A cancel may overtake a dispatch, which then must not start what is cancelled.
TEST(Cancel, RefusesLaterDispatchesOfItsEpoch) {
  PlayedWorker worker;
  worker.cancel("job");
  EXPECT_EQ(worker.place(worker.dispatch(kFirst)).refusal, Refusal::kOldFence);
  EXPECT_TRUE(worker.place(worker.dispatch(attempt_of(kShare, 11))).accepted);
  const wire::ShareId other = share_of("shop", 3);
  worker.cancel("shop", CancelMode::kCancel, 10, {other});
  EXPECT_FALSE(worker.place(worker.dispatch(attempt_of(other))).accepted);
  EXPECT_TRUE(worker.place(worker.dispatch(attempt_of(share_of("shop", 4)))).accepted);
}

TEST(Cancel, WaitingSuccessorIsRefused) {
  PlayedWorker worker;
  worker.adapter.ends_on_kill = false;
  worker.run(kFirst);
  const Ticket next = worker.ask_later(worker.dispatch(attempt_of(kShare, 10, 2)));
  worker.cancel("job");
  EXPECT_FALSE(std::get<wire::WorkflowDispatchAck>(worker.answers.at(next)).accepted);
  worker.end(kFirst);
  EXPECT_EQ(worker.core.attempts(), 0U);
}

TEST(Cancel, OfALowerEpochHasNoEffect) {
  PlayedWorker worker;
  worker.run(kFirst);
  const wire::WorkflowCancelResponse response = worker.cancel("job", CancelMode::kCancel, 9);
  EXPECT_FALSE(response.success);
  EXPECT_EQ(response.error, "1 attempts have a higher epoch than 9");
  EXPECT_THAT(worker.take<Stop>(), IsEmpty());
}

// Stopping load is safe whoever asks (H12).
TEST(Cancel, IsAllowedUnderAnyTerm) {
  PlayedWorker worker;
  worker.run(kFirst);
  worker.ask<wire::WorkerAnswer>(wire::WorkerQuery{wire::Term(99), ""});
  EXPECT_EQ(worker.cancel("job").cancelled_count, 1U);
}

TEST(Cancel, GracefulStopIsNotKilledAndCanBeTightened) {
  PlayedWorker worker;
  worker.run(kFirst);
  worker.cancel("job", CancelMode::kStop);
  worker.pass(20s);
  EXPECT_THAT(worker.take<Kill>(), IsEmpty()) << "the share has a deadline of its own";
  worker.cancel("job", CancelMode::kCancel);
  EXPECT_THAT(worker.take<Stop>(), SizeIs(1)) << "not twice";
  worker.pass(kCancelPatience);
  EXPECT_THAT(worker.take<Kill>(), SizeIs(1));
  EXPECT_EQ(worker.sent<wire::WorkflowFinalResult>().at(0).end, wire::AttemptEnd::kCancelled);
}

TEST(Cancel, StoppedIsNotCancelled) {
  PlayedWorker worker;
  worker.run(kFirst);
  worker.cancel("job", CancelMode::kStop);
  worker.end(kFirst);
  EXPECT_EQ(worker.sent<wire::WorkflowFinalResult>().at(0).end, wire::AttemptEnd::kStopped);
  EXPECT_FALSE(worker.core.snapshot("", worker.now).attempts.empty());
  EXPECT_THAT(worker.core.snapshot("", worker.now).tombstones, IsEmpty());
}

TEST(Cancel, KillDoesNotWait) {
  PlayedWorker worker;
  worker.run(kFirst);
  worker.cancel("job", CancelMode::kKill);
  EXPECT_THAT(worker.take<Stop>(), IsEmpty());
  EXPECT_THAT(worker.take<Kill>(), SizeIs(1));
}

TEST(Cancel, TeardownRunsToItsEndWithinBounds) {
  const wire::AttemptId teardown = attempt_of(share_of("job", 0, wire::SharePart::kTeardown));
  PlayedWorker worker;
  worker.cancel("job");
  worker.run(teardown);
  worker.cancel("job");
  EXPECT_THAT(worker.take<Stop>(), IsEmpty());
  worker.pass(kTeardownPatience - 1s);
  EXPECT_THAT(worker.take<Kill>(), IsEmpty());
  worker.pass(1s);
  EXPECT_THAT(worker.take<Kill>(), SizeIs(1));
  const wire::AttemptId another = attempt_of(share_of("shop", 0, wire::SharePart::kTeardown));
  worker.run(another);
  worker.cancel("shop");
  worker.end(another);
  EXPECT_EQ(worker.sent<wire::WorkflowFinalResult>().back().end, wire::AttemptEnd::kCompleted);
}

// The leader that sent the cancel may die before it is recorded (H11).
TEST(Cancel, LeavesATombstoneForTheNextLeader) {
  PlayedWorker worker;
  worker.adapter.ends_on_stop = true;
  worker.run(kFirst);
  worker.cancel("job");
  worker.ask<wire::Released>(wire::ResultRelease{kFirst});
  const auto answer = worker.ask<wire::WorkerAnswer>(wire::WorkerQuery{kTerm, "job"});
  ASSERT_THAT(answer->tombstones, SizeIs(1));
  EXPECT_EQ(answer->tombstones[0], (wire::Tombstone{kFirst, true}));
}

// proves part: ZOMBIE-PREV-3 (the core; no worker runs with it yet)
// proves part: JOB-CANCEL-2 (the core; no worker runs with it yet)
// proves part: FEAT-ZOMBIE-3 (the core; no worker runs with it yet)
TEST(CancelPoll, FindsALostCancelWithinFiveSeconds) {
  PlayedWorker worker;
  bool is_cancelled = false;
  worker.managers = [&](const Send& send) -> std::optional<wire::JobAnswer> {
    const auto* query = std::get_if<wire::CancelQuery>(&send.question);
    if (query == nullptr) return accepted(send);
    return wire::CancelQueryAnswer{true, is_cancelled, query->attempt.fence};
  };
  worker.run(kFirst);
  worker.run(attempt_of(share_of("job", 1)));
  worker.pass(20s);
  EXPECT_THAT(worker.sent<wire::CancelQuery>(), SizeIs(8)) << "every 5 s for each";
  EXPECT_THAT(worker.take<Stop>(), IsEmpty());
  is_cancelled = true;
  worker.pass(kCancelPoll);
  EXPECT_THAT(worker.take<Stop>(), SizeIs(2));
  const auto notes = worker.take<Note>();
  ASSERT_THAT(notes, SizeIs(2));
  EXPECT_EQ(notes[0].text, "job/0.steps.0@10.1 was cancelled: poll_detected");
  worker.pass(kCancelPatience);
  EXPECT_EQ(worker.core.attempts(), 0U);
  EXPECT_TRUE(worker.core.snapshot("job", worker.now).tombstones.at(0).cancelled_by_request);
}

}  // namespace
}  // namespace hyperscale::worker
