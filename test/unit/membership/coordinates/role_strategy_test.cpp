#include "membership/coordinates/role_strategy.h"

#include <gtest/gtest.h>

namespace hyperscale::membership {
namespace {

using wire::NodeRole;

// proves: AD35-ROLE-3
TEST(RoleStrategy, EachRoleHasItsRow) {
  const auto table = RoleStrategies::scaled_to(1s);
  const auto& gate = table.of(NodeRole::kGate);
  EXPECT_EQ(gate.passive_timeout, 120s);
  EXPECT_TRUE(gate.proactive_confirmation);
  EXPECT_EQ(gate.confirmation_attempts, 5U);
  EXPECT_EQ(gate.attempt_interval, 5s);
  EXPECT_TRUE(gate.latency_aware);
  EXPECT_EQ(gate.load_multiplier_max, 3);
  const auto& manager = table.of(NodeRole::kManager);
  EXPECT_EQ(manager.passive_timeout, 90s);
  EXPECT_TRUE(manager.proactive_confirmation);
  EXPECT_EQ(manager.confirmation_attempts, 3U);
  EXPECT_EQ(manager.attempt_interval, 5s);
  EXPECT_TRUE(manager.latency_aware);
  EXPECT_EQ(manager.load_multiplier_max, 5);
  const auto& worker = table.of(NodeRole::kWorker);
  EXPECT_EQ(worker.passive_timeout, 180s);
  EXPECT_FALSE(worker.proactive_confirmation);
  EXPECT_EQ(worker.confirmation_attempts, 0U);
  EXPECT_EQ(worker.attempt_interval, 0s);
  EXPECT_FALSE(worker.latency_aware);
  EXPECT_EQ(worker.load_multiplier_max, 10);
}

// proves: AD35-ROLE-9
// proves part: AD35-ROLE-6 (the cap in the table; a node's own multiplier ends at 3, so nobody is waited for that long)
TEST(RoleStrategy, LoadStretchesTheWaitUpToTheRolesLimit) {
  const auto table = RoleStrategies::scaled_to(1s);
  EXPECT_EQ(table.worker.passive_wait(1), 180s);
  EXPECT_EQ(table.worker.passive_wait(10), 1'800s);
  EXPECT_EQ(table.worker.passive_wait(50), 1'800s);
  EXPECT_EQ(table.gate.passive_wait(8), 360s);
  EXPECT_EQ(table.manager.passive_wait(8), 450s);
  EXPECT_EQ(table.manager.passive_wait(2.5), 225s);
  EXPECT_EQ(table.manager.passive_wait(0), 90s) << "never shorter than the table";
}

// proves: AD35-ROLE-4
TEST(RoleStrategy, APeerIsRemovedAfterItsAttempts) {
  const auto table = RoleStrategies::scaled_to(1s);
  EXPECT_EQ(table.manager.removal_after(1), 105s);
  EXPECT_EQ(table.gate.removal_after(1), 145s);
  EXPECT_EQ(table.worker.removal_after(1), 180s);
}

TEST(RoleStrategy, TheTableScalesWithTheProbeInterval) {
  const auto lan = RoleStrategies::scaled_to(200ms);
  EXPECT_EQ(lan.gate.passive_timeout, 24s);
  EXPECT_EQ(lan.manager.attempt_interval, 1s);
  EXPECT_EQ(lan.worker.passive_timeout, 36s);
  EXPECT_EQ(lan.gate.confirmation_attempts, 5U);
}

// proves part: AD35-ROLE-1 (gossip before configuration; port ranges and names only in a function that no node calls)
TEST(RoleStrategy, GossipedRoleComesBeforePortAndNameRules) {
  const RoleRules rules = {.ports = {{9'000, 9'099, NodeRole::kManager}, {10'000, 10'099, NodeRole::kGate}},
                           .names = {{"gate-", NodeRole::kGate}, {"mgr", NodeRole::kManager}},
                           .otherwise = NodeRole::kWorker};
  EXPECT_EQ(role_of(NodeRole::kWorker, 9'002, "gate-1", rules), NodeRole::kWorker) << "gossip first";
  EXPECT_EQ(role_of(std::nullopt, 9'002, "gate-1", rules), NodeRole::kManager);
  EXPECT_EQ(role_of(std::nullopt, 10'099, "x", rules), NodeRole::kGate);
  EXPECT_EQ(role_of(std::nullopt, 7'000, "gate-1.example", rules), NodeRole::kGate);
  EXPECT_EQ(role_of(std::nullopt, 7'000, "mgr7", rules), NodeRole::kManager);
  EXPECT_EQ(role_of(std::nullopt, 7'000, "x", rules), NodeRole::kWorker);
}

}  // namespace
}  // namespace hyperscale::membership
