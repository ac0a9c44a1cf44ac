#include "manager/placement.h"

#include "wire/seeded_entropy.h"

#include <map>
#include <numeric>
#include <set>
#include <string>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace hyperscale::manager {
namespace {

std::vector<JobCore> numbers(std::uint32_t from, std::uint32_t count) {
  std::vector<JobCore> cores(count);
  std::iota(cores.begin(), cores.end(), from);
  return cores;
}

TEST(Placement, OneWorkerWithRoomGetsOneShare) {
  wire::SeededEntropy entropy{Prng(1)};
  const auto shares = place_stage({{0, numbers(0, 4)}}, {{"w1", 8}}, entropy);
  ASSERT_TRUE(shares);
  EXPECT_EQ(*shares, (std::vector<PlacedShare>{{0, 0, {0, 1, 2, 3}, "w1"}}));
}

TEST(Placement, TooFewFreeCoresPlaceNothing) {
  wire::SeededEntropy entropy{Prng(1)};
  EXPECT_EQ(place_stage({{0, numbers(0, 4)}}, {{"w1", 3}}, entropy), std::nullopt);
  EXPECT_EQ(place_stage({{0, numbers(0, 4)}}, {}, entropy), std::nullopt);
  EXPECT_TRUE(place_stage({{0, numbers(0, 4)}}, {{"w1", 3}, {"w2", 1}}, entropy));
}

// Every slot is in exactly one share, no worker gets more cores than are free, and workflows that name the same core
// get the same one.
TEST(PlacementProperty, EverySlotRunsOnceWithinTheRoom) {
  EXPECT_TRUE(rc::check([](std::uint64_t seed) {
    Prng prng(seed);
    wire::SeededEntropy entropy{prng.stream("entropy")};
    std::vector<Room> rooms;
    for (std::uint64_t i = 0, n = 1 + prng.below(6); i < n; ++i)
      rooms.push_back({"w" + std::to_string(i), static_cast<std::uint32_t>(prng.below(9)), prng.below(3) > 0});
    std::vector<SlotCores> workflows;
    for (std::uint32_t i = 0; i < 1 + prng.below(3); ++i)
      workflows.push_back(
          {i, numbers(static_cast<std::uint32_t>(prng.below(12)), static_cast<std::uint32_t>(1 + prng.below(12)))});
    const auto shares = place_stage(workflows, rooms, entropy);
    RC_ASSERT(shares.has_value() == (cores_needed(workflows) <= cores_free(rooms)));
    if (!shares) return;

    std::map<JobCore, std::string> worker_of;
    std::map<std::string, std::set<JobCore>> used;
    std::map<std::uint32_t, std::vector<JobCore>> slots;
    for (const PlacedShare& share : *shares) {
      RC_ASSERT(share.first_slot == slots[share.workflow].size());
      for (const JobCore core : share.cores) {
        slots[share.workflow].push_back(core);
        used[share.worker].insert(core);
        RC_ASSERT(worker_of.emplace(core, share.worker).first->second == share.worker);
      }
    }
    for (const SlotCores& each : workflows) RC_ASSERT(slots[each.workflow] == each.cores);
    for (const Room& room : rooms) RC_ASSERT(used[room.worker].size() <= room.free);
  }));
}

TEST(Placement, DegradedWorkersComeLast) {
  EXPECT_TRUE(rc::check([](std::uint64_t seed) {
    wire::SeededEntropy entropy{Prng(seed)};
    const auto shares = place_stage({{0, numbers(0, 6)}}, {{"w1", 8, false}, {"w2", 2}, {"w3", 3}}, entropy);
    RC_ASSERT(shares.has_value());
    RC_ASSERT((shares->size() == 3U && shares->back().worker == "w1" && shares->back().cores.size() == 1U));
    RC_ASSERT(choose_worker({{"w1", 8, false}, {"w2", 2}}, 2, entropy) == "w2");
    RC_ASSERT(choose_worker({{"w1", 8, false}, {"w2", 2}}, 3, entropy) == "w1");
    RC_ASSERT(choose_worker({{"w1", 8, false}, {"w2", 2}}, 9, entropy) == std::nullopt);
  }));
}

// proves part: EXEC-3 (no worker is preferred; the source of the entropy is the caller's)
TEST(Placement, PrefersNoWorker) {
  wire::SeededEntropy entropy{Prng(5)};
  std::map<std::string, int> chosen, first;
  for (int i = 0; i < 3'000; ++i) {
    const std::vector<Room> rooms{{"w1", 8}, {"w2", 8}, {"w3", 8}};
    ++chosen[*choose_worker(rooms, 4, entropy)];
    ++first[place_stage({{0, numbers(0, 1)}}, rooms, entropy)->front().worker];
  }
  for (const auto& counts : {chosen, first})
    for (const char* worker : {"w1", "w2", "w3"}) EXPECT_NEAR(counts.at(worker), 1'000, 150) << worker;
}

}  // namespace
}  // namespace hyperscale::manager
