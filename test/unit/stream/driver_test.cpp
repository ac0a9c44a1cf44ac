// The driver over real files and processes, with a clock of the test's own.
#include "stream/driver.h"

#include "driver_harness.h"
#include "stream/stream_messages.h"

#include <fstream>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>

namespace hyperscale::stream {
namespace {

using Epochs = std::vector<std::uint64_t>;

// While it lives this process can open so many files more.
class FewDescriptors {
 public:
  explicit FewDescriptors(std::size_t left) {
    ::getrlimit(RLIMIT_NOFILE, &before_);
    const rlimit few{.rlim_cur = 64, .rlim_max = before_.rlim_max};
    ::setrlimit(RLIMIT_NOFILE, &few);
    for (int fd = ::open("/dev/null", O_RDONLY); fd >= 0; fd = ::open("/dev/null", O_RDONLY)) taken_.emplace_back(fd);
    while (left-- > 0) taken_.pop_back();
  }
  ~FewDescriptors() { ::setrlimit(RLIMIT_NOFILE, &before_); }
  FewDescriptors(const FewDescriptors&) = delete;
  FewDescriptors& operator=(const FewDescriptors&) = delete;

 private:
  rlimit before_{};
  std::vector<OwnedFd> taken_;
};

// proves: SHM-DIR-1
TEST_F(DriverTest, EpochsLieWhereTheFormatSays) {
  TestProcess producer;
  const auto grant = start().attach_producer(kStream, producer.pid(), kSmall);
  ASSERT_TRUE(grant) << grant.error().context;
  EXPECT_EQ(grant->epoch, Epoch(1));
  EXPECT_TRUE(std::filesystem::exists(fmt::format("{}/tensorpool-", base_) +
                                      user_folder_name().substr(std::string("tensorpool-").size()) +
                                      "/test/7/1/header.ring"));
  struct stat info{};
  for (const std::string& path : {base_ + "/" + user_folder_name(), namespace_path(), stream_path(7)}) {
    ASSERT_EQ(::stat(path.c_str(), &info), 0) << path;
    EXPECT_EQ(info.st_mode & 0777, 0700U) << path;
  }
}

// proves part: SHM-DRV-2 (in every region, 0 after a detach; not that the pid is the one of the peer credentials)
TEST_F(DriverTest, SuperblockNamesProducerUntilItDetaches) {
  TestProcess producer;
  Driver& driver = start();
  const auto grant = driver.attach_producer(kStream, producer.pid(), kSmall);
  ASSERT_TRUE(grant);
  EXPECT_EQ(read_superblock(grant->regions->header.data())->pid, producer.pid());
  ASSERT_TRUE(driver.detach(grant->lease, producer.pid()));
  for (const MappedRegion* region : {&grant->regions->header, &grant->regions->pool, &grant->regions->counters})
    EXPECT_EQ(read_superblock(region->data())->pid, 0U);
}

TEST_F(DriverTest, LeaseIsHandedOverToTheChild) {
  Driver& driver = start();
  const auto own = static_cast<std::uint64_t>(::getpid());
  const auto grant = driver.attach_producer(kStream, own, kSmall);
  ASSERT_TRUE(grant);
  TestProcess child;
  driver.hand_over(grant->lease, own, child.pid());
  EXPECT_EQ(read_superblock(grant->regions->header.data())->pid, child.pid());
  EXPECT_FALSE(driver.keep_alive(grant->lease, own, grant->epoch));
  EXPECT_TRUE(driver.keep_alive(grant->lease, child.pid(), grant->epoch));
  driver.client_gone(child.pid());
  EXPECT_FALSE(driver.keep_alive(grant->lease, child.pid(), grant->epoch));
  EXPECT_EQ(read_superblock(grant->regions->header.data())->pid, 0U);
}

// proves part: SHM-AUTH-1 (one driver at a time; when it is dead others may collect)
// proves part: SHM-AUTH-2 (one driver at a time)
TEST_F(DriverTest, ANamespaceHasOneDriver) {
  start();
  const auto second = Driver::start(setup());
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, ErrorCode::kConflict);
  driver_.reset();
  EXPECT_TRUE(Driver::start(setup()));
}

// F-1 on a real disk
// proves: SHM-POL-2, SHM-DIR-1
// proves part: SHM-GOAL-1 (on a real disk; not that a run gives its driver the time to collect)
TEST_F(DriverTest, RemountingManyTimesLeavesTheLastTwo) {
  TestProcess producer;
  Driver& driver = start();
  for (int i = 0; i < 50; ++i) {
    const auto grant = driver.attach_producer(kStream, producer.pid(), kSmall);
    ASSERT_TRUE(grant) << grant.error().context;
    EXPECT_LE(epochs(7).size(), 6U);
    now_ += 1s;
    ASSERT_TRUE(driver.detach(grant->lease, producer.pid()));
  }
  pass(7s);
  EXPECT_EQ(epochs(7), (Epochs{50}));
  EXPECT_EQ(driver.counters().epoch_gc_removed, 49U);
  EXPECT_EQ(driver.counters().epochs_on_disk, 1U);
  EXPECT_GT(driver.counters().epoch_gc_runs, 50U);
}

// proves: SHM-SAFE-1
// proves part: SHM-GOAL-2 (over real files; not that a tail reports what it maps)
// proves part: SHM-AUTH-2 (its collection knows the leases)
// proves part: SHM-DRV-6 (when a consumer detaches)
TEST_F(DriverTest, AConsumersEpochStaysForAsLongAsItsLease) {
  TestProcess producer;
  Driver& driver = start();
  auto grant = driver.attach_producer(kStream, producer.pid(), kSmall);
  const auto own = static_cast<std::uint64_t>(::getpid());
  const auto consumer = driver.attach_consumer(kStream, own);
  ASSERT_TRUE(consumer) << consumer.error().context;
  EXPECT_EQ(consumer->folder, stream_path(7) + "/1");
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(driver.detach(grant->lease, producer.pid()));
    grant = driver.attach_producer(kStream, producer.pid(), kSmall);
  }
  pass(10s, [&] {
    ASSERT_TRUE(driver.keep_alive(consumer->lease, own, Epoch(1)));
    ASSERT_TRUE(driver.keep_alive(grant->lease, producer.pid(), Epoch(4)));
  });
  EXPECT_EQ(epochs(7), (Epochs{1, 2, 3, 4}));
  const auto told = driver.keep_alive(consumer->lease, own, Epoch(1));
  ASSERT_TRUE(told);
  EXPECT_EQ(told->epoch, Epoch(4));
  ASSERT_TRUE(driver.detach(consumer->lease, own));
  EXPECT_EQ(epochs(7), (Epochs{3, 4})) << "its end is a trigger";
}

// proves: SHM-DIR-2
TEST_F(DriverTest, FolderOfEndedEpochIsRemovedLater) {
  TestProcess producer;
  Driver& driver = start();
  const auto first = driver.attach_producer(kStream, producer.pid(), kSmall);
  ASSERT_TRUE(driver.detach(first->lease, producer.pid()));
  ASSERT_EQ(driver.streams().size(), 1U);
  EXPECT_EQ(driver.streams()[0].current, Epoch(2)) << "at once";
  EXPECT_EQ(epochs(7), (Epochs{1})) << "and its folder is still there";
  for (int i = 0; i < 2; ++i) {
    const auto next = driver.attach_producer(kStream, producer.pid(), kSmall);
    ASSERT_TRUE(driver.detach(next->lease, producer.pid()));
  }
  EXPECT_EQ(driver.streams()[0].current, Epoch(4));
  EXPECT_EQ(epochs(7), (Epochs{1, 2, 3}));
  pass(7s);
  EXPECT_EQ(epochs(7), (Epochs{3})) << "the previous one is kept";
}

// A consumer may be late by three announcements. No lease, no owner, two newer epochs: only its age protects it.
// proves part: SHM-SAFE-4 (in a driver; who collects after a killed runner does not wait)
// proves part: SHM-SAFE-2 (in a driver, by default three periods)
TEST_F(DriverTest, EpochStaysForLateConsumersForTheWindow) {
  TestProcess producer;
  Driver& driver = start();
  for (int i = 0; i < 3; ++i) {
    const auto grant = driver.attach_producer(kStream, producer.pid(), kSmall);
    ASSERT_TRUE(driver.detach(grant->lease, producer.pid()));
  }
  pass(3s);
  EXPECT_EQ(epochs(7), (Epochs{1, 2, 3})) << "not longer ago than three periods";
  pass(3s);
  EXPECT_EQ(epochs(7), (Epochs{3})) << "seen at the next periodic run";
}

// proves part: SHM-SAFE-4 (in a driver; who collects after a killed runner does not wait)
TEST_F(DriverTest, AnEpochThatLivedLongStaysForTheWindow) {
  TestProcess producer;
  Driver& driver = start();
  const auto first = driver.attach_producer(kStream, producer.pid(), kSmall);
  pass(10s, [&] { ASSERT_TRUE(driver.keep_alive(first->lease, producer.pid(), Epoch(1))); });
  ASSERT_TRUE(driver.detach(first->lease, producer.pid()));
  for (int i = 0; i < 2; ++i) {
    const auto grant = driver.attach_producer(kStream, producer.pid(), kSmall);
    ASSERT_TRUE(driver.detach(grant->lease, producer.pid()));
  }
  pass(1s);
  EXPECT_EQ(epochs(7), (Epochs{1, 2, 3})) << "its age counts from its last activity";
}

// F-8
TEST_F(DriverTest, AnActivityInTheFutureProtects) {
  TestProcess producer;
  Driver& driver = start();
  std::vector<ProducerGrant> grants;
  for (int i = 0; i < 4; ++i) {
    grants.push_back(std::move(*driver.attach_producer(kStream, producer.pid(), kSmall)));
    ASSERT_TRUE(driver.detach(grants.back().lease, producer.pid()));
  }
  set_activity(grants[0].regions->header.data(), UINT64_MAX);
  pass(10s);
  EXPECT_EQ(epochs(7), (Epochs{1, 4}));
}

// F-11 through the driver
TEST_F(DriverTest, AnEpochThatWasNeverFinishedGoesAfterTheWindow) {
  std::filesystem::create_directories(stream_path(7));
  for (const std::string& path : {base_ + "/" + user_folder_name(), namespace_path(), stream_path(7)})
    ::chmod(path.c_str(), 0700);
  for (const char* epoch : {"1", "2", "3"}) {
    std::filesystem::create_directory(stream_path(7) + "/" + epoch);
    ::chmod((stream_path(7) + "/" + epoch).c_str(), 0700);
  }
  start();
  pass(2s);
  EXPECT_EQ(epochs(7), (Epochs{1, 2, 3}));
  pass(70s);
  EXPECT_EQ(epochs(7), (Epochs{2, 3}));
}

TEST_F(DriverTest, AttachWithoutDescriptorLeavesNoFolder) {
  Driver& driver = start();
  const auto own = static_cast<std::uint64_t>(::getpid());
  std::size_t failed = 0;
  for (std::size_t left = 1; left < 12; ++left) {
    const auto grant = [&] {
      const FewDescriptors few(left);
      return driver.attach_producer(kStream, own, kSmall);
    }();
    failed += grant ? 0 : 1;
    if (grant)
      ASSERT_TRUE(driver.detach(grant->lease, own));
    else
      EXPECT_EQ(epochs(7), (Epochs{})) << left;
    const auto next = driver.attach_producer(StreamNumber(static_cast<std::uint32_t>(100 + left)), own, kSmall);
    ASSERT_TRUE(next) << next.error().context;
  }
  EXPECT_GE(failed, 3U);
  const auto grant = driver.attach_producer(kStream, own, kSmall);
  ASSERT_TRUE(grant) << grant.error().context;
}

TEST_F(DriverTest, ANumberWhoseNameIsTakenIsLeftOut) {
  Driver& driver = start();
  std::filesystem::create_directory(stream_path(7));
  ::chmod(stream_path(7).c_str(), 0700);
  for (const char* name : {"1", "2"}) std::ofstream(stream_path(7) + "/" + name) << "no epoch";
  const auto own = static_cast<std::uint64_t>(::getpid());
  const auto grant = driver.attach_producer(kStream, own, kSmall);
  ASSERT_TRUE(grant) << grant.error().context;
  EXPECT_EQ(grant->epoch, Epoch(3));
  EXPECT_EQ(driver.attach_consumer(kStream, 1234)->folder, stream_path(7) + "/3");
  for (int name = 4; name < 100; ++name) std::ofstream(fmt::format("{}/{}", stream_path(7), name)) << "no epoch";
  ASSERT_TRUE(driver.detach(grant->lease, own));
  EXPECT_FALSE(driver.attach_producer(kStream, own, kSmall)) << "not for ever";
}

TEST_F(DriverTest, AbsurdFolderNumberDoesNotRestartEpochs) {
  std::filesystem::create_directories(stream_path(7));
  for (const std::string& path : {base_ + "/" + user_folder_name(), namespace_path(), stream_path(7)})
    ::chmod(path.c_str(), 0700);
  const auto make = [&](const std::string& name) {
    std::filesystem::create_directory(stream_path(7) + "/" + name);
    ::chmod((stream_path(7) + "/" + name).c_str(), 0700);
  };
  make("5");
  make("18446744073709551615");
  const auto own = static_cast<std::uint64_t>(::getpid());
  const auto grant = start().attach_producer(kStream, own, kSmall);
  ASSERT_TRUE(grant) << grant.error().context;
  EXPECT_EQ(grant->epoch, Epoch(6));
  make(fmt::format("{}", kEpochMax));
  const auto none_left = start().attach_producer(kStream, own, kSmall);
  ASSERT_FALSE(none_left);
  EXPECT_EQ(none_left.error().context, "no epoch of stream 7 can come after 4611686018427387904");
}

TEST_F(DriverTest, WhenItEndsItLeavesWhatItsPoliciesSay) {
  TestProcess producer;
  ASSERT_TRUE(start().attach_producer(kStream, producer.pid(), kSmall));
  driver_.reset();
  EXPECT_EQ(epochs(7), (Epochs{1}));
  policies_.cleanup_shm_on_exit = true;
  ASSERT_TRUE(start().attach_producer(kStream, producer.pid(), kSmall));
  EXPECT_EQ(epochs(7), (Epochs{1, 2}));
  driver_.reset();
  EXPECT_FALSE(std::filesystem::exists(namespace_path()));
}

// proves part: SHM-DRV-10 (a link in the place of the user's folder)
TEST_F(DriverTest, AFolderThatIsNotOursAloneIsRefused) {
  std::filesystem::create_directory(base_ + "/" + user_folder_name());
  ::chmod((base_ + "/" + user_folder_name()).c_str(), 0777);
  const auto open_to_all = Driver::start(setup());
  ASSERT_FALSE(open_to_all);
  EXPECT_EQ(open_to_all.error().code, ErrorCode::kUnauthorized);
  EXPECT_NE(open_to_all.error().context.find("set HYPERSCALE_SHM_BASE_DIR to another folder"), std::string::npos);
  std::filesystem::remove(base_ + "/" + user_folder_name());
  std::filesystem::create_directory_symlink("/tmp", base_ + "/" + user_folder_name());
  EXPECT_EQ(Driver::start(setup()).error().code, ErrorCode::kUnauthorized) << "a link is not followed";
}

TEST_F(DriverTest, FolderOfAnotherUserIsRefusedWithItsOwner) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can give a folder away";
  const std::string folder = base_ + "/" + user_folder_name();
  std::filesystem::create_directory(folder);
  ASSERT_EQ(::chown(folder.c_str(), 987654, 987654), 0);
  const std::string sentence = folder +
                               " belongs to 987654; if that cannot be changed, set HYPERSCALE_SHM_BASE_DIR to "
                               "another folder";
  EXPECT_EQ(Driver::start(setup()).error().context, sentence);
  std::filesystem::remove(folder);
  std::ofstream(folder) << "no folder at all";
  ASSERT_EQ(::chown(folder.c_str(), 987654, 987654), 0);
  EXPECT_EQ(Driver::start(setup()).error().context, sentence);
}

TEST_F(DriverTest, BaseWithTooLongPathIsRefusedAtStart) {
  policies_.cleanup_shm_on_exit = true;
  const std::string outer = base_;
  const auto own = static_cast<std::uint64_t>(::getpid());
  for (;;) {
    base_ += "/" + std::string(40, 'x');
    ASSERT_TRUE(std::filesystem::create_directory(base_));
    const auto driver = Driver::start(setup());
    if (!driver) {
      EXPECT_EQ(driver.error().code, ErrorCode::kInvalidArgument);
      EXPECT_NE(driver.error().context.find("set HYPERSCALE_SHM_BASE_DIR to a shorter one"), std::string::npos);
      break;
    }
    ASSERT_TRUE((*driver)->attach_producer(StreamNumber(UINT32_MAX), own, kSmall));
    const auto grant = (*driver)->attach_consumer(StreamNumber(UINT32_MAX), 1);
    ASSERT_TRUE(grant);
    ASSERT_TRUE(decode_grant(encode(GrantMessage{.folder = grant->folder}))) << "else it aborts";
  }
  EXPECT_GT(base_.size(), 800U);
  base_ = outer;
}

TEST_F(DriverTest, RefusalsSayWhy) {
  Driver& driver = start();
  EXPECT_FALSE(driver.attach_producer(kStream, 0x7fffffff, kSmall)) << "no such process";
  EXPECT_EQ(driver.attach_consumer(kStream, 1).error().context, "stream 7 has no producer");
  TestProcess producer;
  ASSERT_TRUE(driver.attach_producer(kStream, producer.pid(), kSmall));
  const auto second = driver.attach_producer(kStream, static_cast<std::uint64_t>(::getpid()), kSmall);
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, ErrorCode::kConflict);
  EXPECT_EQ(second.error().context, "stream 7 has a producer");
}

TEST_F(DriverTest, UnreadLogKeepsTheNewestLines) {
  Driver& driver = start();
  const auto own = static_cast<std::uint64_t>(::getpid());
  for (int i = 0; i < 1100; ++i) {
    const auto grant = driver.attach_producer(kStream, own, {.nslots = 1, .stride_bytes = 64});
    ASSERT_TRUE(grant) << grant.error().context;
    ASSERT_TRUE(driver.detach(grant->lease, own));
    now_ += 10s;
  }
  const auto log = driver.take_log();
  EXPECT_EQ(log.size(), 1024U);
  EXPECT_EQ(log.back(), "epoch GC removed epoch 1099 of stream 7");
  EXPECT_TRUE(driver.take_log().empty());
}

TEST_F(DriverTest, EveryEndOfALeaseIsNoticed) {
  Driver& driver = start();
  TestProcess producer;
  const auto grant = driver.attach_producer(kStream, producer.pid(), kSmall);
  pass(4s);
  const auto notices = driver.take_notices();
  ASSERT_EQ(notices.size(), 1U);
  EXPECT_EQ(notices[0].lease.id, grant->lease);
  EXPECT_EQ(notices[0].how, LeaseEnd::kExpired);
  EXPECT_TRUE(driver.take_notices().empty());
}

}  // namespace
}  // namespace hyperscale::stream
