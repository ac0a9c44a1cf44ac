#include "jobs/states/job_states.h"

#include <map>
#include <set>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace hyperscale::jobs {
namespace {

using enum JobState;

constexpr MonoTime kStart = MonoTime::from_ns(1'000'000'000);

JobState state_number(std::size_t number) {
  return static_cast<JobState>(number);
}

// The tables of JOB-STATE-1 and EXEC-SM-1 together, a cancel and a failure from each state, PARTIAL.
const std::map<JobState, std::set<JobState>>& job_table() {
  static const std::map<JobState, std::set<JobState>> table = {
      {kSubmitted, {kQueued, kClassifying, kCancelling, kFailed}},
      {kClassifying, {kProvisioning, kCancelling, kFailed}},
      {kProvisioning, {kDispatching, kQueued, kCancelling, kFailed}},
      {kQueued, {kDispatching, kCancelling, kFailed, kTimeout}},
      {kDispatching, {kRunning, kCancelling, kFailed, kTimeout}},
      {kRunning, {kCompleting, kCancelling, kFailed, kTimeout}},
      {kCompleting, {kCompleted, kPartial, kCancelling, kFailed, kTimeout}},
      {kCancelling, {kCancelled}},
      {kCompleted, {}},
      {kPartial, {}},
      {kFailed, {}},
      {kCancelled, {}},
      {kTimeout, {}},
  };
  return table;
}

// proves part: JOB-STATE-1 (the table, and that its ends are final; no gate or manager runs with it yet)
// proves part: EXEC-SM-1 (the table; no manager runs with it yet)
TEST(JobStates, EveryPairIsAsInTheTable) {
  ASSERT_EQ(job_table().size(), kJobStates);
  for (std::size_t from = 0; from < kJobStates; ++from) {
    for (std::size_t to = 0; to < kJobStates; ++to) {
      const bool legal = job_table().at(state_number(from)).contains(state_number(to));
      EXPECT_EQ(may_become(state_number(from), state_number(to)), legal)
          << name(state_number(from)) << " to " << name(state_number(to));
      JobStateMachine job(kStart, state_number(from));
      EXPECT_EQ(job.move(state_number(to), "test", kStart + 1s), legal);
      EXPECT_EQ(job.state(), state_number(legal ? to : from));
      EXPECT_EQ(job.since(), legal ? kStart + 1s : kStart);
      EXPECT_EQ(job.history().changes().size(), legal ? 1U : 0U);
      EXPECT_EQ(job.refused(), legal ? 0U : 1U);
    }
    EXPECT_EQ(is_final(state_number(from)), job_table().at(state_number(from)).empty());
  }
}

TEST(JobStates, NamesAreReadBack) {
  std::set<std::string_view> names;
  for (std::size_t each = 0; each < kJobStates; ++each) {
    names.insert(name(state_number(each)));
    EXPECT_EQ(parse_job_state(name(state_number(each))), state_number(each));
  }
  EXPECT_EQ(names.size(), kJobStates);
  EXPECT_FALSE(parse_job_state("RUNNING "));
  EXPECT_FALSE(parse_job_state(""));
}

TEST(JobStates, UsersSeeThemByTheirNamesOnTheWire) {
  for (std::size_t each = 0; each < kJobStates; ++each) {
    const JobState state = state_number(each);
    const bool inner = state == kClassifying || state == kProvisioning;
    EXPECT_EQ(wire::status_name(status_of(state)), inner ? "SUBMITTED" : name(state));
  }
}

TEST(JobStates, AJobOfAGateTakesTheShortWay) {
  JobStateMachine job(kStart);
  for (const JobState state : {kQueued, kDispatching, kRunning, kCompleting, kCompleted}) {
    EXPECT_TRUE(job.move(state, "next", kStart));
  }
  EXPECT_EQ(job.refused(), 0U);
}

TEST(JobStates, HistoryHasTimesAndReasons) {
  JobStateMachine job(kStart);
  job.move(kClassifying, "received", kStart);
  job.move(kFailed, "workflows depend on each other in a circle", kStart + 1500ms);
  EXPECT_EQ(job.history().text(),
            "0.000: SUBMITTED → CLASSIFYING (received)\n"
            "1.500: CLASSIFYING → FAILED (workflows depend on each other in a circle)\n");
}

TEST(JobStates, AReasonIsCutBetweenCharacters) {
  JobStateMachine job(kStart);
  job.move(kFailed, std::string(kStateReasonBytesMax - 1, 'x') + "é!", kStart);
  EXPECT_EQ(job.history().changes().front().reason, std::string(kStateReasonBytesMax - 1, 'x'));
  EXPECT_EQ(bounded_reason(std::string(kStateReasonBytesMax, 'x')).size(), kStateReasonBytesMax);
}

// proves part: AD20-5 (at the job's own state; not: the answer to a request)
TEST(JobStates, CancellingTwiceHasOneAnswer) {
  for (std::size_t each = 0; each < kJobStates; ++each) {
    const JobState state = state_number(each);
    JobStateMachine job(kStart, state);
    const auto first = job.cancel("user", kStart);
    if (state == kCancelling || state == kCancelled) {
      EXPECT_EQ(first, JobStateMachine::Cancel::kAlready);
    } else if (is_final(state)) {
      EXPECT_EQ(first, JobStateMachine::Cancel::kTooLate);
      EXPECT_EQ(job.state(), state);
    } else {
      EXPECT_EQ(first, JobStateMachine::Cancel::kBegun);
      EXPECT_EQ(job.cancel("user", kStart), JobStateMachine::Cancel::kAlready);
      EXPECT_EQ(job.state(), kCancelling);
      EXPECT_EQ(job.history().changes().size(), 1U);
    }
  }
}

// proves part: RES-10 (the rule; no manager runs with it yet)
TEST(JobStates, OutcomeFollowsFromTheWorkflows) {
  EXPECT_EQ(outcome_of(3, 3, 0), kCompleted);
  EXPECT_EQ(outcome_of(3, 0, 3), kFailed);
  EXPECT_EQ(outcome_of(3, 2, 1), kPartial);
  EXPECT_EQ(outcome_of(3, 0, 2), kPartial);
  EXPECT_EQ(outcome_of(1, 0, 0), kPartial) << "a datacenter that is partial counts as neither";
}

RC_GTEST_PROP(JobStates, AFinalStateNeverChanges, ()) {
  JobStateMachine job(kStart);
  MonoTime now = kStart;
  std::optional<JobState> last;
  for (int i = 0; i < 60; ++i) {
    now += 1s;
    if (*rc::gen::inRange(0, 10) == 0) {
      job.cancel("random", now);
    } else {
      job.move(state_number(*rc::gen::inRange<std::size_t>(0, kJobStates)), "random", now);
    }
    RC_ASSERT(job.history().changes().size() <= kJobHistoryMax);
    RC_ASSERT(job.history().dropped() == 0U);
    if (last) RC_ASSERT(job.state() == *last);
    if (is_final(job.state())) last = job.state();
  }
}

}  // namespace
}  // namespace hyperscale::jobs
