#include "detection_world.h"
#include "sim/bugs/bug_planter.h"

#include <gtest/gtest.h>

namespace hyperscale::membership {
namespace {

const JobKey kJob1("job-1");
const JobKey kJob2("job-2");

// proves: AD30-TEST-1
// proves part: AD30-REC-1 (in the detector; of what it finds a node is seen to log one kind only)
TEST(Reconciliation, ClearsJobSuspicionsOfDeadNodesPeriodically) {
  DetectionWorld world(
      planted({.global_death_keeps_jobs = BugPlanter::planted()}));  // so that there is something to find
  world.suspect_job(kJob1, 7);
  world.suspect_job(kJob2, 7);
  world.suspect_job(kJob2, 8);
  world.pass(4s);
  world.detector.declare_global_death(node(7), life(1), world.now);
  EXPECT_EQ(world.detector.job_entries(), 3U);
  EXPECT_TRUE(world.pass(1s - 1ns).anomalies.empty());
  const Expired expired = world.pass(1ns);
  ASSERT_EQ(expired.anomalies.size(), 1U);
  EXPECT_EQ(expired.anomalies[0], (Anomaly{Anomaly::Kind::kJobEntriesOfDeadNode, node(7), 2}));
  EXPECT_EQ(world.detector.job_entries(), 1U);
  EXPECT_EQ(world.detector.stats().anomalies, 1U);
}

// proves: AD30-TEST-1
// proves part: AD30-REC-1 (in the detector; of what it finds a node is seen to log one kind only)
TEST(Reconciliation, ReportsOnceANodeThatIsDeadForEveryJob) {
  DetectionWorld world;
  world.suspect_job(kJob1, 7);
  world.suspect_job(kJob2, 7);
  world.suspect_job(kJob1, 8);
  Expired expired = world.pass(16s);
  EXPECT_EQ(expired.job.size(), 3U);
  ASSERT_EQ(expired.anomalies.size(), 1U) << "8 is dead for one job only";
  EXPECT_EQ(expired.anomalies[0], (Anomaly{Anomaly::Kind::kDeadForEveryJob, node(7), 2}));
  EXPECT_TRUE(world.pass(60s).anomalies.empty());
  world.detector.refute_job(kJob1, node(7), life(2));
  world.pass(5s);
  world.suspect_job(kJob1, 7, 2);
  EXPECT_EQ(world.pass(20s).anomalies.size(), 1U) << "it was well in between";
}

TEST(Reconciliation, SaysNothingWhereTheGlobalLayerSuspectsToo) {
  DetectionWorld world;
  world.suspect(7);
  world.suspect_job(kJob1, 7);
  world.suspect_job(kJob2, 7);
  EXPECT_TRUE(world.pass(29s).anomalies.empty());
}

// proves: AD30-TEST-1
// proves part: AD30-LIM-2 (deaths of nodes; not those for a job, which stay until it ends)
TEST(Reconciliation, OldDeathsAreForgotten) {
  DetectionWorld world;
  world.suspect(7);
  world.pass(31s);
  world.pass(890s);
  EXPECT_FALSE(world.detector.is_alive_global(node(7)));
  world.pass(20s);
  EXPECT_EQ(world.detector.node_status(node(7)), std::nullopt);
  EXPECT_EQ(world.detector.stats().dead_forgotten, 1U);
  EXPECT_EQ(world.detector.next_wake(), MonoTime::max()) << "with nothing to watch the detector sleeps";
}

TEST(Reconciliation, DeathsAreBoundedAndTheOldestGoesFirst) {
  DetectionConfig config;
  config.limits.max_dead_nodes = 2;
  DetectionWorld world(config);
  for (const int number : {7, 8, 9}) {
    world.detector.declare_global_death(node(number), life(1), world.now);
    world.pass(1s);
  }
  EXPECT_TRUE(world.detector.is_alive_global(node(7)));
  EXPECT_FALSE(world.detector.is_alive_global(node(8)));
  EXPECT_FALSE(world.detector.is_alive_global(node(9)));
  EXPECT_EQ(world.detector.stats().dead_forgotten, 1U);
}

// proves part: AD30-REC-1 (in the detector; of what it finds a node is seen to log one kind only)
TEST(Reconciliation, AQuietDetectorFindsNothingAndStaysInStep) {
  DetectionWorld world;
  for (int number = 1; number <= 50; ++number) world.suspect(number);
  for (int number = 1; number <= 50; number += 2) world.detector.refute_global(node(number), life(2));
  EXPECT_TRUE(world.pass(29s).anomalies.empty());
  EXPECT_EQ(world.detector.stats().reconciliations, 5U);
  EXPECT_EQ(world.pass(2s).global.size(), 25U);
}

}  // namespace
}  // namespace hyperscale::membership
