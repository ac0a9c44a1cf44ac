// The smaller containers of membership: audit log, tombstones, member table, probe cycles, proxied probes.

#include "identities.h"
#include "membership/audit_log.h"
#include "membership/member_table.h"
#include "membership/probe_cycles.h"
#include "membership/proxied_probes.h"
#include "membership/tombstones.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace hyperscale::membership {
namespace {

using test::manager;
using test::worker;
using wire::Incarnation;

// proves: AD35-ROLE-7, SWIM-5
TEST(AuditLog, KeepsTheLastEntriesInOrder) {
  AuditLog log(3);
  for (std::uint64_t i = 1; i <= 5; ++i) {
    log.record({MonoTime::from_ns(static_cast<std::int64_t>(i)), AuditEvent::kDied, worker(1).address, Incarnation(i)});
  }
  const auto entries = log.entries();
  ASSERT_EQ(entries.size(), 3);
  EXPECT_EQ(entries.front().incarnation, Incarnation(3));
  EXPECT_EQ(entries.back().incarnation, Incarnation(5));
  EXPECT_EQ(log.total(), 5);
  EXPECT_EQ(name(AuditEvent::kUnconfirmedPeerRemoved), "UNCONFIRMED_PEER_REMOVED");
}

TEST(Tombstones, OutliveTheirMemberForATime) {
  Tombstones stones(2, 10s);
  EXPECT_TRUE(stones.raise(worker(1).address, Incarnation(4), MonoTime()));
  EXPECT_FALSE(stones.raise(worker(1).address, Incarnation(4), MonoTime()));
  EXPECT_TRUE(stones.raise(worker(1).address, Incarnation(5), MonoTime() + 1s));
  EXPECT_EQ(stones.find(worker(1).address, MonoTime() + 10s), Incarnation(5));
  EXPECT_EQ(stones.find(worker(1).address, MonoTime() + 11s), std::nullopt);
}

TEST(Tombstones, AreBounded) {
  Tombstones stones(2, 10s);
  for (std::uint16_t i = 1; i <= 5; ++i) stones.raise(worker(i).address, Incarnation(1), MonoTime() + i * 1s);
  EXPECT_EQ(stones.size(), 2);
  EXPECT_EQ(stones.dropped(), 3);
  EXPECT_EQ(stones.find(worker(1).address, MonoTime() + 6s), std::nullopt);
  EXPECT_TRUE(stones.find(worker(5).address, MonoTime() + 6s).has_value());
}

Member member_of(const wire::NodeIdentity& identity, MemberState state, std::uint64_t incarnation = 1) {
  Member member;
  member.identity = identity;
  member.named = true;
  member.state = state;
  member.incarnation = Incarnation(incarnation);
  member.timer = MonoTime::max();
  return member;
}

// proves: AD35-LIFE-3, AD35-SC-5
TEST(MemberTable, RefusesPastItsLimits) {
  MemberTable table({.members_max = 4, .unconfirmed_max = 2});
  EXPECT_NE(table.add(member_of(worker(1), MemberState::kUnconfirmed)), nullptr);
  EXPECT_NE(table.add(member_of(worker(2), MemberState::kUnconfirmed)), nullptr);
  EXPECT_EQ(table.add(member_of(worker(3), MemberState::kUnconfirmed)), nullptr);
  EXPECT_NE(table.add(member_of(worker(3), MemberState::kAlive)), nullptr);
  EXPECT_NE(table.add(member_of(worker(4), MemberState::kAlive)), nullptr);
  EXPECT_EQ(table.add(member_of(worker(5), MemberState::kAlive)), nullptr);
}

// proves: AD29-1
TEST(MemberTable, KeepsConfirmedAndUnconfirmedApart) {
  MemberTable table({.members_max = 9, .unconfirmed_max = 9});
  Member* peer = table.add(member_of(worker(1), MemberState::kUnconfirmed));
  table.add(member_of(worker(2), MemberState::kAlive));
  EXPECT_EQ(table.count(MemberState::kUnconfirmed), 1);
  EXPECT_EQ(table.present_count(), 1);
  table.set_state(*peer, MemberState::kAlive, MonoTime());
  EXPECT_EQ(table.count(MemberState::kUnconfirmed), 0);
  EXPECT_EQ(table.present_count(), 2);
}

TEST(MemberTable, TimersComeInOrder) {
  MemberTable table({.members_max = 9, .unconfirmed_max = 9});
  Member* first = table.add(member_of(worker(1), MemberState::kAlive));
  Member* second = table.add(member_of(worker(2), MemberState::kAlive));
  table.set_timer(*first, MonoTime() + 5s);
  table.set_timer(*second, MonoTime() + 3s);
  EXPECT_EQ(table.next_timer(), MonoTime() + 3s);
  EXPECT_EQ(table.due(MonoTime() + 2s), nullptr);
  EXPECT_EQ(table.due(MonoTime() + 9s), second);
  table.remove(*second);
  EXPECT_EQ(table.due(MonoTime() + 9s), first);
  table.set_timer(*first, MonoTime::max());
  EXPECT_EQ(table.next_timer(), MonoTime::max());
}

// Whatever the history, the digest depends on who is there and at which incarnation.
RC_GTEST_PROP(MemberTable, DigestsAgreeExactlyWhenTheTablesDo, (std::uint64_t seed)) {
  Prng prng(seed);
  MemberTable table({.members_max = 99, .unconfirmed_max = 99});
  for (int step = 0; step < 200; ++step) {
    const auto identity = worker(static_cast<std::uint16_t>(prng.below(10)));
    const auto state = static_cast<MemberState>(prng.below(5));
    Member* member = table.find(identity.address);
    if (member == nullptr) {
      table.add(member_of(identity, state, prng.below(5)));
    } else if (prng.below(4) == 0) {
      table.remove(*member);
    } else {
      table.set_state(*member, state, MonoTime());
      table.set_incarnation(*member, Incarnation(prng.below(5)));
    }
  }
  MemberTable again({.members_max = 99, .unconfirmed_max = 99});
  again.add(member_of(worker(1, "west"), MemberState::kAlive));  // not the peer's business
  for (const auto& [address, member] : table.all()) {
    if (!is_gone(member.state)) again.add(member_of(member.identity, member.state, member.incarnation.value()));
  }
  RC_ASSERT(table.digest_for(manager(1)) == again.digest_for(manager(1)));
  again.add(member_of(worker(77), MemberState::kAlive));
  RC_ASSERT(table.digest_for(manager(1)) != again.digest_for(manager(1)));
}

TEST(ProbeCycles, ANackOfTheLastProxyEndsTheWait) {
  ProbeCycles cycles;
  ProbeCycle cycle;
  cycle.sequence = 7;
  cycle.target = worker(1).address;
  cycle.deadline = MonoTime() + 1s;
  ASSERT_TRUE(cycles.start(cycle));
  cycles.ask_proxies(7, 2, MonoTime() + 5s);
  EXPECT_FALSE(cycles.nacked(7, worker(1).address, worker(3).address, MonoTime() + 2s));
  EXPECT_FALSE(cycles.nacked(7, worker(2).address, worker(4).address, MonoTime() + 2s));
  EXPECT_TRUE(cycles.overdue(MonoTime() + 2s).empty());
  EXPECT_TRUE(cycles.nacked(7, worker(1).address, worker(4).address, MonoTime() + 2s));
  EXPECT_EQ(cycles.overdue(MonoTime() + 2s).size(), 1);
}

TEST(ProbeCycles, OnlyTheTargetAnswers) {
  ProbeCycles cycles;
  ProbeCycle cycle;
  cycle.sequence = 7;
  cycle.target = worker(1).address;
  cycles.start(cycle);
  EXPECT_FALSE(cycles.answered(7, worker(2).address));
  EXPECT_FALSE(cycles.answered(8, worker(1).address));
  EXPECT_TRUE(cycles.answered(7, worker(1).address));
  EXPECT_FALSE(cycles.answered(7, worker(1).address));
}

TEST(ProbeCycles, AreBounded) {
  ProbeCycles cycles;
  ProxiedProbes proxied;
  for (std::size_t i = 0; i < kProbesInFlightMax; ++i) EXPECT_TRUE(cycles.start(ProbeCycle{}));
  EXPECT_FALSE(cycles.start(ProbeCycle{}));
  for (std::size_t i = 0; i < kProxiedProbesMax; ++i) EXPECT_TRUE(proxied.start(ProxiedProbe{}));
  EXPECT_FALSE(proxied.start(ProxiedProbe{}));
}

}  // namespace
}  // namespace hyperscale::membership
