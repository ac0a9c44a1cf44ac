#include "membership/detection/detection_config.h"

#include "detection_world.h"

#include <gtest/gtest.h>

namespace hyperscale::membership {
namespace {

using wire::NodeRole;

TEST(DetectionConfig, EachKindOfNodeWatchesWithItsOwnTimeouts) {
  EXPECT_EQ(timeouts_for(NodeRole::kManager, NodeRole::kWorker), (PeerTimeouts{{10s, 60s}, {2s, 15s}}));
  EXPECT_EQ(timeouts_for(NodeRole::kGate, NodeRole::kManager), (PeerTimeouts{{30s, 120s}, {5s, 30s}}));
  const PeerTimeouts others = {{5s, 30s}, {1s, 10s}};
  EXPECT_EQ(timeouts_for(NodeRole::kGate, NodeRole::kGate), others);
  EXPECT_EQ(timeouts_for(NodeRole::kManager, NodeRole::kManager), others);
  EXPECT_EQ(timeouts_for(NodeRole::kWorker, NodeRole::kWorker), others);
}

TEST(DetectionConfig, TheDetectorUsesTheRowOfTheAccused) {
  DetectionWorld world(DetectionConfig::scaled_to(1s, NodeRole::kGate), 1'000'000);
  world.detector.suspect_global(accusation(7, 1, 1, NodeRole::kManager), world.now);
  world.detector.suspect_global(accusation(8, 1, 1, NodeRole::kGate), world.now);
  EXPECT_EQ(world.detector.node_status(node(7))->deadline, kStart + 120s);
  EXPECT_EQ(world.detector.node_status(node(8))->deadline, kStart + 30s);
  EXPECT_EQ(world.pass(119s).global.size(), 1U);
  EXPECT_EQ(world.pass(1s).global.size(), 1U) << "a deadline beyond the wheel's 64 s";
}

TEST(DetectionConfig, EverythingScalesFromTheProbeInterval) {
  const auto lan = DetectionConfig::scaled_to(200ms, NodeRole::kManager);
  EXPECT_EQ(lan.workers, (PeerTimeouts{{2s, 12s}, {400ms, 3s}}));
  EXPECT_EQ(lan.gates, (PeerTimeouts{{1s, 6s}, {200ms, 2s}}));
  EXPECT_EQ(lan.wheel.fine_tick, 20ms);
  EXPECT_EQ(lan.wheel.coarse_tick(), 200ms);
  EXPECT_EQ(lan.suspicion_k, 2s);
  EXPECT_EQ(lan.poll.far_interval, 200ms);
  EXPECT_EQ(lan.poll.near_interval, 50ms);
  EXPECT_EQ(lan.poll.close_interval, 10ms);
  EXPECT_EQ(lan.poll.near, 1s);
  EXPECT_EQ(lan.poll.close, 200ms);
  EXPECT_EQ(lan.reconcile_interval, 1s);
  EXPECT_EQ(lan.adaptive_timeout_max, 60s);

  DetectionWorld world(lan);
  world.suspect(7);
  for (const int voice : {2, 3, 4}) world.confirm(7, voice);
  EXPECT_TRUE(world.pass(1s - 1ns).global.empty());
  EXPECT_EQ(world.pass(20ms).global.size(), 1U);
}

}  // namespace
}  // namespace hyperscale::membership
