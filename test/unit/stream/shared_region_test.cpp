#include "stream/shared_region.h"

#include <cstring>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace hyperscale::stream {
namespace {

TEST(SharedRegion, StartsAsZerosAndShowsWhatAChildWroteBeforeItWasKilled) {
  auto region = SharedRegion::create(1 << 16);
  ASSERT_TRUE(region);
  auto* bytes = static_cast<volatile char*>(region->data());
  for (std::size_t i = 0; i < region->size(); ++i) ASSERT_EQ(bytes[i], 0);
  const pid_t child = ::fork();
  if (child == 0) {
    bytes[12'345] = 'x';
    ::kill(::getpid(), SIGKILL);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(bytes[12'345], 'x');
}

TEST(SharedRegion, OpensByDescriptorAndRefusesOneThatIsTooSmall) {
  auto region = SharedRegion::create(8192);
  ASSERT_TRUE(region);
  std::memcpy(region->data(), "hello", 5);
  auto same = SharedRegion::open(::dup(region->descriptor()), 8192);
  ASSERT_TRUE(same);
  EXPECT_EQ(std::memcmp(same->data(), "hello", 5), 0);
  EXPECT_FALSE(SharedRegion::open(::dup(region->descriptor()), 8193));
}

TEST(SharedRegion, AnAbsurdSizeIsRefusedBeforeTheKernelTriesIt) {
  const auto region = SharedRegion::create(kRegionBytesMax + 1);
  ASSERT_FALSE(region);
  EXPECT_EQ(region.error().code, ErrorCode::kTooLarge);
}

TEST(SharedRegion, CannotBeMadeSmallerByAnyHolder) {
  auto region = SharedRegion::create(8192);
  ASSERT_TRUE(region);
  EXPECT_NE(::ftruncate(region->descriptor(), 0), 0);
}

}  // namespace
}  // namespace hyperscale::stream
