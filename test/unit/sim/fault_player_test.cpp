#include "sim/scenario/fault_player.h"

#include "toy_system.h"

#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace hyperscale::sim::test {
namespace {

// Four gates: 0 to 3. The first that runs leads.
class FaultPlayerTest : public testing::Test {
 protected:
  Fault fault(FaultKind kind, std::string_view targets, Duration lasts = 0s) const {
    Fault made{.kind = kind, .lasts = lasts};
    if (!targets.empty()) made.targets = *parse_targets(targets, labels());
    return made;
  }
  static std::vector<std::string> labels() {
    return labels_of(hosts_of({.gates = 4, .datacenters = 0, .managers = 0, .workers = 0}));
  }
  bool cut(HostId from, HostId to) const { return toy.world.network().blocked(from, to); }

  ToyWorld toy{4};
  FaultPlayer player{toy.world, toy.system};
};

TEST_F(FaultPlayerTest, ACrashEndsWithAStart) {
  player.apply(fault(FaultKind::kCrash, "gate1, gate3", 5s));
  EXPECT_FALSE(toy.world.host(0).running());
  EXPECT_FALSE(toy.world.host(2).running());
  EXPECT_TRUE(toy.world.host(1).running());
  toy.run(6s);
  EXPECT_TRUE(toy.world.host(0).running());
}

TEST_F(FaultPlayerTest, TheLeaderIsFoundWhenTheFaultComes) {
  player.schedule({fault(FaultKind::kCrash, "leader of gates"), fault(FaultKind::kCrash, "leader of gates")});
  toy.run(1ms);
  EXPECT_FALSE(toy.world.host(0).running());
  EXPECT_FALSE(toy.world.host(1).running());
  EXPECT_TRUE(toy.world.host(2).running());
}

TEST_F(FaultPlayerTest, APartitionCutsBothWaysAgainstEverybodyElse) {
  player.apply(fault(FaultKind::kPartition, "gate1, gate2", 10s));
  EXPECT_TRUE(cut(0, 2));
  EXPECT_TRUE(cut(3, 1));
  EXPECT_FALSE(cut(0, 1));
  EXPECT_FALSE(cut(2, 3));
  toy.run(11s);
  EXPECT_FALSE(cut(0, 2));
}

TEST_F(FaultPlayerTest, PartitionsThatOverlapEndOneByOne) {
  player.apply(fault(FaultKind::kPartition, "gate1", 10s));
  player.apply(fault(FaultKind::kPartition, "gate1", 20s));
  toy.run(11s);
  EXPECT_TRUE(cut(0, 1));
  toy.run(10s);
  EXPECT_FALSE(cut(0, 1));
}

TEST_F(FaultPlayerTest, AOneWayPartitionAgainstSome) {
  Fault one_way = fault(FaultKind::kOneWay, "gate1");
  one_way.against = *parse_targets("gate2", labels());
  player.apply(one_way);
  EXPECT_TRUE(cut(0, 1));
  EXPECT_FALSE(cut(1, 0));
  EXPECT_FALSE(cut(0, 2));
}

TEST_F(FaultPlayerTest, ANewVersionCountsFromTheNextStart) {
  Fault upgrade = fault(FaultKind::kUpgrade, "gate2");
  upgrade.amount = 7;
  player.apply(upgrade);
  EXPECT_FALSE(toy.world.host(1).running());
  toy.run(2s);
  EXPECT_TRUE(toy.world.host(1).running());
  EXPECT_EQ(toy.world.host(1).minor_version, 7);
  EXPECT_EQ(toy.world.host(1).run, 2);
}

TEST_F(FaultPlayerTest, StrangersAndOldPacketsArrive) {
  toy.run(3s);
  const std::uint64_t before = toy.world.network().counters().sent;
  Fault flood = fault(FaultKind::kFlood, "", 10s);
  flood.amount = 1'000;
  player.apply(flood);
  Fault replay = fault(FaultKind::kReplay, "", 10s);
  replay.amount = 100;
  player.apply(replay);
  toy.run(10s);
  const std::uint64_t during = toy.world.network().counters().sent - before;
  EXPECT_NEAR(static_cast<double>(during), 11'000, 1'500);
  toy.run(10s);
  EXPECT_LT(toy.world.network().counters().sent - before - during, 200) << "over is over";
}

TEST_F(FaultPlayerTest, NoiseComesInTheNamesOfMembers) {
  toy.run(3s);
  Fault forge = fault(FaultKind::kForgeSenders, "gate1", 10s);
  forge.amount = 1'000;
  const std::uint64_t before = toy.world.network().counters().sent;
  player.apply(forge);
  toy.run(10s);
  EXPECT_NEAR(static_cast<double>(toy.world.network().counters().sent - before), 10'000, 1'500);
  toy.run(10s);
  EXPECT_LT(toy.world.network().counters().sent - before, 11'700) << "over is over";
}

TEST_F(FaultPlayerTest, ForgedRefusalsComeInTheNameOfTheLiving) {
  toy.run(3s);
  Fault forge = fault(FaultKind::kForgeRefusals, "");
  forge.amount = 100;
  player.apply(forge);
  toy.run(10s);
  const auto heard = [&] {
    std::size_t count = 0;
    for (HostId id = 0; id < toy.world.size(); ++id) count += toy.node(id).refusals.size();
    return count;
  };
  EXPECT_NEAR(static_cast<double>(heard()), 1'000, 200);
  player.apply(fault(FaultKind::kHeal, ""));
  const std::size_t before = heard();
  toy.run(10s);
  EXPECT_LT(heard() - before, 5) << "over is over";
}

TEST_F(FaultPlayerTest, HealingUndoesEverything) {
  Fault slow = fault(FaultKind::kSlow, "gate2");
  slow.by = 50ms;
  Fault jump = fault(FaultKind::kClockJump, "gate3", 60s);
  jump.by = 20s;
  Fault rate = fault(FaultKind::kClockRate, "gate3");
  rate.amount = 50'000;
  const Fault full = fault(FaultKind::kDiskFull, "gate4");
  for (const Fault& each : {fault(FaultKind::kCrash, "gate1"), fault(FaultKind::kPartition, "gate2"),
                            fault(FaultKind::kPause, "gate3"), slow, jump, rate, full}) {
    player.apply(each);
  }
  player.apply(fault(FaultKind::kHeal, ""));
  EXPECT_TRUE(toy.world.host(0).running());
  EXPECT_FALSE(cut(0, 1));
  EXPECT_FALSE(toy.world.host(2).paused);
  EXPECT_EQ(toy.world.host(1).step_cost_max, 0s);
  EXPECT_EQ(toy.world.host(2).clock.wall_offset(), 0s);
  EXPECT_EQ(toy.world.host(2).clock.rate_ppm(), 0);
  EXPECT_FALSE(toy.world.host(3).disk.faults.full);
  toy.run(70s);
  EXPECT_EQ(toy.world.host(2).clock.wall_offset(), 0s) << "a jump that was healed is not taken back again";
  EXPECT_EQ(toy.system.unmet({.kind = ExpectKind::kSettled}, {}), std::nullopt);
}

TEST(FaultKinds, TheTableIsInTheOrderOfItsKinds) {
  for (const FaultTraits& each : fault_kinds()) EXPECT_EQ(traits(each.kind).name, each.name);
}

}  // namespace
}  // namespace hyperscale::sim::test
