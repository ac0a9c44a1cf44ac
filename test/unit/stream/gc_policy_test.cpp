#include "stream/policy/gc_policy.h"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace hyperscale::stream {
namespace {

constexpr MonoTime kNow = MonoTime::from_ns(100'000'000'000);
constexpr Duration kWindow = 3s;

// Everything about it would let it go.
EpochFacts stale(std::uint64_t epoch) {
  return {.epoch = Epoch(epoch), .owner = Owner::kNone, .activity_ns = 1, .bytes = 0};
}

std::vector<std::uint64_t> removed(const std::vector<EpochFacts>& found, GcQuestion question, MonoTime now = kNow) {
  question.found = found;
  question.min_age = kWindow;
  std::vector<std::uint64_t> out;
  for (const GcVerdict& verdict : judge_epochs(question, now)) {
    if (!verdict.kept) out.push_back(verdict.epoch.value());
  }
  return out;
}

using Epochs = std::vector<std::uint64_t>;

// proves: SHM-POL-1
TEST(GcPolicy, CurrentAndPreviousStayHoweverStale) {
  EXPECT_EQ(removed({stale(4), stale(5)}, {.current = Epoch(5)}), Epochs());
  EXPECT_EQ(removed({stale(5)}, {.current = Epoch(6)}), Epochs()) << "the current one need not have a folder";
}

// proves: SHM-POL-2
TEST(GcPolicy, OlderOnesGo) {
  EXPECT_EQ(removed({stale(1), stale(2), stale(3), stale(4), stale(5)}, {.current = Epoch(5)}), (Epochs{1, 2, 3}));
  EXPECT_EQ(removed({stale(3), stale(4), stale(5)}, {.current = Epoch(6)}), (Epochs{3, 4}));
}

// proves part: SHM-POL-3 (the verdict; not where others collect after a driver)
TEST(GcPolicy, KeepsAsManyAsItIsTold) {
  const std::vector<EpochFacts> found{stale(1), stale(2), stale(3), stale(4), stale(5)};
  EXPECT_EQ(removed(found, {.current = Epoch(5), .keep = 1}), (Epochs{1, 2, 3, 4}));
  EXPECT_EQ(removed(found, {.current = Epoch(5), .keep = 4}), (Epochs{1}));
  EXPECT_EQ(removed(found, {.current = Epoch(5), .keep = 9}), Epochs());
}

// proves: SHM-DRV-1, SHM-POL-1
TEST(GcPolicy, PreviousIsByRankNotByNumber) {
  EXPECT_EQ(removed({stale(10), stale(1'000), stale(5'000)}, {.current = Epoch(5'000)}), (Epochs{10}));
}

// proves: SHM-DRV-1
TEST(GcPolicy, KeepsTheHighestWhateverTheirGaps) {
  EXPECT_EQ(removed({stale(5'000), stale(10), stale(1'000), stale(70)}, {.current = Epoch(5'000), .keep = 3}),
            (Epochs{10}));
}

// proves: SHM-SAFE-1, SHM-POL-2
TEST(GcPolicy, WhatALeaseReferencesStays) {
  const std::vector<EpochFacts> found{stale(1), stale(2), stale(3), stale(8), stale(9)};
  EXPECT_EQ(removed(found, {.current = Epoch(9), .lowest_leased = Epoch(2)}), (Epochs{1}))
      << "a lease references all from the one that it reported up to the current one";
}

// proves: SHM-POL-2
// proves part: SHM-SAFE-2 (the bound; who collects after a killed runner does not wait)
TEST(GcPolicy, WhatWasActiveLatelyStays) {
  EpochFacts young = stale(1);
  young.activity_ns = static_cast<std::uint64_t>((kNow - kWindow).ns());
  EXPECT_EQ(removed({young, stale(8), stale(9)}, {.current = Epoch(9)}), Epochs()) << "more than the window, not equal";
  young.activity_ns -= 1;
  EXPECT_EQ(removed({young, stale(8), stale(9)}, {.current = Epoch(9)}), (Epochs{1}));
}

// proves: SHM-SAFE-3
TEST(GcPolicy, WhatALivingProcessOwnsStays) {
  EpochFacts owned = stale(1);
  owned.owner = Owner::kAlive;
  EXPECT_EQ(removed({owned, stale(8), stale(9)}, {.current = Epoch(9)}), Epochs());
  owned.owner = Owner::kDead;
  EXPECT_EQ(removed({owned, stale(8), stale(9)}, {.current = Epoch(9)}), (Epochs{1}));
}

// proves part: SHM-DRV-4 (subtraction saturates, an activity in the future is fresh)
TEST(GcPolicy, AnActivityInTheFutureIsFresh) {
  EpochFacts future = stale(1);
  for (const std::uint64_t at : {static_cast<std::uint64_t>(kNow.ns()) + 1, std::uint64_t{INT64_MAX}, UINT64_MAX}) {
    future.activity_ns = at;
    EXPECT_EQ(age_of(at, kNow), 0ns);
    EXPECT_EQ(removed({future, stale(8), stale(9)}, {.current = Epoch(9)}), Epochs()) << at;
  }
}

// proves: SHM-SAFE-3
// proves part: SHM-DRV-9 (in a driver; who collects after a killed runner waives every age)
TEST(GcPolicy, LackOfSpaceWaivesAgeOfDisownedEpochsOnly) {
  EpochFacts disowned = stale(1);
  disowned.activity_ns = static_cast<std::uint64_t>(kNow.ns());
  EpochFacts dead = disowned;
  dead.epoch = Epoch(2);
  dead.owner = Owner::kDead;
  EpochFacts alive = stale(3);
  alive.owner = Owner::kAlive;
  const std::vector<EpochFacts> found{disowned, dead, alive, stale(8), stale(9)};
  EXPECT_EQ(removed(found, {.current = Epoch(9)}), Epochs());
  EXPECT_EQ(removed(found, {.current = Epoch(9), .short_of_space = true}), (Epochs{1}));
  EXPECT_EQ(removed(found, {.current = Epoch(9), .lowest_leased = Epoch(1), .short_of_space = true}), Epochs());
}

TEST(GcPolicy, OneRunIsBounded) {
  std::vector<EpochFacts> found;
  for (std::uint64_t epoch = 1; epoch <= 200; ++epoch) found.push_back(stale(epoch));
  EXPECT_EQ(removed(found, {.current = Epoch(200)}).size(), kRemovalsPerRunMax);
}

// proves part: SHM-GOAL-2 (the verdict; not that a tail reports what it maps)
RC_GTEST_PROP(GcPolicy, NothingThatIsLeasedOwnedOrFreshEverGoes, ()) {
  std::vector<EpochFacts> found;
  for (std::uint64_t epoch = 1; epoch <= 12; ++epoch) {
    if (*rc::gen::inRange(0, 3) == 0) continue;
    found.push_back({.epoch = Epoch(epoch),
                     .owner = *rc::gen::element(Owner::kNone, Owner::kDead, Owner::kAlive),
                     .activity_ns = *rc::gen::inRange<std::uint64_t>(90'000'000'000, 110'000'000'000),
                     .bytes = 0});
  }
  GcQuestion question{.found = found, .current = Epoch(12), .keep = *rc::gen::inRange(1U, 4U), .min_age = kWindow};
  if (*rc::gen::arbitrary<bool>()) question.lowest_leased = Epoch(*rc::gen::inRange<std::uint64_t>(1, 13));
  question.short_of_space = *rc::gen::arbitrary<bool>();
  for (const GcVerdict& verdict : judge_epochs(question, kNow)) {
    if (verdict.kept) continue;
    const auto& facts = *std::ranges::find(found, verdict.epoch, &EpochFacts::epoch);
    RC_ASSERT((!question.lowest_leased || facts.epoch < *question.lowest_leased));
    RC_ASSERT(facts.owner != Owner::kAlive);
    const bool waived = question.short_of_space && facts.owner == Owner::kNone;
    RC_ASSERT((waived || facts.activity_ns < static_cast<std::uint64_t>((kNow - kWindow).ns())));
  }
}

}  // namespace
}  // namespace hyperscale::stream
