#include "membership/gossip_buffer.h"

#include "base/prng.h"
#include "identities.h"
#include "wire/cluster_codec.h"

#include <algorithm>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace hyperscale::membership {
namespace {

using test::gate;
using test::manager;
using test::update;
using test::worker;
using wire::MemberUpdate;
using wire::UpdateKind;

GossipBuffer::Budget room_for(std::size_t updates, std::uint32_t transmissions = 100) {
  return {.bytes = 100'000, .updates = updates, .transmissions_max = transmissions};
}
std::vector<UpdateKind> kinds(const std::vector<MemberUpdate>& updates) {
  std::vector<UpdateKind> found;
  for (const MemberUpdate& each : updates) found.push_back(each.kind);
  return found;
}

// proves part: MSG-UDP-11 (not in a message to a suspect, which hears of itself first)
// proves part: SWIM-GOSSIP-1 (not in a message to a suspect, which hears of itself first)
TEST(GossipBuffer, PicksByKindWhenSpaceIsShort) {
  GossipBuffer buffer(100);
  std::uint16_t number = 1;
  for (const UpdateKind kind :
       {UpdateKind::kDead, UpdateKind::kAlive, UpdateKind::kSuspect, UpdateKind::kJoin, UpdateKind::kLeave}) {
    buffer.add(update(kind, worker(number++), 1, manager(1)), MonoTime());
  }
  const std::vector<UpdateKind> wanted{UpdateKind::kJoin, UpdateKind::kLeave, UpdateKind::kAlive, UpdateKind::kSuspect,
                                       UpdateKind::kDead};
  EXPECT_EQ(kinds(buffer.pick(manager(2), room_for(2))), (std::vector{UpdateKind::kJoin, UpdateKind::kLeave}));
  EXPECT_EQ(kinds(buffer.pick(manager(2), room_for(10))), wanted);
}

TEST(GossipBuffer, OfOneKindTheLeastSentGoesFirst) {
  GossipBuffer buffer(100);
  for (std::uint16_t i = 1; i <= 3; ++i) buffer.add(update(UpdateKind::kAlive, worker(i), 1, manager(1)), MonoTime());
  std::vector<std::string> order;
  for (int i = 0; i < 6; ++i) order.push_back(buffer.pick(manager(2), room_for(1)).front().subject.name);
  EXPECT_EQ(order, (std::vector<std::string>{"w1-east", "w2-east", "w3-east", "w1-east", "w2-east", "w3-east"}));
}

TEST(GossipBuffer, AnUpdateIsForgottenAfterItsTransmissions) {
  GossipBuffer buffer(100);
  buffer.add(update(UpdateKind::kAlive, worker(1), 1, manager(1)), MonoTime());
  for (int i = 0; i < 4; ++i) EXPECT_EQ(buffer.pick(manager(2), room_for(5, 4)).size(), 1);
  EXPECT_EQ(buffer.size(), 0);
  EXPECT_TRUE(buffer.pick(manager(2), room_for(5, 4)).empty());
}

TEST(GossipBuffer, TransmissionsGrowWithTheLogarithmOfTheCluster) {
  EXPECT_EQ(transmissions_of(3, 1), 3);
  EXPECT_EQ(transmissions_of(3, 13), 8);
  EXPECT_EQ(transmissions_of(3, 1'000), 21);
  EXPECT_EQ(transmissions_of(0.1, 1), 1);
}

TEST(GossipBuffer, NewsAboutASubjectReplacesOlderNews) {
  GossipBuffer buffer(100);
  buffer.add(update(UpdateKind::kSuspect, worker(1), 1, manager(1)), MonoTime());
  buffer.add(update(UpdateKind::kAlive, worker(1), 2, worker(1)), MonoTime());
  const auto picked = buffer.pick(manager(2), room_for(5));
  ASSERT_EQ(picked.size(), 1);
  EXPECT_EQ(picked.front().kind, UpdateKind::kAlive);
}

TEST(GossipBuffer, APeerHearsOnlyWhatIsItsBusiness) {
  GossipBuffer buffer(100);
  buffer.add(update(UpdateKind::kJoin, worker(1), 1, manager(1)), MonoTime());
  buffer.add(update(UpdateKind::kJoin, gate(1), 1, manager(1)), MonoTime());
  buffer.add(update(UpdateKind::kJoin, manager(3), 1, manager(1)), MonoTime());
  const auto to_gate = buffer.pick(gate(2), room_for(9));
  ASSERT_EQ(to_gate.size(), 2);
  EXPECT_EQ(to_gate[0].subject.name, gate(1).name);
  EXPECT_EQ(to_gate[1].subject.name, manager(3).name);
  const auto to_worker = buffer.pick(worker(2), room_for(9));
  ASSERT_EQ(to_worker.size(), 2);
  EXPECT_EQ(buffer.pick(worker(2, "west"), room_for(9)).size(), 0);
}

// proves part: SWIM-GOSSIP-2 (the buffer and every message; not the bound that a node gives its buffer)
RC_GTEST_PROP(GossipBuffer, EvictsLeastUrgentAndReportsIt, (std::uint64_t seed)) {
  Prng prng(seed);
  const std::size_t most = 1 + prng.below(20);
  GossipBuffer buffer(most);
  std::size_t given_up = 0;
  for (std::uint16_t i = 0; i < 60; ++i) {
    const auto kind = static_cast<UpdateKind>(1 + prng.below(5));
    const auto lost = buffer.add(update(kind, worker(i), 1, manager(1)), MonoTime());
    if (lost) {
      ++given_up;
      // What stays is at least as urgent as what went, save the newest.
      auto kept = buffer;
      for (const MemberUpdate& each : kept.pick(manager(1), room_for(100))) {
        RC_ASSERT((each.kind <= lost->kind || each.subject.address == worker(i).address));
      }
    }
    RC_ASSERT(buffer.size() <= most);
  }
  RC_ASSERT(given_up == 60 - most);
}

// proves part: SWIM-GOSSIP-2 (the buffer and every message; not the bound that a node gives its buffer)
RC_GTEST_PROP(GossipBuffer, APickStaysWithinItsBytes, (std::uint64_t seed)) {
  Prng prng(seed);
  GossipBuffer buffer(100);
  for (std::uint16_t i = 0; i < 50; ++i) {
    buffer.add(update(static_cast<UpdateKind>(1 + prng.below(5)), worker(i), 1, manager(1)), MonoTime());
  }
  const std::size_t bytes = prng.below(2'000);
  std::size_t used = 0;
  for (const MemberUpdate& each : buffer.pick(manager(2), {.bytes = bytes, .updates = 64, .transmissions_max = 9})) {
    used += wire::encoded_size_bound(each);
  }
  RC_ASSERT(used <= bytes);
}

TEST(GossipBuffer, WhatOthersTellNeedsTellingLess) {
  GossipBuffer buffer(100);
  const auto joined = update(UpdateKind::kJoin, worker(1), 1, manager(1));
  buffer.add(joined, MonoTime());
  buffer.heard_again(update(UpdateKind::kJoin, worker(1), 2, manager(1)), 3);  // not the same news
  buffer.heard_again(joined, 3);
  buffer.heard_again(joined, 3);
  EXPECT_EQ(buffer.pick(manager(2), room_for(1, 3)).size(), 1);
  EXPECT_EQ(buffer.size(), 0);
}

TEST(GossipBuffer, OldNewsCanBeDropped) {
  GossipBuffer buffer(100);
  buffer.add(update(UpdateKind::kJoin, worker(1), 1, manager(1)), MonoTime() + 1s);
  buffer.add(update(UpdateKind::kJoin, worker(2), 1, manager(1)), MonoTime() + 3s);
  buffer.drop_older_than(MonoTime() + 2s);
  ASSERT_EQ(buffer.size(), 1);
  EXPECT_EQ(buffer.pick(manager(2), room_for(9)).front().subject.name, worker(2).name);
}

}  // namespace
}  // namespace hyperscale::membership
