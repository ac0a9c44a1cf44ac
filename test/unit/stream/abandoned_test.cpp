#include "stream/abandoned.h"

#include "driver_harness.h"

namespace hyperscale::stream {
namespace {

class AbandonedTest : public DriverTest {
 protected:
  std::vector<EpochFate> collect(Collect what = Collect::kRemove) {
    auto fates = collect_abandoned(base_, policies_, now_, what);
    EXPECT_TRUE(fates) << fates.error().context;
    return std::move(*fates);
  }
};

using Epochs = std::vector<std::uint64_t>;

// proves: SHM-POL-2, SHM-SAFE-3
// proves part: SHM-GOAL-1 (after a driver that was killed; not that a run gives its driver the time to collect)
TEST_F(AbandonedTest, RemovesOldEpochsOfKilledDriverAndDeadOwner) {
  policies_.cleanup_shm_on_exit = true;
  TestProcess producer;
  crash_driver([&](Driver& driver) { (void)driver.attach_producer(kStream, producer.pid(), kSmall); });
  ASSERT_EQ(epochs(7), (Epochs{1}));
  auto fates = collect();
  ASSERT_EQ(fates.size(), 1U);
  EXPECT_EQ(fates[0].kept, KeptFor::kOwner);
  producer.kill();
  EXPECT_EQ(collect().at(0).kept, KeptFor::kAge);
  now_ += 10s;
  fates = collect(Collect::kLook);
  EXPECT_EQ(fates.at(0).kept, std::nullopt);
  EXPECT_GT(fates[0].facts.bytes, 0U);
  EXPECT_EQ(epochs(7), (Epochs{1})) << "only looked";
  EXPECT_EQ(collect().at(0).failure, "");
  EXPECT_FALSE(std::filesystem::exists(namespace_path())) << "with its folders";
  EXPECT_TRUE(collect().empty());
}

// proves: SHM-DRV-1, SHM-POL-1, SHM-POL-2
TEST_F(AbandonedTest, ReturningDriverFindsItsNewestEpochs) {
  crash_driver([&](Driver& driver) {
    for (int i = 0; i < 4; ++i) {
      const auto own = static_cast<std::uint64_t>(::getpid());
      const auto grant = driver.attach_producer(kStream, own, kSmall);
      (void)driver.detach(grant->lease, own);
    }
  });
  now_ += 10s;
  policies_.epoch_gc_keep = 3;
  collect();
  EXPECT_EQ(epochs(7), (Epochs{2, 3, 4}));
  policies_.epoch_gc_keep = 2;
  collect();
  EXPECT_EQ(epochs(7), (Epochs{3, 4}));
}

// proves: SHM-SAFE-1
// proves part: SHM-GOAL-2 (where a driver lives nobody else removes; not that a tail reports what it maps)
// proves part: SHM-AUTH-2 (nobody else collects where a driver lives; where it is dead others do)
TEST_F(AbandonedTest, NothingIsTouchedWhereADriverLives) {
  policies_.cleanup_shm_on_exit = true;
  Driver& driver = start();
  TestProcess producer;
  for (int i = 0; i < 3; ++i) {
    const auto grant = driver.attach_producer(kStream, producer.pid(), kSmall);
    ASSERT_TRUE(driver.detach(grant->lease, producer.pid()));
  }
  now_ += 10s;
  const auto fates = collect();
  ASSERT_EQ(fates.size(), 3U);
  for (const EpochFate& fate : fates) EXPECT_TRUE(fate.has_driver);
  EXPECT_EQ(epochs(7), (Epochs{1, 2, 3}));
}

// proves part: SHM-GOAL-2 (nobody removes without the lock; not that a tail reports what it maps)
TEST_F(AbandonedTest, NamespaceCollectedByAnotherIsLeftAlone) {
  policies_.cleanup_shm_on_exit = true;
  crash_driver(
      [&](Driver& driver) { (void)driver.attach_producer(kStream, static_cast<std::uint64_t>(::getpid()), kSmall); });
  now_ += 10s;
  {
    const auto other = NamespaceFolder::take_over(base_, "test");
    ASSERT_TRUE(other);
    const auto fates = collect();
    ASSERT_EQ(fates.size(), 1U);
    EXPECT_FALSE(fates[0].has_driver);
    EXPECT_EQ(fates[0].failure, "namespace test is held by somebody who collects");
    EXPECT_EQ(epochs(7), (Epochs{1}));
  }
  EXPECT_EQ(collect().at(0).failure, "");
}

TEST_F(AbandonedTest, ItCanBeRestrictedToOneNamespace) {
  policies_.cleanup_shm_on_exit = true;
  crash_driver(
      [&](Driver& driver) { (void)driver.attach_producer(kStream, static_cast<std::uint64_t>(::getpid()), kSmall); });
  now_ += 10s;
  EXPECT_TRUE(collect_abandoned(base_, policies_, now_, Collect::kRemove, "other")->empty());
  EXPECT_EQ(epochs(7), (Epochs{1}));
  EXPECT_EQ(collect_abandoned(base_, policies_, now_, Collect::kRemove, "test")->size(), 1U);
  EXPECT_EQ(epochs(7), Epochs());
}

TEST_F(AbandonedTest, AFolderThatADriverNeverUsedGoesToo) {
  std::filesystem::create_directories(namespace_path());
  for (const std::string& path : {base_ + "/" + user_folder_name(), namespace_path()}) ::chmod(path.c_str(), 0700);
  collect();
  EXPECT_TRUE(std::filesystem::exists(namespace_path())) << "a driver may be about to use it";
  now_ += 10s;
  collect();
  EXPECT_FALSE(std::filesystem::exists(namespace_path()));
}

}  // namespace
}  // namespace hyperscale::stream
