#include "membership/detection/failure_detector.h"

#include "detection_world.h"
#include "membership/detection/fail_open.h"
#include "sim/bugs/bug_planter.h"

#include <map>
#include <set>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace hyperscale::membership {
namespace {

const JobKey kJob1("job-1");
const JobKey kJob2("job-2");

// proves: AD30-WHEEL-3
TEST(FailureDetector, UnrefutedSuspicionBecomesDeathWithinOneTick) {
  DetectionWorld world;
  EXPECT_TRUE(world.suspect(7));
  EXPECT_EQ(world.detector.node_status(node(7))->global, Liveness::kSuspected);
  EXPECT_TRUE(world.pass(30s - 1ns).global.empty());
  EXPECT_TRUE(world.detector.is_alive_global(node(7))) << "suspected is not dead";
  const Expired expired = world.pass(100ms);
  ASSERT_EQ(expired.global.size(), 1U);
  EXPECT_EQ(expired.global[0],
            (GlobalDeath{.node = node(7), .incarnation = life(1), .suspected_at = kStart, .deadline = kStart + 30s}));
  EXPECT_FALSE(world.detector.is_alive_global(node(7)));
  EXPECT_TRUE(world.pass(100s).global.empty()) << "told once";
}

TEST(FailureDetector, ARefutationNeedsAHigherIncarnation) {
  DetectionWorld world;
  world.suspect(7, 5);
  EXPECT_FALSE(world.detector.refute_global(node(7), life(4)));
  EXPECT_FALSE(world.detector.refute_global(node(7), life(5)));
  EXPECT_TRUE(world.detector.refute_global(node(7), life(6)));
  EXPECT_EQ(world.detector.node_status(node(7)), std::nullopt);
  EXPECT_TRUE(world.pass(100s).global.empty());

  DetectionWorld mutated(planted({.refute_without_higher_incarnation = BugPlanter::planted()}));
  mutated.suspect(7, 5);
  EXPECT_TRUE(mutated.detector.refute_global(node(7), life(5))) << "the planted bug is not one";
}

TEST(FailureDetector, ASuspicionAtAHigherIncarnationIsANewOne) {
  DetectionWorld world;
  world.suspect(7, 1);
  world.pass(20s);
  EXPECT_FALSE(world.suspect(7, 0, 2)) << "stale";
  EXPECT_TRUE(world.suspect(7, 2, 2));
  EXPECT_TRUE(world.pass(29s).global.empty()) << "the node itself raised the incarnation after the first suspicion";
  EXPECT_EQ(world.pass(1s).global.size(), 1U);
}

// Rapid confirmations used to reschedule the timer, so that a dead node was never declared dead.
// proves: AD30-WHEEL-2, AD30-TEST-1
TEST(FailureDetector, EndlessConfirmationsCannotDelayDeath) {
  for (const bool distinct : {false, true}) {
    DetectionWorld world;
    world.suspect(7);
    std::size_t deaths = 0;
    for (int i = 0; i < 3'100; ++i) {
      world.confirm(7, distinct ? 2 + i : 2);
      world.suspect(7, 1, distinct ? 2 + i : 2);
      deaths += world.pass(10ms).global.size();
    }
    EXPECT_EQ(deaths, 1U) << "31 s have passed";
  }
  DetectionWorld mutated(planted({.confirmations_postpone = BugPlanter::planted()}));
  mutated.suspect(7);
  std::size_t deaths = 0;
  for (int i = 0; i < 3'100; ++i) {
    mutated.confirm(7, 2);
    deaths += mutated.pass(10ms).global.size();
  }
  EXPECT_EQ(deaths, 0U) << "the planted bug is not one";
}

// proves: AD30-WHEEL-2
TEST(FailureDetector, IndependentConfirmationsShortenTheSuspicion) {
  DetectionWorld world;
  world.suspect(7);
  EXPECT_FALSE(world.confirm(7, 1));
  EXPECT_FALSE(world.confirm(7, 2, 9)) << "of another incarnation";
  EXPECT_TRUE(world.confirm(7, 2));
  EXPECT_EQ(world.detector.node_status(node(7))->deadline, kStart + 17'500ms);
  EXPECT_TRUE(world.confirm(7, 3));
  EXPECT_TRUE(world.confirm(7, 4));
  EXPECT_TRUE(world.pass(5s - 1ns).global.empty());
  const Expired expired = world.pass(100ms);
  ASSERT_EQ(expired.global.size(), 1U);
  EXPECT_EQ(expired.global[0].confirmations, 3U);
  EXPECT_FALSE(world.confirm(8, 2)) << "nobody suspects it";
}

// Late ones count from the beginning of the suspicion, and not from when they came.
// proves: AD30-WHEEL-2
TEST(FailureDetector, AConfirmationPutsNoEndOffInEitherLayer) {
  DetectionWorld world;
  world.suspect(7);
  world.suspect_job(kJob1, 8);
  EXPECT_TRUE(world.pass(6s).job.empty());
  EXPECT_FALSE(world.suspect_job(kJob1, 8)) << "the same voice again begins nothing anew";
  EXPECT_TRUE(world.detector.confirm_job(kJob1, node(8), life(1), node(2), world.now));
  EXPECT_EQ(world.pass(300ms).job.size(), 1U) << "5.5 s for two voices, which are over";
  world.pass(10'700ms);
  EXPECT_TRUE(world.confirm(7, 2));
  EXPECT_EQ(world.detector.node_status(node(7))->deadline, kStart + 17'500ms);
  EXPECT_TRUE(world.pass(400ms).global.empty());
  EXPECT_TRUE(world.confirm(7, 3));
  EXPECT_LE(world.detector.node_status(node(7))->deadline, kStart + 17'500ms);
  EXPECT_EQ(world.pass(200ms).global.size(), 1U);

  DetectionWorld hurried;
  hurried.suspect(7);
  EXPECT_TRUE(hurried.detector.shorten_global(node(7), kStart + 8s));
  EXPECT_TRUE(hurried.confirm(7, 2));
  EXPECT_EQ(hurried.detector.node_status(node(7))->deadline, kStart + 8s) << "two voices alone would be 17.5 s";
  EXPECT_EQ(hurried.pass(8'100ms).global.size(), 1U);
}

TEST(FailureDetector, DeathsComeByDeadlineThenByAddress) {
  DetectionWorld world;
  for (const int number : {9, 3, 6}) world.suspect(number);
  world.now += 20ms;
  world.suspect(1);
  const MonoTime late = kStart + 100s;
  const auto deaths = world.detector.expire(late).global;
  ASSERT_EQ(deaths.size(), 4U);
  EXPECT_EQ(deaths[0].node, node(3));
  EXPECT_EQ(deaths[1].node, node(6));
  EXPECT_EQ(deaths[2].node, node(9));
  EXPECT_EQ(deaths[3].node, node(1));
}

// Scenario 1 of AD-30: dead globally, so nothing is left to suspect for single jobs.
// proves: AD30-TEST-1
// proves part: AD30-REC-1 (in the detector; of what it finds a node is seen to log one kind only)
TEST(FailureDetector, AGlobalDeathClearsAllJobSuspicionsOfTheNode) {
  DetectionWorld world;
  world.detector.set_health_multiplier(3);  // job suspicions last 30 s
  world.suspect_job(kJob1, 7);
  world.suspect_job(kJob2, 7);
  world.suspect_job(kJob2, 8);
  world.detector.set_health_multiplier(1);
  world.detector.suspect_global({.node = node(7), .incarnation = life(1), .from = node(1), .timeout = 6s}, world.now);
  const Expired expired = world.pass(7s);
  ASSERT_EQ(expired.global.size(), 1U);
  EXPECT_EQ(expired.global[0].job_entries_cleared, 2U);
  EXPECT_TRUE(expired.job.empty());
  EXPECT_EQ(world.detector.job_entries(), 1U);
  EXPECT_TRUE(world.detector.node_status(node(7))->jobs.empty());
  EXPECT_FALSE(world.detector.is_alive_for_job(kJob1, node(7))) << "dead globally is dead for every job";
  EXPECT_FALSE(world.suspect_job(kJob1, 7));
}

// Scenario 2 of AD-30.
// proves: AD30-JOB-1, AD30-TEST-1
TEST(FailureDetector, ANodeMayBeDeadForOneJobAndAliveForAnother) {
  DetectionWorld world;
  world.suspect_job(kJob1, 7);
  const Expired expired = world.pass(11s);
  ASSERT_EQ(expired.job.size(), 1U);
  EXPECT_EQ(expired.job[0].job, kJob1);
  EXPECT_EQ(expired.job[0].node, node(7));
  EXPECT_FALSE(world.detector.is_alive_for_job(kJob1, node(7)));
  EXPECT_TRUE(world.detector.is_alive_for_job(kJob2, node(7)));
  EXPECT_TRUE(world.detector.is_alive_for_job(kJob1, node(8))) << "nor is another node of the job";
  EXPECT_TRUE(world.detector.is_alive_global(node(7)));
  EXPECT_EQ(world.detector.node_status(node(7))->jobs, (std::vector<NodeStatus::Job>{{kJob1, Liveness::kDead}}));
}

// Scenario 3 of AD-30.
// proves: AD30-TEST-1
TEST(FailureDetector, HigherIncarnationRevivesInBothLayers) {
  DetectionWorld world;
  world.suspect_job(kJob1, 7, 3);
  world.pass(11s);
  world.suspect(7, 3);
  world.pass(31s);
  ASSERT_FALSE(world.detector.is_alive_global(node(7)));
  world.pass(10s);
  EXPECT_FALSE(world.detector.clear_global_death(node(7), life(3)));
  EXPECT_TRUE(world.detector.clear_global_death(node(7), life(4)));
  EXPECT_TRUE(world.detector.is_alive_global(node(7)));
  EXPECT_TRUE(world.detector.is_alive_for_job(kJob1, node(7))) << "its death for the job went with the global one";
  EXPECT_FALSE(world.detector.clear_global_death(node(7), life(9)));
  EXPECT_TRUE(world.suspect(7, 4)) << "and it can be suspected again";
}

TEST(FailureDetector, ADeathFoundByOthersIsRecordedAndNotTold) {
  DetectionWorld world;
  world.suspect(7, 3);
  world.suspect_job(kJob1, 7, 3);
  EXPECT_FALSE(world.detector.declare_global_death(node(7), life(2), world.now)) << "of an earlier life";
  EXPECT_TRUE(world.detector.declare_global_death(node(7), life(3), world.now));
  EXPECT_FALSE(world.detector.declare_global_death(node(7), life(3), world.now));
  EXPECT_FALSE(world.detector.is_alive_global(node(7)));
  EXPECT_EQ(world.detector.job_entries(), 0U);
  EXPECT_TRUE(world.pass(100s).empty());
}

TEST(FailureDetector, ANodeThatIsForgottenLeavesNothing) {
  DetectionWorld world;
  world.suspect(7);
  world.suspect_job(kJob1, 7);
  world.detector.declare_global_death(node(8), life(1), world.now);
  world.detector.forget(node(7));
  world.detector.forget(node(8));
  EXPECT_EQ(world.detector.node_status(node(7)), std::nullopt);
  EXPECT_EQ(world.detector.node_status(node(8)), std::nullopt);
  EXPECT_EQ(world.detector.next_wake(), MonoTime::max());
}

// proves: SWIM-3
// proves part: AD35-TMO-1 (not where a host refuses packets, nor for a death that nobody suspected)
TEST(FailureDetector, APeersOwnTimeoutTakesThePlaceOfTheRoles) {
  DetectionWorld world;
  Accusation far = accusation(7);
  far.timeout = 67'200ms;
  Accusation near = accusation(8);
  near.timeout = 5'250ms;
  Accusation absurd = accusation(9);
  absurd.timeout = 10'000s;
  for (const auto& accused : {far, near, absurd}) EXPECT_TRUE(world.detector.suspect_global(accused, world.now));
  EXPECT_EQ(world.detector.node_status(node(7))->deadline, kStart + 67'200ms);
  EXPECT_EQ(world.detector.node_status(node(8))->deadline, kStart + 5'250ms);
  EXPECT_EQ(world.detector.node_status(node(9))->deadline, kStart + 300s);
  EXPECT_EQ(world.pass(5'300ms).global.size(), 1U);
  EXPECT_TRUE(world.pass(61s).global.empty());
  EXPECT_EQ(world.pass(1s).global.size(), 1U);
  for (const int voice : {2, 3, 4}) world.confirm(9, voice);
  EXPECT_EQ(world.pass(100ms).global.size(), 1U) << "confirmations shorten it all the same";
}

// proves: AD30-TEST-1
// proves part: SWIM-LHM-2 (not the fixed time for which a death that was heard of is doubted)
// proves part: OV-12 (refusals; probes, suspicions and jobs by LHM; not elections, nor the unconfirmed)
TEST(FailureDetector, SlowObserverWaitsLongerBeforeDeath) {
  DetectionWorld world;
  world.detector.set_health_multiplier(3);
  world.suspect(7);
  for (const int voice : {2, 3, 4}) world.confirm(7, voice);
  world.suspect(8);
  world.suspect_job(kJob1, 9);
  EXPECT_TRUE(world.pass(15s - 1ns).global.empty());
  EXPECT_EQ(world.pass(100ms).global.size(), 1U);
  EXPECT_TRUE(world.pass(14s).job.empty());
  EXPECT_EQ(world.pass(1s).job.size(), 1U);
  EXPECT_EQ(world.pass(60s).global.size(), 1U);

  DetectionWorld mutated(planted({.ignore_local_health = BugPlanter::planted()}));
  mutated.detector.set_health_multiplier(3);
  mutated.suspect(8);
  EXPECT_EQ(mutated.pass(31s).global.size(), 1U) << "the planted bug is not one";
}

// proves part: AD30-INT-2 (functions that no node calls, and a node before its start, which knows nobody)
TEST(FailOpen, WithoutDetectorEverybodyIsAlive) {
  EXPECT_TRUE(is_alive_global(nullptr, node(1)));
  EXPECT_TRUE(is_alive_for_job(nullptr, kJob1, node(1)));
  EXPECT_FALSE(suspect_global(nullptr, accusation(1), kStart));
  EXPECT_FALSE(suspect_job(nullptr, kJob1, accusation(1), kStart));
  EXPECT_EQ(clear_job(nullptr, kJob1), 0U);
  EXPECT_EQ(node_status(nullptr, node(1)), std::nullopt);

  DetectionWorld world;
  EXPECT_TRUE(suspect_global(&world.detector, accusation(7), kStart));
  EXPECT_TRUE(suspect_job(&world.detector, kJob1, accusation(7), kStart));
  EXPECT_EQ(clear_job(&world.detector, kJob1), 1U);
  world.pass(31s);
  EXPECT_FALSE(is_alive_global(&world.detector, node(7)));
  EXPECT_FALSE(is_alive_for_job(&world.detector, kJob1, node(7)));
  EXPECT_EQ(node_status(&world.detector, node(7))->global, Liveness::kDead);
}

// proves: AD30-INT-1
TEST(FailureDetector, AcceptsNothingBeforeItsStartAndAfterItsStop) {
  FailureDetector detector((DetectionConfig()));
  EXPECT_EQ(detector.state(), DetectorState::kCreated);
  EXPECT_FALSE(detector.suspect_global(accusation(7), kStart));
  EXPECT_TRUE(detector.is_alive_global(node(7)));
  detector.start(kStart);
  EXPECT_EQ(detector.state(), DetectorState::kRunning);
  EXPECT_TRUE(detector.suspect_global(accusation(7), kStart));
  EXPECT_TRUE(detector.suspect_job(kJob1, accusation(7), kStart));
  detector.stop();
  EXPECT_EQ(detector.state(), DetectorState::kStopped);
  EXPECT_EQ(detector.global_suspicions() + detector.job_entries(), 0U);
  EXPECT_EQ(detector.next_wake(), MonoTime::max());
  EXPECT_FALSE(detector.suspect_job(kJob1, accusation(7), kStart));
  EXPECT_TRUE(detector.expire(kStart + 1'000s).empty());
}

struct RandomUse {
  void step(int what, int number, int from, std::uint64_t incarnation, Duration time) {
    const JobKey& job = from % 2 == 0 ? kJob1 : kJob2;
    FailureDetector& detector = world.detector;
    switch (what) {
      case 0:
        world.suspect(number, incarnation, from);
        break;
      case 1:
        world.confirm(number, from, incarnation);
        break;
      case 2:
        detector.refute_global(node(number), life(incarnation));
        break;
      case 3:
        world.suspect_job(job, number, incarnation, from);
        break;
      case 4:
        detector.confirm_job(job, node(number), life(incarnation), node(from), world.now);
        break;
      case 5:
        detector.refute_job(job, node(number), life(incarnation));
        break;
      case 6:
        if (detector.clear_global_death(node(number), life(incarnation))) told.erase(number);
        break;
      case 7:
        detector.clear_job(job);
        break;
      default:
        take(world.pass(time));
    }
    check(number);
  }

  void take(const Expired& expired) {
    for (const auto& death : expired.global) {
      RC_ASSERT(told.insert(death.node.port).second);
      RC_ASSERT(death.deadline <= world.now);
      RC_ASSERT(death.deadline - death.suspected_at >= 5s);
    }
    for (const auto& death : expired.job) {
      RC_ASSERT((death.deadline <= world.now && death.deadline - death.suspected_at >= 1s));
    }
    for (const auto& anomaly : expired.anomalies) RC_ASSERT(anomaly.kind == Anomaly::Kind::kDeadForEveryJob);
    for (int number = 1; number < 6; ++number) {
      const auto status = world.detector.node_status(node(number));
      RC_ASSERT((!status || !status->deadline || *status->deadline + 100ms > world.now));
    }
  }

  void check(int number) const {
    const FailureDetector& detector = world.detector;
    RC_ASSERT(detector.is_alive_global(node(number)) != told.contains(number));
    if (told.contains(number)) {
      RC_ASSERT(!detector.is_alive_for_job(kJob1, node(number)));
      RC_ASSERT(detector.node_status(node(number))->jobs.empty());
    }
  }

  static DetectionConfig remembering() {
    DetectionConfig config;
    config.dead_kept = 1'000'000s;
    return config;
  }

  DetectionWorld world{remembering()};
  std::set<int> told;
};

// proves: AD30-TEST-1
RC_GTEST_PROP(FailureDetector, AnyInterleavingReportsEachDeathOnce, ()) {
  RandomUse use;
  const auto steps = *rc::gen::inRange(1, 120);
  for (int i = 0; i < steps; ++i) {
    use.step(*rc::gen::inRange(0, 10), *rc::gen::inRange(1, 6), *rc::gen::inRange(1, 8),
             *rc::gen::inRange<std::uint64_t>(1, 5), Duration(*rc::gen::inRange<Duration::rep>(0, 20'000'000'000)));
  }
}

}  // namespace
}  // namespace hyperscale::membership
