#include "membership/probe_schedule.h"

#include "identities.h"

#include <map>
#include <set>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace hyperscale::membership {
namespace {

using test::worker;
using wire::NodeAddress;

TEST(ProbeSchedule, EverybodyHasATurnInEachRound) {
  ProbeSchedule schedule{Prng(7)};
  for (std::uint16_t i = 0; i < 20; ++i) schedule.add(worker(i).address);
  std::vector<NodeAddress> first;
  for (int round = 0; round < 5; ++round) {
    std::vector<NodeAddress> order;
    for (int i = 0; i < 20; ++i) order.push_back(schedule.next().value());
    EXPECT_EQ(std::set(order.begin(), order.end()).size(), 20);
    EXPECT_NE(order, first);  // drawn anew
    first = order;
  }
}

TEST(ProbeSchedule, AnEmptyOneHasNoTurn) {
  ProbeSchedule schedule{Prng(7)};
  EXPECT_EQ(schedule.next(), std::nullopt);
  schedule.add(worker(1).address);
  schedule.add(worker(1).address);
  schedule.remove(worker(2).address);
  EXPECT_EQ(schedule.size(), 1);
  schedule.remove(worker(1).address);
  EXPECT_EQ(schedule.next(), std::nullopt);
}

// With n members, nobody waits longer than 2n - 1 turns; the removed have none.
RC_GTEST_PROP(ProbeSchedule, NobodyWaitsLongerThanTwoRounds, (std::uint64_t seed)) {
  Prng prng(seed);
  ProbeSchedule schedule{prng.stream("schedule")};
  const auto members = static_cast<std::uint16_t>(1 + prng.below(40));
  std::map<NodeAddress, std::size_t> last;
  for (std::uint16_t i = 0; i < members; ++i) {
    schedule.add(worker(i).address);
    last[worker(i).address] = 0;
  }
  for (std::size_t turn = 1; turn < 500; ++turn) {
    last[schedule.next().value()] = turn;
    for (const auto& [member, probed] : last) RC_ASSERT(turn - probed < 2 * last.size());
  }
}

RC_GTEST_PROP(ProbeSchedule, ComingAndGoingKeepsTheRest, (std::uint64_t seed)) {
  Prng prng(seed);
  ProbeSchedule schedule{prng.stream("schedule")};
  std::set<NodeAddress> present;
  for (int step = 0; step < 400; ++step) {
    const NodeAddress member = worker(static_cast<std::uint16_t>(prng.below(12))).address;
    switch (prng.below(3)) {
      case 0:
        schedule.add(member);
        present.insert(member);
        break;
      case 1:
        schedule.remove(member);
        present.erase(member);
        break;
      default: {
        const auto next = schedule.next();
        RC_ASSERT(next.has_value() == !present.empty());
        if (next) RC_ASSERT(present.contains(*next));
      }
    }
    RC_ASSERT(schedule.size() == present.size());
  }
  std::set<NodeAddress> seen;
  for (std::size_t i = 0; i < 2 * present.size(); ++i) seen.insert(schedule.next().value());
  RC_ASSERT(seen == present);
}

}  // namespace
}  // namespace hyperscale::membership
