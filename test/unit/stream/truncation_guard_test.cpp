#include "stream/truncation_guard.h"

#include "stream/mapped_region.h"

#include <csignal>

#include <gtest/gtest.h>
#include <unistd.h>

namespace hyperscale::stream {
namespace {

constexpr std::uint64_t kBytes = 8 * 4096;

TEST(TruncationGuard, WhatIsGoneReadsAsZero) {
  auto region = MappedRegion::anonymous(kBytes);
  ASSERT_TRUE(region);
  *region->at(0) = std::byte{1};
  *region->at(kBytes - 1) = std::byte{2};
  EXPECT_FALSE(region->lost());
  ASSERT_EQ(::ftruncate(region->descriptor(), 4096), 0);
  EXPECT_EQ(*region->at(kBytes - 1), std::byte{0});
  EXPECT_TRUE(region->lost());
  *region->at(kBytes - 1) = std::byte{3};
  EXPECT_EQ(*region->at(kBytes - 1), std::byte{3});
  EXPECT_EQ(*region->at(0), std::byte{1});  // this part is still there
}

TEST(TruncationGuard, MovedRegionStaysGuarded) {
  auto made = MappedRegion::anonymous(kBytes);
  ASSERT_TRUE(made);
  const MappedRegion region = std::move(*made);
  ASSERT_EQ(::ftruncate(region.descriptor(), 0), 0);
  EXPECT_EQ(*region.at(0), std::byte{0});
  EXPECT_TRUE(region.lost());
}

TEST(TruncationGuardDeathTest, OtherFaultsEndTheProcess) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(
      {
        const auto region = MappedRegion::anonymous(kBytes);
        std::raise(SIGBUS);
        ::_exit(0);
      },
      testing::KilledBySignal(SIGBUS), "");
}

}  // namespace
}  // namespace hyperscale::stream
