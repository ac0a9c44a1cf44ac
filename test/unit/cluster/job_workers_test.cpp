#include "cluster/job_workers.h"

#include "small_cluster.h"

#include <map>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hyperscale::cluster {
namespace {

using testing::IsEmpty;
using testing::UnorderedElementsAre;
using wire::NodeRole;

// A manager of a real cluster with three workers; what its node tells is fed to the one that places workflows.
class JobWorkersTest : public testing::Test {
 protected:
  void SetUp() override {
    for (const auto& worker : workers) {
      ClusterConfig config = config_of(worker, 0);
      config.seeds = {manager.address};
      cluster.add(std::move(config));
    }
    run_for(30s);
    ASSERT_EQ(placed.workers_up(), 3U);
  }

  void run_for(Duration duration) {
    cluster.run_for(duration);
    auto& told = cluster.actions[manager.address];
    for (; read < told.size(); ++read) feed(told[read]);
  }
  void feed(const ClusterNode::Action& action) {
    if (const auto* up = std::get_if<ClusterNode::MemberUp>(&action)) step(JobWorkers::WorkerUp{up->member});
    if (const auto* down = std::get_if<ClusterNode::MemberDown>(&action))
      step(JobWorkers::WorkerDown{down->member.address});
    if (const auto* down = std::get_if<ClusterNode::JobNodeDown>(&action))
      step(JobWorkers::JobWorkerDown{down->job, down->member.address});
  }
  void step(const JobWorkers::Event& event) {
    for (auto& action : placed.step(event, cluster.now)) {
      if (const auto* again = std::get_if<JobWorkers::PlaceAgain>(&action)) {
        EXPECT_EQ(placed.worker_of(again->job, again->workflow), std::nullopt);
        to_place.insert(again->job + "/" + again->workflow);
      } else {
        notes.push_back(std::get<JobWorkers::Note>(action).text);
      }
    }
  }
  ClusterNode& node() { return cluster.at(manager.address); }
  membership::MemberState state_of(const wire::NodeIdentity& worker) {
    for (const MemberView& member : node().view(cluster.now).members)
      if (member.identity == worker) return member.state;
    return membership::MemberState::kUnconfirmed;
  }
  void assign(const std::string& job, const std::string& workflow, const wire::NodeIdentity& worker) {
    ASSERT_TRUE(placed.assign(job, workflow, worker).has_value());
  }
  // Two jobs, both with a workflow on the first worker and one elsewhere.
  void place_two_jobs() {
    assign("job-1", "login", workers[0]);
    assign("job-1", "search", workers[1]);
    assign("job-2", "login", workers[0]);
    assign("job-2", "pay", workers[2]);
  }

  SmallCluster cluster;
  wire::NodeIdentity manager = identity(NodeRole::kManager, 1);
  std::vector<wire::NodeIdentity> workers{identity(NodeRole::kWorker, 1), identity(NodeRole::kWorker, 2),
                                          identity(NodeRole::kWorker, 3)};
  JobWorkers placed{*started()};
  wire::SeededEntropy entropy{Prng(7)};
  std::size_t read = 0;
  std::set<std::string> to_place;
  std::vector<std::string> notes;

 private:
  ClusterNode* started() { return &cluster.add(config_of(manager, 1)); }
};

// proves: AD6-2
// proves part: SWIM-1 (states, timers, gossip and callbacks; no manager gives out work by them yet)
// proves part: AD30-INT-3 (in the core that places workflows; no manager runs it yet)
TEST_F(JobWorkersTest, WorkflowsOfDeadWorkerArePlacedAgain) {
  place_two_jobs();
  cluster.remove(workers[0].address);
  run_for(120s);
  ASSERT_EQ(state_of(workers[0]), membership::MemberState::kDead);
  EXPECT_THAT(to_place, UnorderedElementsAre("job-1/login", "job-2/login"));
  EXPECT_THAT(placed.workers_of("job-1"), UnorderedElementsAre(workers[1]));
  EXPECT_THAT(placed.workers_of("job-2"), UnorderedElementsAre(workers[2]));
  for (int i = 0; i < 50; ++i) EXPECT_NE(placed.choose("job-1", entropy), workers[0]);
  assign("job-1", "login", *placed.choose("job-1", entropy));
  EXPECT_FALSE(placed.assign("job-1", "more", workers[0]).has_value()) << "not to a dead one";
}

// proves part: AD30-INT-6 (in the core that places workflows; no manager runs it yet)
// proves part: AD30-INT-4 (in the core that places workflows; no manager runs it yet)
TEST_F(JobWorkersTest, WorkerSilentForOneJobLeavesThatJobOnly) {
  place_two_jobs();
  step(JobWorkers::ResponseTimedOut{"job-1", workers[0].address});
  EXPECT_EQ(state_of(workers[0]), membership::MemberState::kAlive) << "for everything else";
  run_for(60s);
  for (const auto& entry : node().audit()) EXPECT_NE(entry.event, membership::AuditEvent::kSuspected);
  EXPECT_EQ(cluster.told<ClusterNode::JobNodeDown>(manager.address).size(), 1U);
  EXPECT_THAT(to_place, UnorderedElementsAre("job-1/login"));
  EXPECT_EQ(placed.worker_of("job-2", "login"), workers[0].address);
  EXPECT_EQ(state_of(workers[0]), membership::MemberState::kAlive) << "the machine answers";
  EXPECT_EQ(node().view(cluster.now).stats.membership.suspicions_started, 0U);
  EXPECT_TRUE(cluster.told<ClusterNode::MemberDown>(manager.address).empty());
}

// proves part: AD30-INT-5 (in the core that places workflows; no manager runs it yet)
TEST_F(JobWorkersTest, ChoosesRandomlyAmongWorkersThatAnswer) {
  const auto counts = [&](const std::string& job) {
    std::map<std::string, int> found;
    for (int i = 0; i < 300; ++i) {
      const auto worker = placed.choose(job, entropy);
      ++found[worker ? worker->name : "nobody"];
    }
    return found;
  };
  for (const auto& [name, count] : counts("job-1")) EXPECT_NEAR(count, 100, 35) << name;
  EXPECT_EQ(counts("job-1").size(), 3U);
  const auto lose = [&](const wire::NodeIdentity& worker) {
    assign("job-1", "of " + worker.name, worker);
    step(JobWorkers::ResponseTimedOut{"job-1", worker.address});
  };
  lose(workers[0]);
  run_for(60s);
  EXPECT_FALSE(counts("job-1").contains(workers[0].name));
  EXPECT_TRUE(counts("job-2").contains(workers[0].name)) << "another job is not concerned";
  lose(workers[1]);
  lose(workers[2]);
  run_for(60s);
  EXPECT_EQ(counts("job-1"), (std::map<std::string, int>{{"nobody", 300}}));
  EXPECT_EQ(placed.choose("job-1", entropy), std::nullopt);
}

// proves part: AD30-INT-6 (in the core that places workflows; no manager runs it yet)
TEST_F(JobWorkersTest, AnAnswerInTimeEndsTheSuspicion) {
  place_two_jobs();
  step(JobWorkers::ResponseTimedOut{"job-1", workers[0].address});
  step(JobWorkers::ResponseTimedOut{"job-2", workers[0].address});
  run_for(1s);
  step(JobWorkers::Responded{"job-1", workers[0].address});
  run_for(60s);
  EXPECT_THAT(to_place, UnorderedElementsAre("job-2/login"));
}

// proves part: AD30-INT-7 (in the core that places workflows; no manager runs it yet)
TEST_F(JobWorkersTest, CompletedJobClearsItsSuspicionsWithNote) {
  place_two_jobs();
  step(JobWorkers::ResponseTimedOut{"job-1", workers[0].address});
  step(JobWorkers::ResponseTimedOut{"job-1", workers[1].address});
  step(JobWorkers::JobCompleted{"job-1"});
  EXPECT_THAT(notes, testing::ElementsAre("Cleared 2 suspicions for completed job job-1"));
  run_for(60s);
  EXPECT_THAT(to_place, IsEmpty()) << "nobody dies for a job that is over";
  EXPECT_TRUE(node().is_alive_for_job("job-1", workers[0].address));
  EXPECT_THAT(placed.workers_of("job-1"), IsEmpty());
  step(JobWorkers::JobCompleted{"job-2"});
  EXPECT_EQ(notes.size(), 1U) << "nothing was suspected there";
}

// Whoever tells a death twice must not place anything twice (AD31-5 holds for who is told).
// proves part: AD31-5 (votes, workers of jobs, state sync; not the count of workers, not primary managers)
TEST_F(JobWorkersTest, BeingToldOfTheSameDeathTwiceChangesNothing) {
  place_two_jobs();
  step(JobWorkers::WorkerDown{workers[0].address});
  EXPECT_EQ(to_place.size(), 2U);
  to_place.clear();
  assign("job-1", "login", workers[1]);
  step(JobWorkers::WorkerDown{workers[0].address});
  step(JobWorkers::JobWorkerDown{"job-1", workers[0].address});
  EXPECT_THAT(to_place, IsEmpty());
  EXPECT_EQ(placed.workers_up(), 2U);
  EXPECT_EQ(placed.worker_of("job-1", "login"), workers[1].address);
  step(JobWorkers::WorkerUp{workers[1]});
  EXPECT_EQ(placed.workers_up(), 2U);
}

TEST_F(JobWorkersTest, AWorkflowHasOneWorkerUntilItEnds) {
  assign("job-1", "login", workers[0]);
  EXPECT_FALSE(placed.assign("job-1", "login", workers[1]).has_value());
  step(JobWorkers::WorkflowEnded{"job-1", "login"});
  step(JobWorkers::WorkflowEnded{"job-1", "never heard of"});
  assign("job-1", "login", workers[1]);
  EXPECT_FALSE(placed.assign("job-1", "x", identity(NodeRole::kWorker, 9)).has_value());
}

}  // namespace
}  // namespace hyperscale::cluster
