#include "cluster/peer_choice.h"

#include "small_cluster.h"

#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace hyperscale::cluster {
namespace {

using membership::RttConfig;
using membership::RttEstimate;
using wire::NodeRole;

// A peer at this distance, measured well.
RttEstimate measured(double ucb_ms) {
  RttEstimate rtt;
  rtt.known = true;
  rtt.rtt_ms = ucb_ms / 2;
  rtt.ucb_ms = ucb_ms;
  rtt.quality = 1;
  rtt.samples = 100;
  rtt.error_ms = 1;
  return rtt;
}
// As coordinates give it where there are none.
RttEstimate unmeasured() {
  return membership::estimate_rtt(nullptr, nullptr, MonoTime(), RttConfig());
}
PeerCandidate manager(std::uint8_t number, HealthBucket bucket, const RttEstimate& rtt) {
  PeerCandidate peer;
  peer.identity = identity(NodeRole::kManager, number);
  peer.bucket = bucket;
  peer.rtt = rtt;
  return peer;
}

class PeerChoiceTest : public testing::Test {
 protected:
  std::optional<ChoiceReason> choose(const std::vector<PeerCandidate>& peers) {
    return choice.choose(peers, load, now);
  }
  std::string chosen() const { return choice.current() ? choice.current()->name : "nobody"; }

  PeerChoice choice{ChoiceConfig(), "worker-1"};
  MonoTime now = MonoTime() + 1h;
  double load = 1;
};

constexpr HealthBucket kHealthy = HealthBucket::kHealthy;
constexpr HealthBucket kBusy = HealthBucket::kBusy;
constexpr HealthBucket kDegraded = HealthBucket::kDegraded;
constexpr HealthBucket kUnhealthy = HealthBucket::kUnhealthy;

// proves part: AD35-RTT-5 (the choice of a manager; jobs are not routed between datacenters yet)
TEST_F(PeerChoiceTest, DistanceRanksOnlyWithinHealthBucket) {
  choose({manager(1, kBusy, measured(1)), manager(2, kHealthy, measured(900)), manager(3, kHealthy, measured(400)),
          manager(4, kDegraded, measured(1)), manager(5, kUnhealthy, measured(1))});
  EXPECT_EQ(chosen(), "manager-3");
  choice = PeerChoice(ChoiceConfig(), "worker-1");
  choose({manager(1, kBusy, measured(50)), manager(4, kDegraded, measured(1)), manager(5, kUnhealthy, measured(1))});
  EXPECT_EQ(chosen(), "manager-1");
  choice = PeerChoice(ChoiceConfig(), "worker-1");
  choose({manager(4, kDegraded, measured(10)), manager(5, kUnhealthy, measured(1))});
  EXPECT_EQ(chosen(), "manager-4");
  EXPECT_EQ(choose({manager(5, kUnhealthy, measured(1))}), ChoiceReason::kNobody) << "an ill one is never taken";
  EXPECT_EQ(chosen(), "nobody");
}

// proves part: AD35-RTT-2 (timeouts and the choice of a manager; jobs are not routed between datacenters yet)
TEST_F(PeerChoiceTest, RanksByUpperBoundNotByRawRtt) {
  RttEstimate sure = measured(40);
  sure.rtt_ms = 35;
  RttEstimate unsure = measured(90);
  unsure.rtt_ms = 10;
  choose({manager(1, kHealthy, unsure), manager(2, kHealthy, sure)});
  EXPECT_EQ(chosen(), "manager-2");
}

// proves part: AD35-RTT-5 (the choice of a manager; jobs are not routed between datacenters yet)
RC_GTEST_PROP(PeerChoice, NeverPrefersNearPeerInWorseHealthBucket, ()) {
  std::vector<PeerCandidate> peers;
  const auto count = *rc::gen::inRange<int>(1, 8);
  for (int i = 1; i <= count; ++i) {
    const auto bucket = static_cast<HealthBucket>(*rc::gen::inRange(0, 4));
    const bool known = *rc::gen::arbitrary<bool>();
    const double ucb = *rc::gen::inRange(1, 10'000);
    peers.push_back(manager(static_cast<std::uint8_t>(i), bucket, known ? measured(ucb) : unmeasured()));
  }
  PeerChoice choice(ChoiceConfig(), "worker-1");
  MonoTime now = MonoTime() + 1h;
  for (int round = 0; round < 3; ++round) {
    choice.choose(peers, 1, now);
    const HealthBucket best = std::ranges::min(peers, {}, &PeerCandidate::bucket).bucket;
    if (best == kUnhealthy) {
      RC_ASSERT(!choice.current());
    } else {
      const auto taken = std::ranges::find(peers, choice.current()->address,
                                           [](const PeerCandidate& peer) { return peer.identity.address; });
      RC_ASSERT(taken->bucket == best);
    }
    const auto changed = *rc::gen::inRange<std::size_t>(0, peers.size());
    peers[changed].bucket = static_cast<HealthBucket>(*rc::gen::inRange(0, 4));
    now = now + *rc::gen::inRange(0, 100) * 1s;
  }
}

// proves: AD35-VIV-9
// proves part: AD35-RTT-4 (peers; not datacenters)
TEST_F(PeerChoiceTest, PeerWithoutCoordinatesIsStillEligible) {
  choose({manager(1, kHealthy, unmeasured())});
  EXPECT_EQ(chosen(), "manager-1") << "the only one";
  choice = PeerChoice(ChoiceConfig(), "worker-1");
  choose({manager(1, kHealthy, unmeasured()), manager(2, kBusy, measured(1))});
  EXPECT_EQ(chosen(), "manager-1") << "in the better bucket";
  // However far or unsure the others are said to be, the unknown one has the defaults and a bounded penalty.
  choice = PeerChoice(ChoiceConfig(), "worker-1");
  RttEstimate far;
  far = measured(RttConfig().rtt_max_ms);
  choose({manager(1, kHealthy, unmeasured()), manager(2, kHealthy, far)});
  EXPECT_EQ(chosen(), "manager-1");
  EXPECT_FALSE(choice.coordinate_unaware());
  const wire::Coordinate lost{
      .position = {1e9F, 0, 0, 0}, .height_ms = 0, .relative_error = 1, .error_ms = 1e9F, .sample_count = 1};
  const wire::Coordinate here{.position = {}, .height_ms = 0, .relative_error = 1, .error_ms = 1, .sample_count = 1};
  const membership::StoredCoordinate stored{.coordinate = lost, .updated_at = now};
  EXPECT_EQ(membership::estimate_rtt(&here, &stored, now, RttConfig()).ucb_ms, RttConfig().rtt_max_ms);
}

// proves part: AD35-RTT-6 (all four in the choice of a manager; no dispatch yet whose failure starts the cooldown)
TEST_F(PeerChoiceTest, PoorCoordinatesRankByCapacity) {
  RttEstimate few = measured(1);
  few.samples = 9;
  RttEstimate vague = measured(1);
  vague.error_ms = 101;
  PeerCandidate near_and_small = manager(1, kHealthy, few);
  near_and_small.available_cores = 2;
  PeerCandidate far_and_large = manager(2, kHealthy, vague);
  far_and_large.rtt.ucb_ms = 500;
  far_and_large.available_cores = 64;
  PeerCandidate as_large_but_queued = far_and_large;
  as_large_but_queued.identity = identity(NodeRole::kManager, 3);
  as_large_but_queued.queue_depth = 5;
  choose({near_and_small, as_large_but_queued, far_and_large});
  EXPECT_TRUE(choice.coordinate_unaware());
  EXPECT_EQ(chosen(), "manager-2");
  now = now + 1h;
  near_and_small.available_cores = 1'000;
  EXPECT_EQ(choose({near_and_small, as_large_but_queued, far_and_large}), std::nullopt) << "nothing to compare by";
  near_and_small.rtt.samples = 10;
  EXPECT_EQ(choose({near_and_small, as_large_but_queued, far_and_large}), ChoiceReason::kImproved);
  EXPECT_FALSE(choice.coordinate_unaware());
  EXPECT_EQ(chosen(), "manager-1");
}

// proves part: AD35-RTT-6 (all four in the choice of a manager; no dispatch yet whose failure starts the cooldown)
TEST_F(PeerChoiceTest, AChoiceIsHeldForAWhileAndLeftOnlyForAGain) {
  choose({manager(1, kHealthy, measured(100)), manager(2, kHealthy, measured(120))});
  ASSERT_EQ(chosen(), "manager-1");
  const std::vector<PeerCandidate> much_better{manager(1, kHealthy, measured(100)), manager(2, kHealthy, measured(10))};
  now = now + 29s;
  EXPECT_EQ(choose(much_better), std::nullopt);
  EXPECT_EQ(choice.hold_down_blocks(), 1U);
  now = now + 1s;
  EXPECT_EQ(choose(much_better), ChoiceReason::kImproved);
  ASSERT_EQ(chosen(), "manager-2");
  now = now + 1h;
  EXPECT_EQ(choose({manager(1, kHealthy, measured(81)), manager(2, kHealthy, measured(100))}), std::nullopt)
      << "a fifth less is what it takes";
  EXPECT_EQ(choose({manager(1, kHealthy, measured(80)), manager(2, kHealthy, measured(100))}), ChoiceReason::kImproved);
  now = now + 1h;
  EXPECT_EQ(choose({manager(1, kHealthy, measured(2)), manager(2, kHealthy, measured(1))}), std::nullopt)
      << "half of next to nothing is noise";
  RttEstimate unsure = measured(10);
  unsure.sigma_ms = 25;
  EXPECT_EQ(choose({manager(1, kHealthy, measured(30)), manager(2, kHealthy, unsure)}), std::nullopt)
      << "a gain of 20 ms where an estimate may be wrong by 25";
  unsure.sigma_ms = 15;
  EXPECT_EQ(choose({manager(1, kHealthy, measured(30)), manager(2, kHealthy, unsure)}), ChoiceReason::kImproved);
}

// proves part: AD35-RTT-6 (all four in the choice of a manager; no dispatch yet whose failure starts the cooldown)
TEST_F(PeerChoiceTest, FailedPeerIsLeftAtOnceAndPenalised) {
  const std::vector<PeerCandidate> peers{manager(1, kHealthy, measured(100)), manager(2, kHealthy, measured(150))};
  choose(peers);
  ASSERT_EQ(chosen(), "manager-1");
  choice.failed(identity(NodeRole::kManager, 1).address, now);
  EXPECT_EQ(choose(peers), ChoiceReason::kFailed) << "the hold-down does not keep it";
  EXPECT_EQ(chosen(), "manager-2");
  now = now + 119s;
  EXPECT_EQ(choose(peers), std::nullopt) << "200 against 150";
  now = now + 1s;
  EXPECT_EQ(choose(peers), ChoiceReason::kImproved) << "100 against 150";
  choice.failed(identity(NodeRole::kManager, 1).address, now);
  EXPECT_EQ(choose({peers.front()}), std::nullopt) << "better one that failed than none";
}

TEST_F(PeerChoiceTest, LeavesPeerThatDegradedForAMinute) {
  choose({manager(1, kHealthy, measured(100)), manager(2, kHealthy, measured(200))});
  now = now + 1h;
  const std::vector<PeerCandidate> worse{manager(1, kHealthy, measured(210)), manager(2, kHealthy, measured(200))};
  EXPECT_EQ(choose(worse), std::nullopt);
  now = now + 59s;
  EXPECT_EQ(choose(worse), std::nullopt);
  now = now + 1s;
  EXPECT_EQ(choose(worse), ChoiceReason::kDegraded);
  EXPECT_EQ(chosen(), "manager-2");
}

// Each input of AD-36 that this choice shares has its effect.
// proves part: AD35-RTT-7 (the choice of a manager; jobs are not routed between datacenters yet)
TEST_F(PeerChoiceTest, EachRankingInputAffectsTheChoice) {
  const auto first_of = [&](const PeerCandidate& a, const PeerCandidate& b) {
    PeerChoice fresh(ChoiceConfig(), "worker-1");
    fresh.choose(std::vector{a, b}, load, now);
    return fresh.current() ? fresh.current()->name : "nobody";
  };
  // Position, height, error, samples and age of a coordinate, as the node keeps them.
  const wire::Coordinate here{.position = {}, .height_ms = 1, .relative_error = 0, .error_ms = 5, .sample_count = 50};
  const wire::Coordinate base{
      .position = {50, 0, 0, 0}, .height_ms = 1, .relative_error = 0, .error_ms = 5, .sample_count = 50};
  const auto at = [&](std::uint8_t number, wire::Coordinate there, Duration age = 0s) {
    const membership::StoredCoordinate stored{.coordinate = there, .updated_at = now - age};
    return manager(number, kHealthy, membership::estimate_rtt(&here, &stored, now, RttConfig()));
  };
  for (const bool second : {false, true}) {
    const std::uint8_t good = second ? 2 : 1;
    const std::uint8_t bad = second ? 1 : 2;
    const std::string wanted = second ? "manager-2" : "manager-1";
    wire::Coordinate other = base;
    other.position[0] = 60;
    EXPECT_EQ(first_of(at(good, base), at(bad, other)), wanted) << "position";
    other = base;
    other.height_ms = 20;
    EXPECT_EQ(first_of(at(good, base), at(bad, other)), wanted) << "height";
    other = base;
    other.error_ms = 30;
    EXPECT_EQ(first_of(at(good, base), at(bad, other)), wanted) << "error";
    other = base;
    other.sample_count = 2;
    EXPECT_EQ(first_of(at(good, base), at(bad, other)), wanted) << "samples";
    EXPECT_EQ(first_of(at(good, base), at(bad, base, 20min)), wanted) << "age of the coordinate";
    PeerCandidate suspected = at(bad, base);
    suspected.rtt.ucb_ms = 1;
    suspected.probes_fail = true;
    EXPECT_EQ(first_of(at(good, base), suspected), wanted) << "probes";
    PeerCandidate silent = at(bad, base);
    silent.rtt.ucb_ms = 1;
    silent.heartbeat_age = 61s;
    EXPECT_EQ(first_of(at(good, base), silent), wanted) << "age of the heartbeat";
    silent.heartbeat_period = 30s;
    EXPECT_NE(first_of(at(good, base), silent), wanted) << "in a large cluster that is not old";
    silent.heartbeat_period = 0s;
    load = 2;  // this node is slow itself: what it hears late is not the other's fault
    EXPECT_NE(first_of(at(good, base), silent), wanted) << "local health";
    load = 1;
    PeerCandidate gate = at(bad, base);
    gate.rtt.ucb_ms = 1;
    gate.identity.role = NodeRole::kGate;
    EXPECT_EQ(first_of(at(good, base), gate), wanted) << "role";
  }
}

TEST_F(PeerChoiceTest, OneThatIsGoneOrIllIsReplacedAtOnce) {
  choose({manager(1, kHealthy, measured(10)), manager(2, kHealthy, measured(20))});
  EXPECT_EQ(choose({manager(2, kHealthy, measured(20))}), ChoiceReason::kGone);
  EXPECT_EQ(choose({manager(1, kHealthy, measured(500)), manager(2, kDegraded, measured(20))}), ChoiceReason::kBucket);
  EXPECT_EQ(chosen(), "manager-1");
}

TEST_F(PeerChoiceTest, ChoosersOfDifferentNamesSpreadOverEqualPeers) {
  const std::vector<PeerCandidate> peers{manager(1, kHealthy, unmeasured()), manager(2, kHealthy, unmeasured()),
                                         manager(3, kHealthy, unmeasured())};
  std::map<std::string, int> chosen;
  for (int i = 0; i < 300; ++i) {
    PeerChoice one(ChoiceConfig(), "worker-" + std::to_string(i));
    one.choose(peers, 1, now);
    ++chosen[one.current()->name];
  }
  EXPECT_EQ(chosen.size(), 3U);
  for (const auto& [name, count] : chosen) EXPECT_GT(count, 60) << name;
}

TEST_F(PeerChoiceTest, WhatIsRememberedOfFailuresIsBounded) {
  for (std::uint16_t i = 0; i < 2 * kCoolingPeersMax; ++i) {
    now = now + 1ms;
    choice.failed(wire::address_v4(10, 0, static_cast<std::uint8_t>(i >> 8), static_cast<std::uint8_t>(i), 1), now);
  }
  const std::vector<PeerCandidate> peers{manager(1, kHealthy, measured(100)), manager(2, kHealthy, measured(150))};
  choice.failed(identity(NodeRole::kManager, 1).address, now);
  choose(peers);
  EXPECT_EQ(chosen(), "manager-2") << "the newest is remembered";
}

}  // namespace
}  // namespace hyperscale::cluster
