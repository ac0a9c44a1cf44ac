#include "played_worker.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hyperscale::worker {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;
using wire::Refusal;

const wire::ShareId kShare = share_of("job");
const wire::AttemptId kFirst = attempt_of(kShare);
const wire::AttemptId kSecond = attempt_of(kShare, 10, 2);

// proves part: WF-EXEC-1 (the core; cores decide, not vus)
TEST(Dispatch, IsPreparedStepByStepAndReported) {
  PlayedWorker worker;
  wire::DispatchContent content = content_of(kShare, 3);
  content.blobs = {{digest_of(9), 100}};
  const wire::WorkflowDispatchAck ack = worker.place(worker.dispatch(kFirst, content));
  EXPECT_TRUE(ack.accepted);
  EXPECT_EQ(ack.cores_assigned, 3U);
  EXPECT_EQ(ack.boot, kBoot);
  EXPECT_EQ(worker.core.cores().available(), 5U);
  EXPECT_THAT(worker.take<FetchBlobs>(), SizeIs(1));
  EXPECT_THAT(worker.take<Resolve>(), SizeIs(1));
  const auto prepared = worker.take<Prepare>();
  ASSERT_THAT(prepared, SizeIs(1));
  EXPECT_THAT(prepared[0].cores, ElementsAre(0, 1, 2));
  EXPECT_EQ(prepared[0].content->workflow_name, "Shop");
  const auto events = worker.sent<wire::WorkflowEvent>();
  ASSERT_THAT(events, SizeIs(1));
  EXPECT_EQ(events[0].event, wire::AttemptEvent::kReady);
  EXPECT_EQ(events[0].number, 1U);
  EXPECT_THAT(worker.take<Start>(), IsEmpty()) << "it starts when all shares are ready, not before";
}

TEST(Dispatch, WithoutBlobsFetchesNothing) {
  PlayedWorker worker;
  worker.place(worker.dispatch(kFirst));
  EXPECT_THAT(worker.take<FetchBlobs>(), IsEmpty());
  EXPECT_THAT(worker.take<Prepare>(), SizeIs(1));
}

// A retried dispatch must not become a failure that runs.
TEST(Dispatch, RepeatGetsTheSameAnswerAndRunsOnce) {
  PlayedWorker worker;
  const wire::WorkflowDispatch dispatch = worker.dispatch(kFirst, 2);
  const wire::WorkflowDispatchAck first = worker.place(dispatch);
  EXPECT_EQ(worker.place(dispatch), first);
  worker.start(kFirst);
  EXPECT_EQ(worker.place(dispatch), first);
  worker.end(kFirst);
  EXPECT_EQ(worker.place(dispatch), first);
  worker.ask<wire::Released>(wire::ResultRelease{kFirst});
  EXPECT_EQ(worker.place(dispatch), first) << "a tombstone answers too";
  EXPECT_THAT(worker.take<Prepare>(), SizeIs(1));
}

// The leader may have placed the share elsewhere since.
TEST(Dispatch, RefusedFenceIsSpent) {
  PlayedWorker worker(2);
  worker.run(attempt_of(share_of("other")), 1);
  const wire::WorkflowDispatch dispatch = worker.dispatch(kFirst, 2);
  const wire::WorkflowDispatchAck refused = worker.place(dispatch);
  EXPECT_EQ(refused.refusal, Refusal::kNoCores);
  EXPECT_EQ(refused.error, "it needs 2 cores, 1 are free");
  worker.end(attempt_of(share_of("other")));
  EXPECT_EQ(worker.core.cores().available(), 2U);
  EXPECT_EQ(worker.place(dispatch), refused);
  EXPECT_TRUE(worker.place(worker.dispatch(kSecond, 2)).accepted);
}

// proves part: AD10-3 (the core; no worker runs with it yet)
TEST(Dispatch, LowerFenceIsRefusedWithTheKnownOne) {
  PlayedWorker worker;
  worker.place(worker.dispatch(kSecond));
  const wire::WorkflowDispatchAck ack = worker.place(worker.dispatch(kFirst));
  EXPECT_FALSE(ack.accepted);
  EXPECT_EQ(ack.refusal, Refusal::kOldFence);
  EXPECT_EQ(ack.known, kSecond.fence);
  EXPECT_EQ(worker.place(worker.dispatch(attempt_of(kShare, 9, 7))).refusal, Refusal::kOldFence) << "epoch first";
  EXPECT_EQ(worker.place(worker.dispatch(attempt_of(share_of("other"), 0, 0))).refusal, Refusal::kOldFence);
}

TEST(Dispatch, OlderEpochOfAJobGetsNoNewShare) {
  PlayedWorker worker;
  worker.place(worker.dispatch(attempt_of(kShare, 12)));
  EXPECT_EQ(worker.place(worker.dispatch(attempt_of(share_of("job", 1), 11))).refusal, Refusal::kOldFence);
  EXPECT_TRUE(worker.place(worker.dispatch(attempt_of(share_of("another"), 11))).accepted);
}

TEST(Dispatch, EqualFenceWithOtherContentIsRefused) {
  PlayedWorker worker;
  worker.place(worker.dispatch(kFirst, 1));
  EXPECT_EQ(worker.place(worker.dispatch(kFirst, 2)).refusal, Refusal::kOtherContent);
  EXPECT_EQ(worker.core.cores().available(), 7U);
  EXPECT_THAT(worker.take<Note>(), SizeIs(1)) << "it is a bug of a manager";
}

TEST(Dispatch, OtherBootIsRefused) {
  PlayedWorker worker;
  wire::WorkflowDispatch dispatch = worker.dispatch(kFirst);
  dispatch.boot = wire::BootId(1);
  const wire::WorkflowDispatchAck ack = worker.place(dispatch);
  EXPECT_EQ(ack.refusal, Refusal::kOtherBoot);
  EXPECT_EQ(ack.boot, kBoot);
  EXPECT_TRUE(worker.place(worker.dispatch(kFirst)).accepted) << "it spends no fence";
}

TEST(Dispatch, OlderTermIsRefusedAfterAPromise) {
  PlayedWorker worker;
  worker.ask<wire::WorkerAnswer>(wire::WorkerQuery{wire::Term(4), ""});
  EXPECT_EQ(worker.place(worker.dispatch(kFirst)).refusal, Refusal::kOldTerm);
  wire::WorkflowDispatch newer = worker.dispatch(kFirst);
  newer.term = wire::Term(4);
  EXPECT_TRUE(worker.place(newer).accepted);
  worker.feed(LeaderHeard{manager(2), wire::Term(5)});
  newer = worker.dispatch(attempt_of(share_of("job", 1)));
  newer.term = wire::Term(4);
  EXPECT_EQ(worker.place(newer).refusal, Refusal::kOldTerm);
}

// proves part: EXEC-DISP-3 (the core; no worker runs with it yet)
TEST(Dispatch, StaleLayerIsRefusedAndAFenceRunsOnce) {
  PlayedWorker worker;
  wire::DispatchContent content = content_of(kShare);
  content.context_version = 2;
  const wire::WorkflowDispatch dispatch = worker.dispatch(kFirst, content);
  EXPECT_TRUE(worker.place(dispatch).accepted);
  EXPECT_TRUE(worker.place(dispatch).accepted);
  EXPECT_THAT(worker.take<Prepare>(), SizeIs(1));
  content = content_of(share_of("job", 1));
  content.context_version = 1;
  EXPECT_EQ(worker.place(worker.dispatch(attempt_of(content.share), content)).refusal, Refusal::kOldFence);
  // A later leader may repeat a layer.
  EXPECT_TRUE(worker.place(worker.dispatch(attempt_of(content.share, 11), content)).accepted);
}

TEST(Dispatch, HigherFenceWaitsForTheOlderProcesses) {
  PlayedWorker worker(2);
  worker.adapter.ends_on_kill = false;
  worker.run(kFirst, 2);
  const wire::WorkflowDispatch next = worker.dispatch(kSecond, 2);
  const Ticket ticket = worker.ask_later(next);
  EXPECT_FALSE(worker.answers.contains(ticket));
  EXPECT_THAT(worker.take<Kill>(), SizeIs(1));
  EXPECT_THAT(worker.take<Prepare>(), SizeIs(1)) << "two attempts of one share never run together";
  const auto seen = worker.ask<wire::WorkerAnswer>(wire::WorkerQuery{kTerm, ""})->attempts;
  ASSERT_THAT(seen, SizeIs(2)) << "a new leader must not place the waiting one again";
  EXPECT_EQ(seen[0].phase, wire::AttemptPhase::kEnding);
  EXPECT_EQ(seen[1].attempt, kSecond);
  const Ticket repeat = worker.ask_later(next);
  worker.end(kFirst);
  EXPECT_TRUE(std::get<wire::WorkflowDispatchAck>(worker.answers.at(ticket)).accepted);
  EXPECT_TRUE(std::get<wire::WorkflowDispatchAck>(worker.answers.at(repeat)).accepted);
  EXPECT_THAT(worker.take<Prepare>(), SizeIs(1));
  EXPECT_NE(worker.core.shelf().find(kFirst), nullptr) << "the leader releases it, or the end of the job";
}

TEST(Dispatch, StillHigherFenceReplacesTheWaitingOne) {
  PlayedWorker worker;
  worker.adapter.ends_on_kill = false;
  worker.run(kFirst);
  const Ticket second = worker.ask_later(worker.dispatch(kSecond));
  const Ticket third = worker.ask_later(worker.dispatch(attempt_of(kShare, 11)));
  EXPECT_EQ(std::get<wire::WorkflowDispatchAck>(worker.answers.at(second)).refusal, Refusal::kOldFence);
  worker.end(kFirst);
  EXPECT_TRUE(std::get<wire::WorkflowDispatchAck>(worker.answers.at(third)).accepted);
}

TEST(Dispatch, RepeatWhileItsContentIsReadWaits) {
  PlayedWorker worker;
  worker.adapter.reads = false;
  const wire::WorkflowDispatch dispatch = worker.dispatch(kFirst);
  const Ticket one = worker.ask_later(dispatch), other = worker.ask_later(dispatch);
  EXPECT_THAT(worker.answers, IsEmpty());
  EXPECT_THAT(worker.take<ReadContent>(), SizeIs(1));
  worker.feed(Refused{kFirst, Refusal::kBadPlan, "it does not decode"});
  for (const Ticket ticket : {one, other}) {
    const auto& ack = std::get<wire::WorkflowDispatchAck>(worker.answers.at(ticket));
    EXPECT_EQ(ack.refusal, Refusal::kBadPlan);
    EXPECT_EQ(ack.error, "it does not decode");
  }
  EXPECT_EQ(worker.core.attempts(), 0U);
}

TEST(Dispatch, TooManyRepeatsAreToldToAskAgain) {
  PlayedWorker worker;
  worker.adapter.reads = false;
  const wire::WorkflowDispatch dispatch = worker.dispatch(kFirst);
  for (std::size_t i = 0; i < kTicketsWaitingMax; ++i) worker.ask_later(dispatch);
  EXPECT_THAT(worker.answers, IsEmpty());
  EXPECT_EQ(worker.place(dispatch).refusal, Refusal::kNotReady);
}

TEST(Dispatch, ContentOfAnotherShareIsRefused) {
  PlayedWorker worker;
  EXPECT_EQ(worker.place(worker.dispatch(kFirst, content_of(share_of("job", 5)))).refusal, Refusal::kBadPlan);
  EXPECT_EQ(worker.place(worker.dispatch(kSecond, content_of(kShare, 0))).refusal, Refusal::kBadPlan);
  const auto large = worker.place(worker.dispatch(attempt_of(kShare, 10, 3), 9));
  EXPECT_EQ(large.refusal, Refusal::kNoCores);
  EXPECT_EQ(large.error, "it needs 9 cores, this worker has 8");
}

TEST(Dispatch, DrainingRefusesAndReportsWhenEmpty) {
  PlayedWorker worker;
  worker.run(kFirst);
  worker.feed(Draining{});
  EXPECT_TRUE(worker.core.draining());
  EXPECT_EQ(worker.place(worker.dispatch(attempt_of(share_of("job", 1)))).refusal, Refusal::kDraining);
  worker.end(kFirst);
  EXPECT_THAT(worker.take<Drained>(), IsEmpty()) << "its result waits here";
  worker.ask<wire::Released>(wire::ResultRelease{kFirst});
  EXPECT_THAT(worker.take<Drained>(), SizeIs(1));
}

TEST(Dispatch, FullShelfRefuses) {
  PlayedWorker worker(WorkerSetup{.boot = kBoot, .cores = 8, .results_max = 2});
  worker.run(kFirst);
  worker.run(attempt_of(share_of("job", 1)));
  const wire::AttemptId third = attempt_of(share_of("job", 2));
  EXPECT_EQ(worker.place(worker.dispatch(third)).refusal, Refusal::kShelfFull) << "running ones need their places";
  worker.end(kFirst);
  worker.end(attempt_of(share_of("job", 1)));
  EXPECT_EQ(worker.place(worker.dispatch(attempt_of(third.share, 10, 2))).refusal, Refusal::kShelfFull);
  EXPECT_THAT(worker.core.shelf().kept(), SizeIs(2)) << "nothing was evicted";
  worker.ask<wire::Released>(wire::ResultRelease{kFirst});
  EXPECT_TRUE(worker.place(worker.dispatch(attempt_of(third.share, 10, 3))).accepted);
}

TEST(Preparation, RefusalIsReportedUntilAccepted) {
  PlayedWorker worker;
  worker.adapter.resolves = false;
  worker.managers = [](const Send&) { return std::nullopt; };
  EXPECT_TRUE(worker.place(worker.dispatch(kFirst, 4)).accepted);
  worker.feed(Refused{kFirst, Refusal::kResources, "no address of shop.example"});
  EXPECT_EQ(worker.core.cores().available(), 8U);
  const auto sends = worker.take<Send>();
  ASSERT_THAT(sends, SizeIs(1));
  const auto& event = std::get<wire::WorkflowEvent>(sends[0].question);
  EXPECT_EQ(event.event, wire::AttemptEvent::kRefused);
  EXPECT_EQ(event.refusal, Refusal::kResources);
  EXPECT_EQ(event.text, "no address of shop.example");
  worker.feed(Unanswered{sends[0].id});
  worker.pass(kRepeatFirst);
  EXPECT_THAT(worker.sent<wire::WorkflowEvent>(), SizeIs(1));
  EXPECT_EQ(worker.core.shelf().reserved(), 1U);
}

TEST(Preparation, ExecutorsThatRefuseAreKilled) {
  PlayedWorker worker;
  worker.adapter.prepares = false;
  worker.adapter.ends_on_kill = false;
  worker.place(worker.dispatch(kFirst, 4));
  worker.feed(Refused{kFirst, Refusal::kBadPlan, "unknown function"});
  EXPECT_THAT(worker.take<Kill>(), SizeIs(1));
  EXPECT_EQ(worker.core.cores().available(), 4U) << "their processes are still there";
  worker.end(kFirst, "refused");
  EXPECT_EQ(worker.core.cores().available(), 8U);
  EXPECT_THAT(worker.core.shelf().kept(), IsEmpty());
  EXPECT_EQ(worker.core.shelf().reserved(), 0U) << "the event was accepted";
}

TEST(Preparation, NeverReadyIsRefusedInTheEnd) {
  PlayedWorker worker;
  worker.adapter.prepares = false;
  worker.place(worker.dispatch(kFirst));
  worker.pass(kPrepareMax - 1s);
  EXPECT_EQ(worker.core.attempts(), 1U);
  worker.pass(1s);
  EXPECT_EQ(worker.core.attempts(), 0U);
  EXPECT_EQ(worker.core.cores().available(), 8U);
  const auto events = worker.sent<wire::WorkflowEvent>();
  ASSERT_THAT(events, SizeIs(1));
  EXPECT_EQ(events[0].text, "not ready after 10m");
}

TEST(Preparation, DeathBeforeTheStartIsARefusal) {
  PlayedWorker worker;
  worker.place(worker.dispatch(kFirst));
  worker.end(kFirst, "all executors died");
  const auto events = worker.sent<wire::WorkflowEvent>();
  ASSERT_THAT(events, SizeIs(2));
  EXPECT_EQ(events[1].event, wire::AttemptEvent::kRefused);
  EXPECT_EQ(events[1].refusal, Refusal::kResources) << "another worker may run it";
  EXPECT_EQ(events[1].text, "all executors died");
}

}  // namespace
}  // namespace hyperscale::worker
