#include "stream/mapped_region.h"

#include "driver_harness.h"

#include <cerrno>
#include <cstring>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace {
int interruptions_left = 0;
int full_left = 0;  // how often the disk is still full
}  // namespace

// Instead of those of the C library: kernels differ in whether a signal interrupts them.
extern "C" int fallocate(int fd, int mode, off_t offset, off_t bytes) {
  if (interruptions_left > 0) {
    --interruptions_left;
    errno = EINTR;
    return -1;
  }
  if (full_left > 0) {
    --full_left;
    errno = ENOSPC;
    return -1;
  }
  return static_cast<int>(::syscall(SYS_fallocate, fd, mode, offset, bytes));
}
extern "C" int posix_fallocate(int fd, off_t offset, off_t bytes) {
  return ::fallocate(fd, 0, offset, bytes) == 0 ? 0 : errno;
}

namespace hyperscale::stream {
namespace {

TEST(MappedRegion, StartsZeroedAndKeepsWritesOfKilledChild) {
  const auto region = MappedRegion::anonymous(1 << 16);
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

TEST(MappedRegion, RefusesDescriptorThatIsTooSmallOrNoFile) {
  const auto region = MappedRegion::anonymous(8192);
  ASSERT_TRUE(region);
  std::memcpy(region->data(), "hello", 5);
  const auto same = MappedRegion::map(OwnedFd(::dup(region->descriptor())), 8192, MappedRegion::Access::kRead);
  ASSERT_TRUE(same);
  EXPECT_EQ(std::memcmp(same->data(), "hello", 5), 0);
  EXPECT_FALSE(MappedRegion::map(OwnedFd(::dup(region->descriptor())), 8193, MappedRegion::Access::kRead));
  EXPECT_FALSE(MappedRegion::map(OwnedFd(::open("/tmp", O_RDONLY)), 1, MappedRegion::Access::kRead));
}

TEST(MappedRegion, AnAbsurdSizeIsRefusedBeforeTheKernelTriesIt) {
  const auto region = MappedRegion::anonymous(kRegionBytesMax + 1);
  ASSERT_FALSE(region);
  EXPECT_EQ(region.error().code, ErrorCode::kTooLarge);
}

// Nothing is old enough to go by its age; what has no owner goes for want of room.
// proves: SHM-ALLOC-1, SHM-POL-1
// proves part: SHM-TRIG-4 (an error of the file system for lack of space makes a driver collect)
TEST_F(DriverTest, AFullDiskIsCollectedOnceAndTriedOnceMore) {
  Driver& driver = start();
  const auto own = static_cast<std::uint64_t>(::getpid());
  for (int i = 0; i < 4; ++i) {
    const auto grant = driver.attach_producer(kStream, own, kSmall);
    ASSERT_TRUE(grant) << grant.error().context;
    ASSERT_TRUE(driver.detach(grant->lease, own));
  }
  ASSERT_EQ(epochs(7), (std::vector<std::uint64_t>{1, 2, 3, 4}));
  full_left = 1;
  const auto grant = driver.attach_producer(kStream, own, kSmall);
  EXPECT_EQ(full_left, 0);
  ASSERT_TRUE(grant) << grant.error().context;
  EXPECT_EQ(epochs(7), (std::vector<std::uint64_t>{4, 5}));
  ASSERT_TRUE(driver.detach(grant->lease, own));
  full_left = 10;
  const auto refused = driver.attach_producer(kStream, own, kSmall);
  EXPECT_EQ(std::exchange(full_left, 0), 8) << "twice and not more";
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kInternal);
  EXPECT_NE(refused.error().context.find("insufficient shared memory"), std::string::npos) << refused.error().context;
}

TEST_F(DriverTest, ASignalWhileMemoryIsReservedIsNoFailure) {
  const OwnedFd folder(::open(base_.c_str(), O_RDONLY | O_DIRECTORY));
  interruptions_left = 3;
  const auto region = MappedRegion::create(folder.get(), "file", {.reserved = 5 << 20, .total = 1 << 24});
  ASSERT_TRUE(region) << region.error().context;
  EXPECT_EQ(interruptions_left, 0);
  interruptions_left = 3;
  EXPECT_TRUE(region->reserve(5 << 20, 3 << 20));
  EXPECT_EQ(interruptions_left, 0);
  struct stat info{};
  ASSERT_EQ(::fstat(region->descriptor(), &info), 0);
  EXPECT_GE(info.st_blocks * 512, 8 << 20);
  EXPECT_LT(info.st_blocks * 512, 9 << 20);
}

// proves part: SHM-DRV-5 (memory is reserved)
TEST_F(DriverTest, ReservesMemoryAndLeavesTheRestAHole) {
  const OwnedFd folder(::open(base_.c_str(), O_RDONLY | O_DIRECTORY));
  const auto region = MappedRegion::create(folder.get(), "file", {.reserved = 1 << 20, .total = 1 << 24});
  ASSERT_TRUE(region);
  struct stat info{};
  ASSERT_EQ(::fstat(region->descriptor(), &info), 0);
  EXPECT_EQ(info.st_size, 1 << 24);
  EXPECT_GE(info.st_blocks * 512, 1 << 20);
  EXPECT_LT(info.st_blocks * 512, 1 << 21);
  EXPECT_EQ(info.st_mode & 0777, 0600U);
  ASSERT_TRUE(region->reserve(1 << 23, 1 << 20));
  ASSERT_EQ(::fstat(region->descriptor(), &info), 0);
  EXPECT_GE(info.st_blocks * 512, 1 << 21);
  EXPECT_FALSE(MappedRegion::create(folder.get(), "file", {.reserved = 1, .total = 1})) << "never over another file";
}

}  // namespace
}  // namespace hyperscale::stream
