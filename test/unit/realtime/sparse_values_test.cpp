#include "realtime/snapshot/sparse_values.h"

#include <map>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace hyperscale::realtime {
namespace {

// proves: MURK-SAFE-16
TEST(SparseValues, ValueIsFreedWhenNoLiveGenerationUsesIt) {
  SparseValues values(1, 3);
  values.commit(1);
  values.change()[0] = 5;
  values.commit(5);  // the initial value was current for 1..4
  const std::vector<Epoch> seen{4, 5, 6};
  values.collect(seen);
  EXPECT_EQ(values.in_use(), 2u);
  for (const Epoch quarantined : {1u, 2u, 3u}) {
    const std::vector<Epoch> held{quarantined, 8, 9};
    values.collect(held);
    EXPECT_EQ(values.in_use(), 2u) << "a reader still holds " << quarantined;
  }
  const std::vector<Epoch> past{5, 6, 7};
  values.collect(past);
  EXPECT_EQ(values.in_use(), 1u);
  EXPECT_EQ(values.current()[0], 5);
}

TEST(SparseValues, AnAbandonedChangeIsForgotten) {
  SparseValues values(2, 2);
  values.change()[1] = 7;
  EXPECT_EQ(values.next()[1], 7);
  EXPECT_EQ(values.current()[1], 0);
  values.abandon();
  EXPECT_EQ(values.next()[1], 0);
  EXPECT_EQ(values.in_use(), 1u);
}

// proves: MURK-SAFE-16
RC_GTEST_PROP(SparseValuesProperty, WhatALiveGenerationSawStaysAsItWas, ()) {
  const auto ring = *rc::gen::inRange<Epoch>(2, 6);
  const auto changes = *rc::gen::container<std::vector<bool>>(rc::gen::arbitrary<bool>());
  SparseValues values(1, ring);
  std::map<Epoch, std::pair<const double*, double>> live;
  Epoch epoch = 0;
  for (const bool change : changes) {
    ++epoch;
    if (change) values.change()[0] = static_cast<double>(epoch);
    live[epoch] = {values.next().data(), values.next()[0]};
    values.commit(epoch);
    if (live.size() > ring) live.erase(live.begin());
    std::vector<Epoch> epochs;
    for (const auto& [number, seen] : live) epochs.push_back(number);
    values.collect(epochs);
    for (const auto& [number, seen] : live) RC_ASSERT(*seen.first == seen.second);
  }
}

}  // namespace
}  // namespace hyperscale::realtime
