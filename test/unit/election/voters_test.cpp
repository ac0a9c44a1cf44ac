#include "election/voters.h"

#include "one_election.h"

#include <gtest/gtest.h>

namespace hyperscale::election {
namespace {

TEST(Voters, TheFirstNamesTakeTheSeats) {
  Voters voters(kA, 3, {});
  EXPECT_EQ(voters.seat_of(kC).seat, 1U);
  EXPECT_EQ(voters.seat_of(kB).seat, 2U);
  EXPECT_EQ(voters.seat_of(kD).seat, std::nullopt);
  EXPECT_EQ(voters.seat_of(kD).refusal, Voters::Refusal::kSurplus);
  voters.set_up(1, false);
  EXPECT_EQ(voters.seat_of(kD).seat, std::nullopt) << "the dead keep theirs";
}

TEST(Voters, NamedOnesOnly) {
  Voters voters(kA, 3, {"c", "a", "b"});
  EXPECT_EQ(voters.seat_of(kD).refusal, Voters::Refusal::kSurplus);
  EXPECT_EQ(voters.seat_of(kB).seat, 2U);
  EXPECT_EQ(voters.seat_of(kC).seat, 1U);
  EXPECT_FALSE(Voters(kA, 2, {"a", "b"})[1].seen);
}

TEST(Voters, AMovedNodeKeepsItsSeat) {
  Voters voters(kA, 3, {});
  EXPECT_EQ(voters.seat_of(kB).seat, 1U);
  wire::NodeIdentity moved = kB;
  moved.address.port = 9;
  EXPECT_EQ(voters.seat_of(moved).seat, 1U);
  EXPECT_EQ(voters[1].node.address.port, 9);
}

TEST(Voters, ARenamedNodeHasOneSeat) {
  Voters voters(kA, 5, {});
  EXPECT_EQ(voters.seat_of(kB).seat, 1U);
  wire::NodeIdentity renamed = kB;
  renamed.name = "other";
  EXPECT_EQ(voters.seat_of(renamed).seat, 1U);
}

TEST(Voters, OthersHaveNone) {
  Voters voters(kA, 3, {});
  wire::NodeIdentity worker = kB;
  worker.role = wire::NodeRole::kWorker;
  EXPECT_EQ(voters.seat_of(worker).refusal, Voters::Refusal::kStranger);
  EXPECT_EQ(voters.seat_of(manager("b", 2, "west")).refusal, Voters::Refusal::kStranger);
  EXPECT_EQ(voters.seat_of(kA).refusal, Voters::Refusal::kOwnName);
  EXPECT_EQ(voters.seats().size(), 1U);
}

}  // namespace
}  // namespace hyperscale::election
