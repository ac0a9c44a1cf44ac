#include "stream/subscription.h"

#include "driver_harness.h"
#include "stream/sample_publisher.h"
#include "stream/stream_messages.h"

#include <fstream>
#include <map>
#include <utility>

#include <fcntl.h>
#include <rapidcheck/gtest.h>
#include <sys/stat.h>

namespace hyperscale::stream {
namespace {

class SubscriptionTest : public DriverTest {
 protected:
  SubscriptionTest() {
    start();
    attach();
  }
  void attach() {
    grant_ = std::move(*driver_->attach_producer(kStream, producer_.pid(), kSmall));
    publisher_ = std::make_unique<SamplePublisher>(
        ring_memory(grant_.regions->header, grant_.regions->pool, kSmall.nslots, kSmall.stride_bytes));
  }
  void publish(std::int64_t number) {
    Sample sample;
    sample.duration = Duration(number);
    publisher_->publish(sample);
    publisher_->flush();
  }
  Result<Subscription> open(const std::string& folder, Epoch epoch = Epoch(1)) {
    return Subscription::open(base_, folder, kStream, epoch, SampleFollower::From::kOldest);
  }
  std::string folder() const { return stream_path(7) + "/1"; }
  // Everything of this user: path, inode, size.
  std::map<std::string, std::pair<ino_t, off_t>> files() const {
    std::map<std::string, std::pair<ino_t, off_t>> out;
    const std::string user = base_ + "/" + user_folder_name();
    const auto add = [&](const std::string& path) {
      struct stat info{};
      EXPECT_EQ(::lstat(path.c_str(), &info), 0) << path;
      out[path] = {info.st_ino, info.st_size};
    };
    add(user);
    for (const auto& entry : std::filesystem::recursive_directory_iterator(user)) add(entry.path().string());
    return out;
  }
  static std::vector<std::int64_t> durations(Subscription& subscription) {
    std::vector<std::int64_t> out;
    while (subscription.samples().poll([&](const Sample& sample) { out.push_back(sample.duration.count()); })) continue;
    return out;
  }

  TestProcess producer_;
  ProducerGrant grant_;
  std::unique_ptr<SamplePublisher> publisher_;
};

TEST_F(SubscriptionTest, SeesWhatIsPublished) {
  publish(5);
  auto subscription = open(folder());
  ASSERT_TRUE(subscription) << subscription.error().context;
  EXPECT_EQ(durations(*subscription), (std::vector<std::int64_t>{5}));
  publish(6);
  EXPECT_EQ(durations(*subscription), (std::vector<std::int64_t>{6}));
}

TEST_F(SubscriptionTest, APathThatLeadsElsewhereIsRefused) {
  const std::string user = base_ + "/" + user_folder_name();
  for (const std::string& path :
       {std::string("test/7/1"), std::string("/dev/shm"), user + "/../" + user_folder_name() + "/test/7/1",
        user + "//test/7/1", user + "x/test/7/1", base_ + "/test/7/1"}) {
    const auto opened = open(path);
    ASSERT_FALSE(opened) << path;
    EXPECT_EQ(opened.error().code, ErrorCode::kUnauthorized) << path;
  }
  std::filesystem::create_directory_symlink(stream_path(7), namespace_path() + "/8");
  EXPECT_EQ(open(namespace_path() + "/8/1").error().code, ErrorCode::kUnauthorized) << "a link";
}

TEST_F(SubscriptionTest, RefusesFilesThatWereNotAnnounced) {
  EXPECT_EQ(open(folder(), Epoch(2)).error().code, ErrorCode::kProtocol) << "another epoch";
  EXPECT_EQ(Subscription::open(base_, folder(), StreamNumber(8), Epoch(1), SampleFollower::From::kOldest).error().code,
            ErrorCode::kProtocol)
      << "another stream";
  EXPECT_EQ(open(stream_path(7) + "/9").error().code, ErrorCode::kNotFound);
  std::filesystem::copy(folder(), stream_path(7) + "/9");
  ::chmod((stream_path(7) + "/9").c_str(), 0700);
  EXPECT_EQ(open(stream_path(7) + "/9").error().code, ErrorCode::kProtocol) << "in the folder of another epoch";
  std::filesystem::resize_file(folder() + "/1.pool", 100);
  EXPECT_EQ(open(folder()).error().code, ErrorCode::kProtocol) << "shorter than it says";
  std::filesystem::remove(folder() + "/1.pool");
  std::filesystem::create_symlink(folder() + "/header.ring", folder() + "/1.pool");
  EXPECT_FALSE(open(folder()));
}

// proves part: SHM-AUTH-1 (clients delete nothing)
TEST_F(SubscriptionTest, ClientsLeaveTheFilesOfAnEpochAsTheyAre) {
  const auto before = files();
  ASSERT_TRUE(before.contains(folder() + "/header.ring"));
  {
    const auto copy = [](const MappedRegion& region) { return OwnedFd(::dup(region.descriptor())); };
    const EpochRegions& regions = *grant_.regions;
    const auto producer = map_regions({copy(regions.header), copy(regions.pool), copy(regions.counters)}, kSmall);
    ASSERT_TRUE(producer);
    auto consumer = open(folder());
    ASSERT_TRUE(consumer);
    publish(1);
    EXPECT_EQ(durations(*consumer).size(), 1U);
    EXPECT_FALSE(open(folder(), Epoch(2)));
    EXPECT_EQ(files(), before) << "while they are mapped";
  }
  EXPECT_EQ(files(), before) << "afterwards";
}

// proves part: SHM-AUTH-1 (what a consumer has left is removed by the driver)
// proves part: SHM-GOAL-3 (a living driver removes; when it is dead others do)
TEST_F(SubscriptionTest, OnlyDriverRemovesWhatConsumerLeft) {
  const auto own = static_cast<std::uint64_t>(::getpid());
  const auto consumer = driver_->attach_consumer(kStream, own);
  auto subscription = open(consumer->folder);
  ASSERT_TRUE(subscription);
  for (int i = 0; i < 2; ++i) {
    ASSERT_TRUE(driver_->detach(grant_.lease, producer_.pid()));
    attach();
  }
  const auto told = driver_->keep_alive(consumer->lease, own, Epoch(1));
  ASSERT_TRUE(told);
  EXPECT_EQ(told->epoch, Epoch(3)) << "a new epoch is to be mapped";
  const auto before = files();
  subscription = open(told->folder, told->epoch);
  ASSERT_TRUE(subscription) << subscription.error().context;
  EXPECT_EQ(files(), before);
  EXPECT_EQ(epochs(7), (std::vector<std::uint64_t>{1, 2, 3}));
  pass(7s, [&] {
    ASSERT_TRUE(driver_->keep_alive(consumer->lease, own, Epoch(3)));
    ASSERT_TRUE(driver_->keep_alive(grant_.lease, producer_.pid(), Epoch(3)));
  });
  EXPECT_EQ(epochs(7), (std::vector<std::uint64_t>{2, 3}));
}

TEST_F(SubscriptionTest, AProgramThatIsStartedInheritsNoneOfItsFiles) {
  const auto subscription = open(folder());
  ASSERT_TRUE(subscription);
  std::size_t seen = 0;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
    std::error_code gone;
    if (!std::filesystem::read_symlink(entry, gone).string().starts_with(base_)) continue;
    ++seen;
    EXPECT_EQ(::fcntl(std::stoi(entry.path().filename()), F_GETFD) & FD_CLOEXEC, FD_CLOEXEC) << entry;
  }
  EXPECT_GE(seen, 5U) << "the driver's and those of the subscription";
}

TEST_F(SubscriptionTest, EpochChangeMapsNextAndDropsUnread) {
  const auto own = static_cast<std::uint64_t>(::getpid());
  const auto consumer = driver_->attach_consumer(kStream, own);
  auto subscription = open(consumer->folder);
  publish(1);
  ASSERT_TRUE(driver_->detach(grant_.lease, producer_.pid()));
  attach();
  publish(2);
  const auto told = driver_->keep_alive(consumer->lease, own, subscription->epoch());
  ASSERT_TRUE(told);
  ASSERT_NE(told->epoch, subscription->epoch());
  subscription = open(told->folder, told->epoch);
  ASSERT_TRUE(subscription) << subscription.error().context;
  EXPECT_EQ(durations(*subscription), (std::vector<std::int64_t>{2}));
}

TEST_F(SubscriptionTest, RemovedEpochStaysReadableWhileMapped) {
  publish(3);
  auto subscription = open(folder());
  std::filesystem::remove_all(folder());
  EXPECT_EQ(durations(*subscription), (std::vector<std::int64_t>{3}));
}

TEST(StreamMessages, ComeBackAsTheyWent) {
  const auto request = decode_request(encode(StreamRequest{.stream = 7, .lease = UINT64_MAX, .mapped = 3}));
  ASSERT_TRUE(request);
  EXPECT_EQ(request->lease, UINT64_MAX);
  const auto grant = decode_grant(
      encode(GrantMessage{.lease = 1, .epoch = 2, .has_regions = true, .lease_left = 3s, .folder = "/dev/shm/x"}));
  ASSERT_TRUE(grant);
  EXPECT_EQ(grant->folder, "/dev/shm/x");
  EXPECT_EQ(grant->lease_left, 3s);
  Announcement announcement;
  announcement.streams = {{.stream = 1, .epoch = 2, .has_regions = true}};
  announcement.leases = {{.lease = 5, .stream = 1, .is_producer = true, .client = 99, .mapped = 2, .left = 1s}};
  announcement.epoch_gc_skipped = {1, 2, 3, 4, 5};
  const auto announced = decode_announcement(encode(announcement));
  ASSERT_TRUE(announced);
  EXPECT_EQ(announced->leases.at(0).client, 99U);
  EXPECT_EQ(announced->epoch_gc_skipped, announcement.epoch_gc_skipped);
}

RC_GTEST_PROP(StreamMessages, AnyBytesAreDecodedOrRefused, (const std::vector<std::uint8_t>& bytes)) {
  (void)decode_request(bytes);
  (void)decode_grant(bytes);
  (void)decode_announcement(bytes);
}

}  // namespace
}  // namespace hyperscale::stream
