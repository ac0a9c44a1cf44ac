#include "sim/engine/world.h"
#include "toy_system.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace hyperscale::sim::test {
namespace {

bool see_each_other(const ToyWorld& toy, HostId a, HostId b) {
  const auto sees = [&](HostId from, HostId to) {
    return toy.system.node(from) != nullptr &&
           toy.node(from).sees(to, toy.world.host(from).clock.mono(toy.world.now()));
  };
  return sees(a, b) && sees(b, a);
}

TEST(SimLifecycle, ProcessesStartAndHearEachOther) {
  ToyWorld toy(3);
  toy.run(3s);
  EXPECT_TRUE(see_each_other(toy, 0, 1));
  EXPECT_TRUE(see_each_other(toy, 1, 2));
}

TEST(SimLifecycle, KilledProcessKeepsOnlySyncedData) {
  ToyWorld toy(2);
  toy.run(3s);
  toy.world.crash(0);
  EXPECT_FALSE(toy.world.host(0).running());
  EXPECT_EQ(toy.system.ends[0], 1);
  toy.run(10s);
  EXPECT_FALSE(toy.world.host(0).running()) << "nothing starts what was killed";
  EXPECT_GT(toy.world.host(0).counters.dropped_down, 5);
  toy.world.start(0);
  EXPECT_EQ(toy.node(0).starts_on_disk, 2);
  EXPECT_TRUE(toy.node(0).received.empty()) << "memory is lost";
}

TEST(SimLifecycle, OnlyMachineWithoutProcessRefusesPackets) {
  ToyWorld toy(2);
  toy.run(3s);
  toy.world.pause(0);
  toy.run(5s);
  EXPECT_TRUE(toy.node(1).refusals.empty()) << "a stopped process still has its port";
  toy.world.crash(0);
  toy.run(5s);
  EXPECT_GE(toy.node(1).refusals.size(), 4);
  EXPECT_EQ(toy.node(1).refusals.front(), 0);
}

TEST(SimLifecycle, ResumedProcessGetsPacketsAndLateDeadline) {
  ToyWorld toy(2);
  toy.run(3s);
  const std::size_t before = toy.node(0).received.size();
  toy.world.pause(0);
  toy.run(10s);
  EXPECT_EQ(toy.node(0).received.size(), before);
  toy.world.resume(0);
  toy.run(10ms);
  EXPECT_GE(toy.node(0).received.size(), before + 9);
  EXPECT_GT(toy.node(0).lateness.back(), 8s);
}

TEST(SimLifecycle, TheReceiveQueueOfAPausedProcessIsBounded) {
  ToyWorld toy(2, 1, {.within_site = {.latency = 1ms}, .between_sites = {}, .limits = {.receive_queue_bytes = 100}});
  toy.run(3s);
  const std::size_t before = toy.node(0).received.size();
  toy.world.pause(0);
  toy.run(20s);
  toy.world.resume(0);
  toy.run(10ms);
  EXPECT_LE(toy.node(0).received.size(), before + 5);
  EXPECT_GT(toy.world.host(0).counters.dropped_backlog, 10);
}

TEST(SimLifecycle, ASlowProcessFallsBehindAndWakesLate) {
  ToyWorld toy(3);
  toy.world.set_step_cost(0, 700ms, 700ms);
  toy.run(20s);
  const auto& lateness = toy.node(0).lateness;
  EXPECT_GT(*std::ranges::max_element(lateness), 300ms);
  EXPECT_LT(toy.node(0).received.size(), 30) << "it has time for no more calls";
  EXPECT_GT(toy.world.host(0).backlog.size(), 5);
}

TEST(SimLifecycle, AProcessThatEndsByItselfIsStartedAgain) {
  ToyWorld toy(2);
  toy.run(1s);
  toy.world.disk(0).faults.full = true;
  toy.world.crash(0);
  toy.world.start(0);
  EXPECT_FALSE(toy.world.host(0).running()) << "it exits when it cannot write";
  toy.run(5s);
  toy.world.disk(0).faults.full = false;
  toy.run(3s);
  EXPECT_TRUE(toy.world.host(0).running());
}

TEST(SimLifecycle, AFailedSyncKillsTheProcess) {
  ToyWorld toy(2);
  toy.world.disk(0).faults.sync_error = 1;
  toy.world.crash(0);
  toy.world.start(0);
  EXPECT_FALSE(toy.world.host(0).running());
}

TEST(SimLifecycle, DyingInASyncLeavesTheRecordWrittenOrNot) {
  ToyWorld toy(1);
  std::set<std::uint64_t> seen;
  for (int i = 0; i < 40; ++i) {
    toy.world.crash(0);
    toy.world.disk(0).faults = {.crash_at_sync = 1, .torn_in_crash = 0, .kept_in_crash = 0};
    toy.world.start(0);
    EXPECT_FALSE(toy.world.host(0).running());
    toy.world.crash(0);
    toy.world.disk(0).faults = {};
    toy.world.start(0);
    seen.insert(toy.node(0).starts_on_disk);
  }
  // Each round adds one for the good start, and one more where the write was safe before the process died.
  EXPECT_GT(*seen.rbegin(), 45);
  EXPECT_LT(*seen.rbegin(), 80);
}

TEST(SimLifecycle, WhoLeavesOnPurposeStaysAway) {
  ToyWorld toy(2);
  toy.run(1s);
  toy.world.order(0, "leave", 0);
  EXPECT_TRUE(toy.world.host(0).left);
  toy.run(30s);
  EXPECT_FALSE(toy.world.host(0).running());
}

TEST(SimLifecycle, AnOrderWaitsForAPausedProcess) {
  ToyWorld toy(1);
  toy.world.pause(0);
  toy.world.order(0, "reload", 0);
  toy.run(1s);
  EXPECT_TRUE(toy.node(0).orders.empty());
  toy.world.resume(0);
  toy.run(1s);
  EXPECT_EQ(toy.node(0).orders, std::vector<std::string>{"reload"});
}

TEST(SimLifecycle, AProcessThatNeverStopsWakingIsAViolation) {
  ToyWorld toy(1, 1, {}, {.spins = true});
  toy.run(5s);
  ASSERT_TRUE(toy.world.violation().has_value());
  EXPECT_EQ(toy.world.violation()->checker, "spinning");
}

TEST(SimLifecycle, AFastClockBeatsFaster) {
  ToyWorld toy(2);
  toy.world.set_clock_rate(0, 50'000);
  toy.run(200s);
  EXPECT_NEAR(static_cast<double>(toy.node(1).received.size()), 210, 3);
  EXPECT_NEAR(static_cast<double>(toy.node(0).received.size()), 200, 3);
}

}  // namespace
}  // namespace hyperscale::sim::test
