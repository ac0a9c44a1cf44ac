// Several members over a virtual network: what each of them comes to believe.

#include "virtual_network.h"

#include <map>
#include <utility>

#include <gtest/gtest.h>

namespace hyperscale::membership::test {
namespace {

using wire::NodeIdentity;

std::vector<NodeIdentity> gates(std::uint16_t count) {
  std::vector<NodeIdentity> all;
  for (std::uint16_t i = 1; i <= count; ++i) all.push_back(gate(i));
  return all;
}

// 3 gates and two datacenters of 3 managers and 4 workers. Everybody is given the managers near it and the gates.
std::vector<NodeIdentity> add_fleet(VirtualNetwork& network) {
  std::vector<NodeIdentity> all = gates(3);
  for (const NodeIdentity& each : all) network.add(each, {gate(1), gate(2), manager(1, "east"), manager(1, "west")});
  for (const char* datacenter : {"east", "west"}) {
    const std::vector<NodeIdentity> near{manager(1, datacenter), manager(2, datacenter)};
    for (std::uint16_t i = 1; i <= 3; ++i) {
      all.push_back(manager(i, datacenter));
      network.add(all.back(), {near[0], near[1], gate(1)});
    }
    for (std::uint16_t i = 1; i <= 4; ++i) {
      all.push_back(worker(i, datacenter));
      network.add(all.back(), near);
    }
  }
  return all;
}

bool in_west(const NodeIdentity& node) {
  return node.datacenter == "west";
}

// proves: AD29-8
TEST(Cluster, GatesStartedTogetherMeetWithoutFalseDeaths) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    VirtualNetwork network(seed);
    for (const NodeIdentity& each : gates(5)) network.add(each, gates(5));
    network.start_all();
    network.run_for(5s);
    EXPECT_TRUE(network.everybody_agrees()) << seed;
    network.run_for(60s);
    EXPECT_EQ(network.deaths(), 0) << seed;
    EXPECT_EQ(network.core(gate(1)).counters().suspicions_started, 0);
  }
}

// proves: AD29-8
TEST(Cluster, LateGatesAreNotDeclaredDead) {
  VirtualNetwork network(3);
  for (const NodeIdentity& each : gates(4)) network.add(each, gates(4));
  for (const NodeIdentity& each : gates(4)) {
    network.start(each);
    network.run_for(40s);
  }
  EXPECT_TRUE(network.everybody_agrees());
  EXPECT_EQ(network.deaths(), 0);
}

TEST(Cluster, AFleetKnowsItselfSoon) {
  VirtualNetwork network(11);
  add_fleet(network);
  network.start_all();
  network.run_for(10s);
  EXPECT_TRUE(network.everybody_agrees());
}

// proves: AD29-8
TEST(Cluster, KilledGateIsReportedDeadOnceByEachPeer) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    VirtualNetwork network(seed);
    for (const NodeIdentity& each : gates(3)) network.add(each, gates(3));
    network.start_all();
    network.run_for(60s);
    network.kill(gate(2));
    const MonoTime killed = network.now;
    network.run_for(20s);
    for (const NodeIdentity& survivor : {gate(1), gate(3)}) {
      EXPECT_EQ(network.sees(survivor, gate(2)), MemberState::kDead) << seed;
      std::optional<MonoTime> suspected;
      for (const AuditEntry& entry : network.core(survivor).audit().entries()) {
        if (entry.event == AuditEvent::kSuspected) suspected = entry.time;
      }
      EXPECT_GT(suspected.value(), killed);
    }
    network.run_for(10min);
    EXPECT_EQ(network.told_of(gate(2), false).size(), 2) << seed;
    EXPECT_EQ(network.deaths(), 2) << seed;
  }
}

// Of a machine that says nothing any more; one that refuses packets is known sooner (refusals_test.cpp).
// proves part: AD35-SC-2 (of a manager; not of a worker)
TEST(Cluster, DeathInDatacenterIsFoundWithinTenSeconds) {
  constexpr std::size_t kRuns = 30;
  const wire::NodeIdentity victim = manager(2, "east");
  std::size_t known_to_all = 0;
  for (std::uint64_t seed = 1; seed <= kRuns; ++seed) {
    VirtualNetwork network(seed);
    add_fleet(network);
    network.start_all();
    network.run_for(120s);
    ASSERT_TRUE(network.everybody_agrees());
    network.kill(victim);
    network.run_for(10s);
    const auto told = network.told_of(victim, false);
    EXPECT_GE(told.size(), 1) << seed;
    if (told.size() == 9) ++known_to_all;  // 3 gates, 2 managers, 4 workers
    network.run_for(5s);                   // the first probe of it may come late: once in a while it does
    EXPECT_EQ(network.deaths(), 9) << seed;
  }
  EXPECT_GE(known_to_all, kRuns * 9 / 10);
}

// proves: SWIM-3
TEST(Cluster, KilledWorkerIsFoundWithinSuspicionBounds) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    VirtualNetwork network(seed);
    add_fleet(network);
    network.start_all();
    network.run_for(60s);
    network.kill(worker(3, "west"));
    network.run_for(15s);
    EXPECT_EQ(network.told_of(worker(3, "west"), false).size(), 6) << seed;  // 3 managers, 3 workers
    network.run_for(10min);
    EXPECT_EQ(network.deaths(), 6) << seed;
  }
}

TEST(Cluster, LossOfATenthOfAllMessagesKillsNobody) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    VirtualNetwork network(seed);
    network.loss = 0.1;
    add_fleet(network);
    network.start_all();
    network.run_for(10min);
    EXPECT_EQ(network.deaths(), 0) << seed;
    EXPECT_TRUE(network.everybody_agrees() || network.core(gate(1)).counters().peers_suspect > 0) << seed;
  }
}

TEST(Cluster, ABriefPartitionKillsNobody) {
  VirtualNetwork network(5);
  add_fleet(network);
  network.start_all();
  network.run_for(60s);
  network.cut = [](const NodeIdentity& from, const NodeIdentity& to) { return in_west(from) != in_west(to); };
  network.run_for(3s);
  network.cut = nullptr;
  network.run_for(60s);
  EXPECT_EQ(network.deaths(), 0);
  EXPECT_TRUE(network.everybody_agrees());
}

TEST(Cluster, LongPartitionIsDetectedAndHeals) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    VirtualNetwork network(seed);
    add_fleet(network);
    network.start_all();
    network.run_for(60s);
    // East is split: manager 3 and workers 3 and 4 are on the other side of everything.
    const auto aside = [](const NodeIdentity& node) { return node.datacenter == "east" && node.address.port >= 3; };
    network.cut = [&](const NodeIdentity& from, const NodeIdentity& to) { return aside(from) != aside(to); };
    network.run_for(180s);
    EXPECT_EQ(network.sees(manager(1, "east"), manager(3, "east")), MemberState::kDead) << seed;
    EXPECT_EQ(network.sees(manager(3, "east"), manager(1, "east")), MemberState::kDead) << seed;
    network.cut = nullptr;
    const MonoTime healed = network.now;
    const std::size_t deaths_before = network.deaths();
    network.run_for(60s);
    EXPECT_TRUE(network.everybody_agrees()) << seed;
    EXPECT_EQ(network.deaths(), deaths_before) << seed;  // nobody dies of old rumours
    for (const auto& each : network.told) {
      if (each.time > healed && each.up) EXPECT_TRUE(each.recovered);
    }
  }
}

TEST(Cluster, ARestartedMemberIsBackAtOnce) {
  VirtualNetwork network(8);
  add_fleet(network);
  network.start_all();
  network.run_for(60s);
  network.kill(manager(1, "east"));
  network.run_for(60s);
  network.start(manager(1, "east"));
  network.run_for(10s);
  EXPECT_TRUE(network.everybody_agrees());
  const auto ups = network.told_of(manager(1, "east"), true);
  EXPECT_EQ(std::count_if(ups.begin(), ups.end(), [](const auto& up) { return up.recovered; }), 9);
}

TEST(Cluster, ARestartWithoutItsDiskIsBackToo) {
  VirtualNetwork network(9);
  add_fleet(network);
  network.start_all();
  network.run_for(60s);
  for (int life = 0; life < 3; ++life) {
    network.kill(manager(1, "east"));
    network.run_for(60s);
    network.lose_disk(manager(1, "east"));
    network.start(manager(1, "east"));
    network.run_for(20s);
    EXPECT_TRUE(network.everybody_agrees()) << life;
  }
}

TEST(Cluster, AQuickRestartGoesUnnoticed) {
  VirtualNetwork network(10);
  add_fleet(network);
  network.start_all();
  network.run_for(60s);
  network.kill(worker(1, "east"));
  network.start(worker(1, "east"));
  network.run_for(60s);
  EXPECT_EQ(network.deaths(), 0);
  EXPECT_TRUE(network.everybody_agrees());
}

TEST(Cluster, AGoodbyeIsKnownToAllWithoutASuspicion) {
  VirtualNetwork network(12);
  add_fleet(network);
  network.start_all();
  network.run_for(60s);
  network.leave(manager(2, "west"));
  network.run_for(4s);
  network.kill(manager(2, "west"));
  const auto told = network.told_of(manager(2, "west"), false);
  EXPECT_EQ(told.size(), 9);
  for (const auto& each : told) EXPECT_TRUE(each.left);
  network.run_for(120s);
  EXPECT_EQ(network.deaths(), 0);
  EXPECT_EQ(network.core(manager(1, "west")).counters().suspicions_started, 0);
}

TEST(Cluster, OneSidedDeafnessDoesNotTakeTheOthersDown) {
  VirtualNetwork network(13);
  add_fleet(network);
  network.start_all();
  network.run_for(60s);
  // Worker 1 hears nothing, but is heard: it may think everybody dead, but nobody else dies.
  network.cut = [](const NodeIdentity&, const NodeIdentity& to) { return to == worker(1, "east"); };
  network.run_for(5min);
  network.cut = nullptr;
  network.run_for(60s);
  for (const auto& each : network.told) {
    if (!each.up && each.by != worker(1, "east").address) EXPECT_EQ(each.about, worker(1, "east").address);
  }
  EXPECT_TRUE(network.everybody_agrees());
}

TEST(Cluster, TheSameSeedGivesTheSameRun) {
  const auto hash_of = [](std::uint64_t seed) {
    VirtualNetwork network(seed);
    network.loss = 0.2;
    network.traced = true;
    add_fleet(network);
    network.start_all();
    network.run_for(60s);
    network.kill(worker(1, "east"));
    network.run_for(60s);
    return network.hash;
  };
  EXPECT_EQ(hash_of(4), hash_of(4));
  EXPECT_NE(hash_of(4), hash_of(5));
}

TEST(Cluster, AQuietClusterIsNearlySilent) {
  VirtualNetwork network(14);
  const auto all = add_fleet(network);
  network.start_all();
  network.run_for(120s);
  const std::uint64_t before = network.messages;
  network.run_for(100s);
  // A probe and its answer for each member and second, and now and then a sync request.
  EXPECT_LE(network.messages - before, all.size() * 100 * 22 / 10);
}

// Kills, restarts, loss and cuts at random: ups and downs alternate at every observer, and after healing all agree.
class ClusterByChance : public ::testing::TestWithParam<std::uint64_t> {};

TEST_P(ClusterByChance, SurvivesWhatHappens) {
  const std::uint64_t seed = GetParam();
  Prng prng(seed);
  VirtualNetwork network(seed);
  const auto all = add_fleet(network);
  network.start_all();
  network.run_for(30s);
  for (int turn = 0; turn < 6; ++turn) {
    network.loss = prng.unit() * 0.3;
    const NodeIdentity& one = all[prng.below(all.size())];
    const std::uint64_t side = prng.next();
    switch (prng.below(4)) {
      case 0:
        network.kill(one);
        break;
      case 1:
        if (!network.is_up(one)) network.start(one);
        break;
      case 2:
        network.cut = [side](const NodeIdentity& from, const NodeIdentity& to) {
          const auto bit = [&](const NodeIdentity& n) {
            return side >> ((n.address.port * 5 + n.address.ip[13] * 7 + n.address.ip[14]) % 60) & 1;
          };
          return bit(from) != bit(to);
        };
        break;
      default:
        network.cut = nullptr;
    }
    network.run_for(Duration(prng.below(60)) * 1'000'000'000);
  }
  network.cut = nullptr;
  network.loss = 0;
  for (const NodeIdentity& each : all) {
    if (!network.is_up(each)) network.start(each);
  }
  network.run_for(120s);
  EXPECT_TRUE(network.everybody_agrees());
  std::map<std::pair<wire::NodeAddress, wire::NodeAddress>, bool> up;
  for (const auto& each : network.told) {
    bool& held = up[{each.by, each.about}];
    if (each.up && !each.recovered) held = false;  // the observer is in a new life
    EXPECT_NE(held, each.up);
    held = each.up;
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, ClusterByChance, ::testing::Range<std::uint64_t>(1, 25),
                         ::testing::PrintToStringParamName());

}  // namespace
}  // namespace hyperscale::membership::test
