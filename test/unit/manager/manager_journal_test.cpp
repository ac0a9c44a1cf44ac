// The manager and its journal: late, unknown and refused records, and leadership that is lost.
#include "datacenter.h"
#include "some_job.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hyperscale::manager {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

class ManagerJournal : public testing::Test {
 protected:
  explicit ManagerJournal(Datacenter::Options options = {}) : datacenter_(options) {
    for (const char* worker : {"w1", "w2"}) datacenter_.add_worker(worker, 2);
  }
  ~ManagerJournal() override { EXPECT_THAT(datacenter_.broken(), IsEmpty()) << datacenter_.story(); }

  RequestId submit(const std::vector<SomeWorkflow>& workflows, const std::string& id = "job") {
    return datacenter_.submit(some_submission(id, some_job(workflows)));
  }

  Datacenter datacenter_;
};

class ManagerOnASlowJournal : public ManagerJournal {
 protected:
  ManagerOnASlowJournal()
      : ManagerJournal({.seed = 4,
                        .slow_journal = jobs::SlowJournal::Behaviour{
                            .seed = 9, .unknown_percent = 30, .delay_min = 50ms, .delay_max = 2s}}) {}
};

TEST_F(ManagerOnASlowJournal, JobsEndAsOnAFastOne) {
  submit({{.name = "A", .setup = true, .teardown = true}, {.name = "B", .depends = {"A"}}}, "one");
  submit({{.name = "A"}}, "two");
  ASSERT_TRUE(datacenter_.run_until_over()) << datacenter_.story();
  EXPECT_EQ(datacenter_.state("one"), JobState::kCompleted);
  EXPECT_EQ(datacenter_.state("two"), JobState::kCompleted);
  EXPECT_THAT(datacenter_.counted(), SizeIs(6));
}

TEST_F(ManagerOnASlowJournal, WorkerDiesWhileARecordIsOnItsWay) {
  submit({{.name = "Load", .duration = 20s}});
  // Once with the provisioning under way, once with the end of an attempt.
  ASSERT_TRUE(datacenter_.run_until([&] {
    const Share* share = datacenter_.job("job").shares.find({0, wire::SharePart::kSteps, 0});
    return share && share->phase() == SharePhase::kProvisioning;
  }));
  datacenter_.restart("w1");
  ASSERT_TRUE(datacenter_.run_until([&] {
    for (const auto& [number, share] : datacenter_.job("job").shares)
      if (share.phase() == SharePhase::kLosing) return true;
    return false;
  })) << datacenter_.story();
  datacenter_.add_worker("w3", 2);
  datacenter_.add_worker("w4", 2);
  datacenter_.restart("w2");
  ASSERT_TRUE(datacenter_.run_until_over()) << datacenter_.story();
  EXPECT_EQ(datacenter_.state("job"), JobState::kCompleted);
}

// While the end of the attempt is on its way to the journal, its final result has to wait; then it is refused.
TEST_F(ManagerOnASlowJournal, ResultOfAnAttemptBeingEndedWaits) {
  datacenter_.add_worker("w3", 4);
  submit({{.name = "Load", .vus = 2, .duration = 10s, .iterations = 100}});
  ASSERT_TRUE(
      datacenter_.run_until([&] { return datacenter_.core().find("job") && datacenter_.job("job").runs[0].begun(); }));
  datacenter_.run_for(5s);
  const Share& share = *datacenter_.job("job").shares.find({0, wire::SharePart::kSteps, 0});
  const std::string worker = share.attempt().worker;
  datacenter_.cut(worker);
  ASSERT_TRUE(datacenter_.run_until([&] { return share.phase() == SharePhase::kLosing; }));
  wire::WorkflowFinalResult result;
  result.attempt = {{"job", 0, wire::SharePart::kSteps, 0}, share.attempt().fence};
  result.bytes = 5;
  // Straight to the core: the reply is of interest.
  for (const auto& action : datacenter_.core().step(Finished{ReportId(1), result}, datacenter_.now()))
    if (const auto* reply = std::get_if<Reply>(&action)) {
      const auto& ack = std::get<wire::ReportAck>(reply->answer);
      EXPECT_FALSE(ack.accepted);
      EXPECT_EQ(ack.known, result.attempt.fence);  // it keeps it, and asks again
    }
  EXPECT_EQ(share.phase(), SharePhase::kLosing);
  datacenter_.heal(worker);
  ASSERT_TRUE(datacenter_.run_until_over()) << datacenter_.story();
  EXPECT_EQ(datacenter_.state("job"), JobState::kCompleted);
}

TEST_F(ManagerJournal, NothingNewWithoutLeadership) {
  submit({{.name = "Load", .duration = 30s}});
  datacenter_.run_for(50ms);
  const std::size_t asked = datacenter_.asked().size();
  EXPECT_GT(asked, 0U);
  datacenter_.lose_leadership();
  datacenter_.run_for(20s);
  EXPECT_EQ(datacenter_.asked().size(), asked);
  EXPECT_EQ(datacenter_.cancel_answers().at(datacenter_.cancel("job")).cancelled.error().code, ErrorCode::kUnavailable);
  datacenter_.win_leadership();
  ASSERT_TRUE(datacenter_.run_until_over()) << datacenter_.story();
  EXPECT_EQ(datacenter_.state("job"), JobState::kCompleted);
}

// Attempts that run keep their fences; only new ones get the epoch of the new term.
TEST_F(ManagerJournal, LeadsItsJobsAgainUnderANewEpoch) {
  submit({{.name = "A", .duration = 30s}, {.name = "B", .depends = {"A"}}});
  ASSERT_TRUE(datacenter_.run_until([&] { return datacenter_.job("job").runs[0].begun(); }));
  datacenter_.run_for(5s);
  const std::uint64_t epoch = datacenter_.job("job").epoch;
  datacenter_.lose_leadership();
  datacenter_.run_for(3s);
  datacenter_.win_leadership();
  datacenter_.run_for(1s);
  EXPECT_GT(datacenter_.job("job").epoch, epoch);
  ASSERT_TRUE(datacenter_.run_until_over()) << datacenter_.story();
  EXPECT_EQ(datacenter_.state("job"), JobState::kCompleted);
  for (const auto& [number, share] : datacenter_.job("job").shares)
    EXPECT_EQ(share.attempt().fence.epoch > epoch, number.workflow == 1);
  std::size_t led = 0;
  for (const jobs::Record& each : datacenter_.records("job")) led += std::holds_alternative<jobs::JobLed>(each) ? 1 : 0;
  EXPECT_EQ(led, 2U);
}

TEST_F(ManagerOnASlowJournal, LeadershipComesAndGoes) {
  const RequestId request = submit({{.name = "A", .setup = true}, {.name = "B", .depends = {"A"}}});
  for (int i = 0; i < 12; ++i) {
    datacenter_.run_for(1300ms);
    datacenter_.lose_leadership();
    datacenter_.run_for(200ms);
    datacenter_.win_leadership();
  }
  ASSERT_TRUE(datacenter_.run_until_over()) << datacenter_.story();
  const SubmitAnswer& answer = datacenter_.submit_answers().at(request);
  if (!answer.accepted) {
    EXPECT_EQ(answer.accepted.error().code, ErrorCode::kUnavailable);
  } else {
    EXPECT_EQ(datacenter_.state("job"), JobState::kCompleted);
  }
}

// Another manager has written about the job: it is not this one's any more.
TEST_F(ManagerJournal, ForeignRecordEndsItsPart) {
  submit({{.name = "Load", .duration = 30s}});
  datacenter_.run_for(2s);
  datacenter_.feed(Journalled{jobs::Committed{
      .job = "job", .sequence = jobs::Sequence(9), .op = {77, 1}, .event = *jobs::encode(jobs::JobLed{"m2", 77})}});
  EXPECT_EQ(datacenter_.core().find("job"), nullptr);
  EXPECT_EQ(datacenter_.core().pool().reserved_total(), 0U);
  EXPECT_THAT(datacenter_.notes(), ElementsAre("job job is given up here: another manager has decided about it"));
}

TEST_F(ManagerJournal, ContextBeyondARecordIsABlob) {
  plan::Job job = some_job({{.name = "A"}, {.name = "B", .depends = {"A"}}});
  datacenter_.submit(some_submission("job", job));
  ASSERT_TRUE(datacenter_.run_until([&] { return datacenter_.job("job").runs[0].begun(); }));
  // The final results are large.
  for (const char* worker : {"w1", "w2"}) datacenter_.worker(worker).value_bytes = 60'000;
  ASSERT_TRUE(datacenter_.run_until_over()) << datacenter_.story();
  EXPECT_EQ(datacenter_.state("job"), JobState::kCompleted);
  for (const jobs::Record& each : datacenter_.records("job"))
    if (const auto* sync = std::get_if<jobs::LayerSync>(&each)) {
      EXPECT_TRUE(sync->context.blob.has_value());
      EXPECT_THAT(sync->context.values, IsEmpty());
    }
}

}  // namespace
}  // namespace hyperscale::manager
