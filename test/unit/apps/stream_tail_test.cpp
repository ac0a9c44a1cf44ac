#include "apps/hyperscale/stream/stream_tail.h"

#include "node/executors/stream_requests.h"
#include "stream/driver.h"
#include "stream/sample_publisher.h"
#include "temporary_folder.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <sys/types.h>
#include <unistd.h>

namespace hyperscale::app {
namespace {

constexpr pid_t kConsumer = 1234;
constexpr stream::RegionLayout kLayout{.counters_reserved_bytes = 64, .counters_bytes = 64};

class StreamTailTest : public testing::Test {
 protected:
  void start(const stream::DriverPolicies& policies = {}) {
    auto driver =
        stream::Driver::start({.shm_base_dir = folder_.path(), .policies = policies, .clock = [this] { return now_; }});
    ASSERT_TRUE(driver) << driver.error().context;
    driver_ = std::move(*driver);
    attach_producer();
  }
  void attach_producer() {
    auto grant = driver_->attach_producer(stream::StreamNumber(4), own_, kLayout);
    ASSERT_TRUE(grant) << grant.error().context;
    producer_ = std::move(*grant);
    publisher_.emplace(
        stream::ring_memory(producer_.regions->header, producer_.regions->pool, kLayout.nslots, kLayout.stride_bytes));
  }
  void publish(std::int64_t number) {
    stream::Sample sample;
    sample.duration = Duration(number);
    publisher_->publish(sample);
    publisher_->flush();
  }
  std::vector<std::int64_t> read() {
    std::vector<std::int64_t> out;
    while (tail_.read([&](std::uint32_t, const stream::Sample& sample) { out.push_back(sample.duration.count()); }))
      continue;
    return out;
  }
  // The lease of the tail; none: zero.
  stream::LeaseId lease() const {
    for (const stream::Lease& lease : driver_->leases()) {
      if (lease.role == stream::Role::kConsumer) return lease.id;
    }
    return {};
  }
  std::string epoch_path(int epoch) const { return driver_->path() + "/4/" + std::to_string(epoch); }

  test::TemporaryFolder folder_;
  const std::uint64_t own_ = static_cast<std::uint64_t>(::getpid());
  MonoTime now_ = stream::boot_now();
  std::unique_ptr<stream::Driver> driver_;
  stream::ProducerGrant producer_;
  std::optional<stream::SamplePublisher> publisher_;
  std::vector<std::string> complaints_;
  StreamTail tail_{
      {.ask = [this](std::string_view method, const stream::StreamRequest& request) -> Result<std::string> {
         const auto answer = node::answer_stream_request(*driver_, method, encode(request), kConsumer);
         if (!answer) return fail(answer.error());
         return std::string(answer->begin(), answer->end());
       },
       .complain = [this](const std::string& sentence) { complaints_.push_back(sentence); },
       .base = folder_.path(),
       .only = std::nullopt}};
};

TEST_F(StreamTailTest, ReadsFromAttachOnAndAllOfNextEpoch) {
  start();
  publish(1);
  ASSERT_TRUE(tail_.look());
  EXPECT_EQ(tail_.look_every(), 1s);
  publish(2);
  EXPECT_EQ(read(), (std::vector<std::int64_t>{2}));
  ASSERT_TRUE(driver_->detach(producer_.lease, own_));
  attach_producer();
  publish(3);
  ASSERT_TRUE(tail_.look());
  EXPECT_EQ(read(), (std::vector<std::int64_t>{3}));
  tail_.leave();
  EXPECT_EQ(lease(), stream::LeaseId());
}

TEST_F(StreamTailTest, ItLooksOftenEnoughForLeasesThatAreShort) {
  start({.lease_keepalive_interval_ms = 50, .lease_expiry_grace_intervals = 2});
  ASSERT_TRUE(tail_.look());
  const stream::LeaseId first = lease();
  ASSERT_NE(first, stream::LeaseId());
  for (int i = 0; i < 50; ++i) {
    now_ += tail_.look_every();
    ASSERT_TRUE(driver_->keep_alive(producer_.lease, own_, producer_.epoch));
    driver_->tick();
    publish(i);
    ASSERT_TRUE(tail_.look());
    ASSERT_EQ(lease(), first) << "after " << i;
    ASSERT_EQ(read().size(), 1U);
  }
}

TEST_F(StreamTailTest, UnmappableEpochIsRetriedUnderSameLease) {
  start();
  const auto hide = [&](int epoch) {
    std::filesystem::rename(epoch_path(epoch) + "/1.pool", folder_.path() + "/hidden");
  };
  const auto show = [&](int epoch) {
    std::filesystem::rename(folder_.path() + "/hidden", epoch_path(epoch) + "/1.pool");
  };
  hide(1);
  ASSERT_TRUE(tail_.look());
  const stream::LeaseId first = lease();
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(tail_.look());
  EXPECT_EQ(lease(), first);
  EXPECT_EQ(complaints_, (std::vector<std::string>{"stream 4: epoch 1 has no 1.pool"}));
  show(1);
  ASSERT_TRUE(tail_.look());
  publish(5);
  EXPECT_EQ(read(), (std::vector<std::int64_t>{5}));
  ASSERT_TRUE(driver_->detach(producer_.lease, own_));
  attach_producer();
  hide(2);
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(tail_.look());
  publish(6);
  show(2);
  ASSERT_TRUE(tail_.look());
  EXPECT_EQ(read(), (std::vector<std::int64_t>{6}));
  EXPECT_EQ(lease(), first);
  EXPECT_EQ(complaints_.size(), 2U);
}

}  // namespace
}  // namespace hyperscale::app
