#include "sim/engine/disk.h"

#include <bit>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace hyperscale::sim {
namespace {

std::vector<std::uint8_t> bytes_of(std::string_view text) {
  return {text.begin(), text.end()};
}

TEST(SimDisk, WhatWasSyncedSurvivesACrash) {
  Disk disk(Prng(1));
  ASSERT_TRUE(disk.write("a", as_bytes("first")));
  ASSERT_TRUE(disk.sync());
  disk.crash();
  EXPECT_EQ(disk.read("a"), bytes_of("first"));
}

TEST(SimDisk, UnsyncedWritesAreReadableButLostInACrash) {
  Disk disk(Prng(1));
  disk.faults.torn_in_crash = 0;
  disk.faults.kept_in_crash = 0;
  ASSERT_TRUE(disk.write("a", as_bytes("first")));
  ASSERT_TRUE(disk.sync());
  ASSERT_TRUE(disk.write("a", as_bytes("second")));
  EXPECT_EQ(disk.read("a"), bytes_of("second"));
  disk.crash();
  EXPECT_EQ(disk.read("a"), bytes_of("first"));
  EXPECT_EQ(disk.counters().lost, 1);
}

TEST(SimDisk, TornWriteIsNewPrefixOverOldBytes) {
  bool seen_part = false;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Disk disk{Prng(seed)};
    disk.faults.torn_in_crash = 1;
    ASSERT_TRUE(disk.write("a", as_bytes("oooooooooo")));
    ASSERT_TRUE(disk.sync());
    ASSERT_TRUE(disk.write("a", as_bytes("nnnnnnnnnn")));
    disk.crash();
    const auto kept = disk.read("a");
    const std::string text(kept->begin(), kept->end());
    EXPECT_EQ(text.find_first_not_of('n'), text.find('o')) << text;
    seen_part |= text.find('n') != std::string::npos && text.find('o') != std::string::npos;
  }
  EXPECT_TRUE(seen_part);
}

TEST(SimDisk, BitRotFlipsOneBitOfADurableRecord) {
  Disk disk(Prng(1));
  EXPECT_FALSE(disk.rot()) << "there is nothing to rot";
  ASSERT_TRUE(disk.write("a", as_bytes("record")));
  ASSERT_TRUE(disk.sync());
  ASSERT_TRUE(disk.rot());
  const auto kept = disk.read("a");
  int flipped = 0;
  for (std::size_t i = 0; i < kept->size(); ++i) {
    flipped += std::popcount(static_cast<unsigned>((*kept)[i] ^ bytes_of("record")[i]));
  }
  EXPECT_EQ(flipped, 1);
}

TEST(SimDisk, AFullDiskRefusesWritesAndAFailingOneSyncs) {
  Disk disk(Prng(1));
  disk.faults.full = true;
  EXPECT_FALSE(disk.write("a", as_bytes("x")));
  disk.faults = {.sync_error = 1};
  EXPECT_TRUE(disk.write("a", as_bytes("x")));
  EXPECT_FALSE(disk.sync());
  EXPECT_EQ(disk.counters().refused_full, 1);
  EXPECT_EQ(disk.counters().sync_errors, 1);
}

}  // namespace
}  // namespace hyperscale::sim
