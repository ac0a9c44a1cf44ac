#include "played_worker.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hyperscale::worker {
namespace {

using testing::IsEmpty;
using testing::SizeIs;
using wire::AttemptEnd;
using wire::AttemptEvent;

const wire::ShareId kShare = share_of("job");
const wire::AttemptId kFirst = attempt_of(kShare);

// What it gets when its leader sent a higher fence to another worker.
wire::JobAnswer superseded(const Send& send) {
  if (std::holds_alternative<wire::CancelQuery>(send.question)) return wire::CancelQueryAnswer{true, false, {10, 2}};
  wire::ReportAck report;
  report.known = {10, 2};
  if (!std::holds_alternative<wire::ShareProgress>(send.question)) return report;
  wire::ProgressAck ack;
  ack.known = {10, 2};
  return ack;
}

// proves part: RES-1 (what is sent; the statistics are fetched by their digest)
TEST(Ending, SendsAResultAndKeepsItsBody) {
  PlayedWorker worker;
  worker.run(kFirst, 4);
  worker.pass(3s);
  worker.take<Send>();
  Ended ended{
      .attempt = kFirst, .error = {}, .body = SharedBytes::copy_of(std::string(600'000, 'x')), .context_updates = {}};
  ended.digest = digest_of(5);
  ended.context_updates = {{"", "token", "\"x\"", 3}};
  ended.requests = 42;
  worker.feed(ended);
  const auto results = worker.sent<wire::WorkflowFinalResult>();
  ASSERT_THAT(results, SizeIs(1));
  EXPECT_EQ(results[0].end, AttemptEnd::kCompleted);
  EXPECT_EQ(results[0].error, "");
  EXPECT_EQ(results[0].digest, digest_of(5));
  EXPECT_EQ(results[0].bytes, 600'000U);
  EXPECT_EQ(results[0].requests, 42U);
  EXPECT_EQ(results[0].elapsed, 3s);
  EXPECT_THAT(results[0].context_updates, SizeIs(1));
  EXPECT_FALSE(results[0].partial);
  const auto first = worker.ask<wire::BytesPart>(wire::ResultFetch{kFirst, 0});
  const auto last = worker.ask<wire::BytesPart>(wire::ResultFetch{kFirst, wire::kBlobPartBytes});
  EXPECT_EQ(first->total, 600'000U);
  EXPECT_EQ(first->bytes.size() + last->bytes.size(), 600'000U);
  EXPECT_EQ(first->bytes.data(), ended.body.data()) << "nothing is copied";
  EXPECT_FALSE(worker.ask<wire::BytesPart>(wire::ResultFetch{kFirst, 600'001})->known);
}

// proves part: RES-2 (the core; no worker runs with it yet)
// proves part: RES-3 (the core; no worker runs with it yet)
TEST(Ending, FreesCoresWhateverTheOutcome) {
  PlayedWorker worker;
  worker.managers = [](const Send&) { return std::nullopt; };
  std::uint64_t version = 0;
  const auto expect_free = [&](const std::string& how) {
    EXPECT_EQ(worker.core.cores().available(), 8U) << how;
    EXPECT_EQ(worker.core.attempts(), 0U) << how;
    EXPECT_THAT(worker.take<Send>(), testing::Not(IsEmpty())) << how;
    EXPECT_GT(worker.core.version(), version) << how;
    version = worker.core.version();
  };
  worker.run(attempt_of(share_of("job", 0)), 2);
  worker.end(attempt_of(share_of("job", 0)));
  expect_free("completed");
  worker.run(attempt_of(share_of("job", 1)), 2);
  worker.end(attempt_of(share_of("job", 1)), "out of memory");
  expect_free("failed");
  worker.run(attempt_of(share_of("job", 2)), 2);
  worker.cancel("job", wire::CancelMode::kKill);
  expect_free("cancelled");
}

TEST(Ending, OwnErrorIsAFailedResult) {
  PlayedWorker worker;
  worker.run(kFirst);
  worker.feed(ExecutorLost{kFirst, "executor 1 is lost"});
  worker.end(kFirst, "the script has no function");
  const auto sends = worker.take<Send>();
  std::vector<AttemptEvent> events;
  const wire::WorkflowFinalResult* result = nullptr;
  for (const Send& send : sends) {
    if (const auto* event = std::get_if<wire::WorkflowEvent>(&send.question)) events.push_back(event->event);
    if (const auto* found = std::get_if<wire::WorkflowFinalResult>(&send.question)) result = found;
  }
  EXPECT_THAT(events, testing::ElementsAre(AttemptEvent::kReady, AttemptEvent::kExecutorLost));
  ASSERT_NE(result, nullptr);
  EXPECT_EQ(result->end, AttemptEnd::kFailed);
  EXPECT_EQ(result->error, "the script has no function");
  EXPECT_TRUE(result->partial);
}

// proves part: PROG-SCN-5 (the core; no worker runs with it yet)
TEST(Ending, ShortWorkflowIsSeenToStartAndComplete) {
  PlayedWorker worker;
  worker.run(kFirst);
  worker.end(kFirst);
  std::vector<std::string> seen;
  for (const Send& send : worker.take<Send>()) {
    if (const auto* event = std::get_if<wire::WorkflowEvent>(&send.question)) {
      if (event->event == AttemptEvent::kStarted) seen.emplace_back("started");
    } else if (const auto* result = std::get_if<wire::WorkflowFinalResult>(&send.question)) {
      if (result->end == AttemptEnd::kCompleted) seen.emplace_back("completed");
    }
  }
  EXPECT_THAT(seen, testing::ElementsAre("started", "completed"));
}

TEST(Ending, LateStartIsReportedOnce) {
  PlayedWorker worker;
  worker.run(kFirst);
  worker.take<Send>();
  worker.feed(Begun{kFirst, 7ms});
  worker.feed(Begun{kFirst, 9ms});
  const auto events = worker.sent<wire::WorkflowEvent>();
  ASSERT_THAT(events, SizeIs(1));
  EXPECT_EQ(events[0].start_late_by, 7ms);
}

TEST(Ending, TimeoutStopsKillsAndFails) {
  PlayedWorker worker;
  wire::DispatchContent content = content_of(kShare);
  content.timeout = 30s;
  worker.place(worker.dispatch(kFirst, content));
  worker.pass(60s);
  EXPECT_TRUE(worker.start(kFirst, 1s).accepted) << "it counts from the start";
  worker.pass(11s);
  worker.change(kFirst, 1, "pause");
  worker.pass(100s);
  worker.change(kFirst, 2, "resume");
  worker.pass(20s - 1ms);
  EXPECT_THAT(worker.take<Stop>(), IsEmpty()) << "nor does a pause count";
  worker.pass(1ms);
  EXPECT_THAT(worker.take<Stop>(), SizeIs(1));
  worker.pass(kCancelPatience);
  EXPECT_THAT(worker.take<Kill>(), SizeIs(1));
  const auto results = worker.sent<wire::WorkflowFinalResult>();
  ASSERT_THAT(results, SizeIs(1));
  EXPECT_EQ(results[0].end, AttemptEnd::kFailed);
  EXPECT_EQ(results[0].error, "it ran longer than its limit of 30s");
}

TEST(Ending, TooLargeAResultFailsWithoutABody) {
  PlayedWorker worker(WorkerSetup{.boot = kBoot, .cores = 8, .one_result_bytes_max = 100});
  worker.run(kFirst);
  worker.end(kFirst, {}, std::string(101, 'x'));
  const auto results = worker.sent<wire::WorkflowFinalResult>();
  ASSERT_THAT(results, SizeIs(1));
  EXPECT_EQ(results[0].end, AttemptEnd::kFailed);
  EXPECT_EQ(results[0].error, "its result has 101 bytes, more than 100");
  EXPECT_EQ(results[0].bytes, 0U);
}

TEST(Superseded, EndsByWhateverAnswerSaysIt) {
  for (const int by : {0, 1, 2}) {  // an event, progress, the poll
    PlayedWorker worker;
    bool told = false;
    worker.managers = [&](const Send& send) -> std::optional<wire::JobAnswer> {
      return told ? superseded(send) : accepted(send);
    };
    worker.run(kFirst);
    told = true;
    if (by == 0) worker.feed(Said{kFirst, "a line"});
    if (by == 1) worker.feed(Reading{kFirst, {}, {}, {}});
    if (by == 2) worker.pass(kCancelPoll);
    EXPECT_THAT(worker.take<Kill>(), SizeIs(1)) << by;
    EXPECT_EQ(worker.core.attempts(), 0U);
    worker.take<Send>();
    worker.pass(1min);
    EXPECT_THAT(worker.sent<wire::WorkflowFinalResult>(), IsEmpty()) << "its refusal ends the repeating";
    EXPECT_THAT(worker.core.shelf().kept(), SizeIs(1));
  }
}

// proves part: FAIL-PART-2 (it goes on without managers, but no longer than stop_without_manager_after)
TEST(Orphan, StopsAfterTheTimeWithoutALeader) {
  PlayedWorker worker;
  bool cut = false;
  worker.managers = [&](const Send& send) { return cut ? std::nullopt : std::optional(accepted(send)); };
  worker.feed(ManagerUp{manager(1)});
  worker.run(kFirst);
  worker.pass(10min);
  EXPECT_THAT(worker.take<Stop>(), IsEmpty()) << "a leader acknowledges at least every 5 s";
  cut = true;
  worker.pass(115s);
  EXPECT_THAT(worker.take<Stop>(), IsEmpty());
  worker.pass(6s);
  EXPECT_THAT(worker.take<Stop>(), SizeIs(1));
  worker.end(kFirst);
  EXPECT_THAT(worker.core.shelf().kept(), SizeIs(1));
  EXPECT_EQ(worker.core.shelf().find(kFirst)->state.result->end, AttemptEnd::kStopped);
}

// A manager that knows the job but does not lead it is no one who could cancel it.
TEST(Orphan, ManagersThatDoNotLeadDoNotCount) {
  PlayedWorker worker;
  bool led = true;
  worker.managers = [&](const Send& send) -> std::optional<wire::JobAnswer> {
    if (led || std::holds_alternative<wire::CancelQuery>(send.question)) return accepted(send);
    return wire::ProgressAck{};
  };
  worker.run(kFirst);
  worker.pass(10s);
  led = false;
  worker.pass(130s);
  EXPECT_THAT(worker.take<Stop>(), SizeIs(1));
}

TEST(Orphan, FormerLeaderDoesNotCount) {
  PlayedWorker worker;
  std::uint64_t epoch = 11;
  worker.managers = [&](const Send& send) -> std::optional<wire::JobAnswer> { return accepted(send, epoch); };
  worker.run(kFirst);
  worker.pass(10s);
  epoch = 10;
  worker.pass(130s);
  EXPECT_THAT(worker.take<Stop>(), SizeIs(1));
}

TEST(Orphan, ZeroIsForLoadOnly) {
  PlayedWorker worker;
  worker.managers = [](const Send&) { return std::nullopt; };
  wire::DispatchContent content = content_of(kShare);
  content.stop_without_manager_after = Duration::zero();
  worker.place(worker.dispatch(kFirst, content));
  worker.start(kFirst);
  content = content_of(share_of("job", 1));
  content.stop_without_manager_after = Duration::zero();
  worker.place(worker.dispatch(attempt_of(content.share), content));
  worker.pass(24h);
  EXPECT_THAT(worker.take<Stop>(), IsEmpty());
  EXPECT_THAT(worker.take<Kill>(), SizeIs(1)) << "what never started holds cores for no one";
  EXPECT_EQ(worker.core.attempts(), 1U);
}

TEST(Orphan, EndlessTimesAreNever) {
  PlayedWorker worker;
  worker.managers = [](const Send&) { return std::nullopt; };
  wire::DispatchContent content = content_of(kShare);
  content.stop_without_manager_after = Duration::max();
  content.timeout = Duration::max();
  worker.place(worker.dispatch(kFirst, content));
  worker.start(kFirst);
  worker.pass(24h);
  EXPECT_THAT(worker.take<Stop>(), IsEmpty());
}

TEST(Shelf, OutlivesAcknowledgementUntilRelease) {
  PlayedWorker worker;
  worker.run(kFirst);
  worker.end(kFirst);
  worker.pass(3h);
  EXPECT_THAT(worker.core.shelf().kept(), SizeIs(1)) << "a manager still knows the job";
  const auto seen = worker.ask<wire::WorkerAnswer>(wire::WorkerQuery{kTerm, ""})->attempts;
  ASSERT_THAT(seen, SizeIs(1));
  EXPECT_EQ(seen[0].phase, wire::AttemptPhase::kFinished);
  EXPECT_TRUE(seen[0].result);
  EXPECT_TRUE(worker.ask<wire::Released>(wire::ResultRelease{kFirst})->was_here);
  EXPECT_FALSE(worker.ask<wire::Released>(wire::ResultRelease{kFirst})->was_here);
  EXPECT_EQ(worker.core.next_wake(), MonoTime::max()) << "nothing is left to do";
  EXPECT_THAT(worker.core.snapshot("job", worker.now).tombstones, SizeIs(1));
}

TEST(Shelf, EndsWithTheJobThatNoManagerKnows) {
  PlayedWorker worker;
  bool lost = false;
  worker.managers = [&](const Send& send) -> std::optional<wire::JobAnswer> {
    if (!lost) return accepted(send);
    return std::holds_alternative<wire::CancelQuery>(send.question) ? wire::JobAnswer(wire::CancelQueryAnswer{})
                                                                    : wire::JobAnswer(wire::ReportAck{});
  };
  worker.run(kFirst);
  worker.end(kFirst);
  worker.pass(10min);
  lost = true;
  worker.pass(kResultKept - kKeptPoll);
  EXPECT_THAT(worker.core.shelf().kept(), SizeIs(1));
  worker.pass(kKeptPoll);
  EXPECT_THAT(worker.core.shelf().kept(), IsEmpty());
  EXPECT_EQ(worker.core.next_wake(), MonoTime::max());
}

TEST(Shelf, ReleaseOfWhatRunsDoesNothing) {
  PlayedWorker worker;
  worker.run(kFirst);
  EXPECT_FALSE(worker.ask<wire::Released>(wire::ResultRelease{kFirst})->was_here);
  EXPECT_EQ(worker.core.attempts(), 1U);
}

TEST(WorkerQueryAnswer, HasPhasesCoresAndTheTerm) {
  PlayedWorker worker;
  worker.adapter.prepares = false;
  worker.place(worker.dispatch(kFirst, 2));
  worker.adapter.prepares = true;
  const wire::AttemptId ready = attempt_of(share_of("job", 1)), started = attempt_of(share_of("shop"));
  worker.place(worker.dispatch(ready));
  worker.run(started);
  worker.pass(2s);
  const auto all = worker.ask<wire::WorkerAnswer>(wire::WorkerQuery{wire::Term(8), ""});
  EXPECT_EQ(all->boot, kBoot);
  EXPECT_EQ(all->term, wire::Term(8));
  EXPECT_EQ(all->total_cores, 8U);
  EXPECT_EQ(all->available_cores, 4U);
  ASSERT_THAT(all->attempts, SizeIs(3));
  EXPECT_EQ(all->attempts[0].phase, wire::AttemptPhase::kPreparing);
  EXPECT_EQ(all->attempts[1].phase, wire::AttemptPhase::kReady);
  EXPECT_EQ(all->attempts[2].phase, wire::AttemptPhase::kStarted);
  EXPECT_EQ(all->attempts[2].elapsed, 2s);
  EXPECT_THAT(worker.ask<wire::WorkerAnswer>(wire::WorkerQuery{wire::Term(7), "shop"})->attempts, SizeIs(1));
  EXPECT_EQ(worker.core.snapshot("", worker.now).term, wire::Term(8)) << "a promise is not taken back";
}

TEST(Misdirected, QuestionsForManagersAreRefused) {
  PlayedWorker worker;
  EXPECT_FALSE(worker.ask<wire::ProgressAck>(wire::ShareProgress{})->accepted);
  EXPECT_FALSE(worker.ask<wire::ReportAck>(wire::WorkflowEvent{})->accepted);
  EXPECT_FALSE(worker.ask<wire::ReportAck>(wire::WorkflowFinalResult{})->accepted);
  EXPECT_FALSE(worker.ask<wire::CancelQueryAnswer>(wire::CancelQuery{})->known);
  EXPECT_FALSE(worker.ask<wire::BytesPart>(wire::BlobWant{})->known);
  EXPECT_FALSE(worker.ask<wire::RegistrationAck>(wire::WorkerRegistration{})->accepted);
}

}  // namespace
}  // namespace hyperscale::worker
