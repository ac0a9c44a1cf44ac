#include "reliability/peer_circuits.h"

#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace hyperscale::reliability {
namespace {

using runtime::BreakerState;
using testing::ElementsAre;

constexpr MonoTime kFrom = MonoTime::from_ns(2'000'000'000'000);

void fail_times(PeerCircuits& circuits, std::string_view peer, MonoTime now, int errors) {
  for (int i = 0; i < errors; ++i) circuits.failed(peer, now);
}

// proves part: FAIL-CB-4 (the table and its settings; not: that every breaker has them)
// proves part: WF-QUORUM-7 (its settings; no quorum is guarded by it yet)
TEST(PeerCircuits, ThreeErrorsIn30SecondsOpenFor10) {
  PeerCircuits circuits;
  EXPECT_FALSE(circuits.failed("a", kFrom));
  circuits.succeeded("a", kFrom + 5s);
  EXPECT_FALSE(circuits.failed("a", kFrom + 20s));
  EXPECT_TRUE(circuits.allow("a", kFrom + 20s));
  EXPECT_TRUE(circuits.failed("a", kFrom + 30s)) << "it opened";
  EXPECT_FALSE(circuits.failed("a", kFrom + 30s));
  EXPECT_FALSE(circuits.allow("a", kFrom + 40s - 1ns));
  EXPECT_EQ(circuits.refused(), 1U);
  EXPECT_TRUE(circuits.allow("a", kFrom + 40s));
  EXPECT_FALSE(circuits.allow("a", kFrom + 40s)) << "one test request at a time";
  circuits.failed("a", kFrom + 41s);
  EXPECT_FALSE(circuits.allow("a", kFrom + 51s - 1ns));
  EXPECT_TRUE(circuits.allow("a", kFrom + 51s));
  circuits.succeeded("a", kFrom + 52s);
  EXPECT_TRUE(circuits.allow("a", kFrom + 52s));
  EXPECT_EQ(circuits.status("a", kFrom + 52s).state, BreakerState::kClosed);
}

TEST(PeerCircuits, ErrorsFarApartDoNotOpen) {
  PeerCircuits circuits;
  for (int i = 0; i < 20; ++i) EXPECT_FALSE(circuits.failed("a", kFrom + i * 16s));
}

// proves part: AD38-CB-1 (the states; operations are not queued)
TEST(PeerCircuits, ADatacenterOpensAfterFiveInARow) {
  PeerCircuits circuits(kDatacenterCircuit);
  fail_times(circuits, "eu", kFrom, 4);
  circuits.succeeded("eu", kFrom);
  fail_times(circuits, "eu", kFrom + 1h, 4);
  EXPECT_TRUE(circuits.allow("eu", kFrom + 1h));
  fail_times(circuits, "eu", kFrom + 2h, 1);
  EXPECT_FALSE(circuits.allow("eu", kFrom + 2h + 30s - 1ns));
  for (int probe = 0; probe < 3; ++probe) {
    const MonoTime now = kFrom + 2h + 30s + probe * 1s;
    EXPECT_TRUE(circuits.allow("eu", now));
    EXPECT_FALSE(circuits.allow("eu", now)) << "while a probe runs";
    EXPECT_EQ(circuits.status("eu", now).state, BreakerState::kHalfOpen);
    circuits.succeeded("eu", now);
  }
  EXPECT_EQ(circuits.status("eu", kFrom + 3h).state, BreakerState::kClosed);
}

// proves part: FAIL-CB-2 (a circuit per peer; the calls of the table have theirs in call_retries_test)
TEST(PeerCircuits, OneBadPeerDoesNotAffectOthers) {
  PeerCircuits circuits;
  fail_times(circuits, "a", kFrom, 3);
  EXPECT_FALSE(circuits.allow("a", kFrom));
  EXPECT_TRUE(circuits.allow("b", kFrom));
  circuits.failed("b", kFrom);
  EXPECT_TRUE(circuits.allow("b", kFrom));
}

// proves part: FAIL-CB-3 (of peers; no role shows them yet)
TEST(PeerCircuits, StatusIsReadable) {
  PeerCircuits circuits;
  fail_times(circuits, "b", kFrom, 3);
  circuits.failed("a", kFrom);
  EXPECT_EQ(circuits.status("c", kFrom).state, BreakerState::kClosed);
  std::vector<std::string> lines;
  for (const auto& each : circuits.statuses(kFrom)) {
    lines.push_back(fmt::format("{} {} {} {}", each.peer, name(each.state), each.errors, each.opened));
  }
  EXPECT_THAT(lines, ElementsAre("a closed 1 0", "b open 3 1"));
  circuits.forget("b");
  EXPECT_TRUE(circuits.allow("b", kFrom));
  EXPECT_EQ(circuits.statuses(kFrom).size(), 1U);
}

TEST(PeerCircuits, AFullSetDropsTheOldestClosedOne) {
  PeerCircuits circuits(kCallCircuit, 3);
  fail_times(circuits, "open", kFrom, 3);
  circuits.failed("old", kFrom + 1s);
  circuits.failed("new", kFrom + 2s);
  circuits.failed("next", kFrom + 3s);
  EXPECT_EQ(circuits.dropped(), 1U);
  EXPECT_EQ(circuits.status("old", kFrom + 3s).errors, 0U);
  EXPECT_FALSE(circuits.allow("open", kFrom + 3s)) << "an open one is kept";
  EXPECT_EQ(circuits.statuses(kFrom + 3s).size(), 3U);
}

RC_GTEST_PROP(PeerCircuits, PeersAreIndependentAndBounded, ()) {
  PeerCircuits circuits(kCallCircuit, 8);
  std::map<std::string, PeerCircuits> alone;
  MonoTime now = kFrom;
  for (int i = 0; i < 200; ++i) {
    now += std::chrono::milliseconds(*rc::gen::inRange(0, 4000));
    const std::string peer(1, *rc::gen::inRange('a', 'e'));
    PeerCircuits& own = alone.try_emplace(peer).first->second;
    const bool allowed = circuits.allow(peer, now);
    RC_ASSERT(allowed == own.allow(peer, now));
    if (!allowed) continue;
    if (*rc::gen::inRange(0, 3) == 0) {
      circuits.succeeded(peer, now);
      own.succeeded(peer, now);
    } else {
      RC_ASSERT(circuits.failed(peer, now) == own.failed(peer, now));
    }
    RC_ASSERT(circuits.statuses(now).size() <= 8U);
  }
}

}  // namespace
}  // namespace hyperscale::reliability
