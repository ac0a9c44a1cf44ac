#include "stream/epoch_folder.h"

#include "driver_harness.h"
#include "stream/private_folder.h"
#include "stream/process_identity.h"

#include <algorithm>
#include <fstream>

#include <fcntl.h>
#include <sys/stat.h>

namespace hyperscale::stream {
namespace {

class EpochFolderTest : public DriverTest {
 protected:
  EpochFolderTest() : folder_(::open(base_.c_str(), O_RDONLY | O_DIRECTORY)) {}

  Provision provision(std::uint64_t epoch, std::uint64_t pid = 0, std::uint64_t started = 0) {
    return {.stream = kStream,
            .epoch = Epoch(epoch),
            .owner = {.id = ClientId(pid), .started_ns = started},
            .layout = kSmall};
  }
  std::uint64_t boot_ns() const { return static_cast<std::uint64_t>(boot_now().ns()); }

  OwnedFd folder_;
};

TEST_F(EpochFolderTest, HasItsFilesWithTheSizesAndRightsOfTheFormat) {
  const auto regions = make_epoch(folder_.get(), provision(3, 55, 66), 77);
  ASSERT_TRUE(regions) << regions.error().context;
  struct stat info{};
  const std::string epoch = base_ + "/3";
  ASSERT_EQ(::stat(epoch.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0700U);
  const std::pair<const char*, std::uint64_t> files[] = {
      {"header.ring", 64 + 4 * 256}, {"1.pool", 64 + 4 * 256}, {"counters", 1 << 20}};
  for (const auto& [name, size] : files) {
    ASSERT_EQ(::stat((epoch + "/" + name).c_str(), &info), 0) << name;
    EXPECT_EQ(static_cast<std::uint64_t>(info.st_size), size) << name;
    EXPECT_EQ(info.st_mode & 0777, 0600U) << name;
  }
  const auto block = read_superblock(regions->pool.data());
  ASSERT_TRUE(block);
  EXPECT_EQ(block->epoch, Epoch(3));
  EXPECT_EQ(block->stream, kStream);
  EXPECT_EQ(block->stride_bytes, 256U);
  EXPECT_EQ(block->pid, 55U);
  EXPECT_EQ(block->started_ns, 66U);
  EXPECT_EQ(block->activity_ns, 77U);
}

TEST_F(EpochFolderTest, ProducerMapsRegionsByDescriptorOnly) {
  const auto regions = make_epoch(folder_.get(), provision(1), 1);
  const auto copy = [](const MappedRegion& region) { return OwnedFd(::dup(region.descriptor())); };
  EXPECT_TRUE(map_regions({copy(regions->header), copy(regions->pool), copy(regions->counters)}, kSmall));
  EXPECT_FALSE(map_regions({copy(regions->pool), copy(regions->header), copy(regions->counters)}, kSmall));
  RegionLayout other = kSmall;
  other.nslots = 2;
  EXPECT_FALSE(map_regions({copy(regions->header), copy(regions->pool), copy(regions->counters)}, other));
}

// F-10
// proves part: SHM-DRV-10 (links are not followed, nothing outside is deleted)
TEST_F(EpochFolderTest, JunkIsPassedOverAndNeverFollowed) {
  ASSERT_TRUE(make_epoch(folder_.get(), provision(2), 1));
  const std::string outside = base_ + "/outside";
  std::filesystem::create_directory(outside);
  ::chmod(outside.c_str(), 0700);
  std::ofstream(outside + "/precious") << "data";
  for (const char* name : {"007", "-1", "1x", "x", "99999999999999999999999", " 5"})
    std::filesystem::create_directory(base_ + "/" + name);
  std::ofstream(base_ + "/6") << "a file";
  std::filesystem::create_directory_symlink(outside, base_ + "/4");
  std::filesystem::create_directory_symlink(outside, base_ + "/.removed-9");
  const auto found = look_at_epochs(folder_.get());
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].epoch, Epoch(2));
  (void)remove_epoch(folder_.get(), Epoch(4));
  EXPECT_TRUE(std::filesystem::exists(outside + "/precious"));
}

TEST_F(EpochFolderTest, AFolderThatOthersMayEnterIsNoEpoch) {
  std::filesystem::create_directory(base_ + "/8");
  ::chmod((base_ + "/8").c_str(), 0755);
  EXPECT_TRUE(read_epochs(folder_.get()).empty());
}

// F-11
// proves part: SHM-DRV-4 (the time of a folder is on the same clock; not which clock that is)
TEST_F(EpochFolderTest, BrokenSuperblockMeansNoOwnerAndFolderAge) {
  ASSERT_EQ(::mkdirat(folder_.get(), "5", 0700), 0);
  auto found = look_at_epochs(folder_.get());
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].owner, Owner::kNone);
  EXPECT_LE(age_of(found[0].activity_ns, boot_now()), 60s);
  std::ofstream(base_ + "/5/header.ring") << "cut short";
  const timespec times[2] = {{.tv_sec = 1'000'000, .tv_nsec = 0}, {.tv_sec = 1'000'000, .tv_nsec = 0}};
  ASSERT_EQ(::utimensat(folder_.get(), "5", times, 0), 0);
  found = look_at_epochs(folder_.get());
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].owner, Owner::kNone);
  EXPECT_EQ(found[0].activity_ns, 0U) << "long before this boot";
}

// proves: SHM-SAFE-3
// proves part: SHM-DRV-8 (owners of an unknown namespace are alive; not how a namespace is known)
TEST_F(EpochFolderTest, OwnerAndActivityAreTheNewestOfAllRegions) {
  TestProcess process;
  const auto regions = make_epoch(folder_.get(), provision(1), 10);
  set_activity(regions->pool.data(), 500);
  set_owner(regions->counters.data(), process.pid(), *process_start_ns(process.pid()));
  const auto found = look_at_epochs(folder_.get());
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].activity_ns, 500U);
  EXPECT_EQ(found[0].owner, Owner::kAlive);
  process.kill();
  EXPECT_EQ(look_at_epochs(folder_.get())[0].owner, Owner::kDead);
  EXPECT_EQ(look_at_epochs(folder_.get(), {.pids_are_known = false})[0].owner, Owner::kAlive)
      << "pids of another namespace mean nothing here";
}

// F-12
// proves part: SHM-DRV-7 (tombstones, nothing is truncated; not that removal and attach share a thread)
TEST_F(EpochFolderTest, RemovalKeepsMappingsAndFinishesTombstones) {
  const auto regions = make_epoch(folder_.get(), provision(1), 10);
  auto* last = regions->pool.at(regions->pool.size() - 1);
  *last = std::byte{42};
  ASSERT_TRUE(remove_epoch(folder_.get(), Epoch(1)));
  EXPECT_TRUE(std::filesystem::is_empty(base_));
  EXPECT_EQ(*last, std::byte{42}) << "not truncated";
  ASSERT_TRUE(make_epoch(folder_.get(), provision(2), 10));
  std::filesystem::rename(base_ + "/2", base_ + "/.removed-2");
  EXPECT_TRUE(read_epochs(folder_.get()).empty()) << "a tombstone is no epoch";
  EXPECT_TRUE(look_at_epochs(folder_.get()).empty());
  EXPECT_TRUE(std::filesystem::is_empty(base_));
}

// proves part: SHM-DRV-7 (renamed before anything is unlinked, tried again later)
TEST_F(EpochFolderTest, PartlyRemovedFolderIsNoEpoch) {
  ASSERT_TRUE(make_epoch(folder_.get(), provision(1), 10));
  std::filesystem::create_directory(base_ + "/1/not a file");
  EXPECT_FALSE(remove_epoch(folder_.get(), Epoch(1)));
  EXPECT_TRUE(read_epochs(folder_.get()).empty()) << "renamed before anything in it was unlinked";
  EXPECT_TRUE(std::filesystem::exists(base_ + "/.removed-1"));
  std::filesystem::remove(base_ + "/.removed-1/not a file");
  EXPECT_TRUE(look_at_epochs(folder_.get()).empty());
  EXPECT_TRUE(std::filesystem::is_empty(base_)) << "tried again at the next look";
}

}  // namespace
}  // namespace hyperscale::stream
