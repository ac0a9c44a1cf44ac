// Real processes that are killed: producers while they write, consumers, drivers.
#include "driver_harness.h"
#include "stream/process_identity.h"
#include "stream/sample_follower.h"
#include "stream/sample_publisher.h"

#include <atomic>

namespace hyperscale::stream {
namespace {

using Epochs = std::vector<std::uint64_t>;

Sample sample(std::int64_t number) {
  Sample out;
  out.ended = MonoTime::from_ns(number);
  out.duration = Duration(number * 3);
  out.service = Duration(number * 5);
  out.first_byte = Duration(number * 7);
  return out;
}

// A producer that publishes until it is killed, and counts in the counters region what it has committed.
void publish_for_ever(const EpochRegions& regions, const RegionLayout& layout) {
  SamplePublisher publisher(ring_memory(regions.header, regions.pool, layout.nslots, layout.stride_bytes));
  auto& committed = *reinterpret_cast<std::uint64_t*>(regions.counters.at(kSuperblockBytes));
  for (std::int64_t i = 0;; ++i) {
    publisher.publish(sample(i));
    std::atomic_ref<std::uint64_t>(committed).store(publisher.samples(), std::memory_order_release);
  }
}

TEST_F(DriverTest, ProducerKilledWhileWritingTearsNoSample) {
  for (int round = 0; round < 20; ++round) {
    Driver& driver = start();
    const auto own = static_cast<std::uint64_t>(::getpid());
    const auto grant = driver.attach_producer(kStream, own, kSmall);
    ASSERT_TRUE(grant) << grant.error().context;
    TestProcess producer([&] { publish_for_ever(*grant->regions, kSmall); });
    driver.hand_over(grant->lease, own, producer.pid());
    const auto memory = ring_memory(grant->regions->header, grant->regions->pool, kSmall.nslots, kSmall.stride_bytes);
    SampleFollower follower(memory, SampleFollower::From::kOldest);
    std::uint64_t got = 0;
    const auto take = [&](const Sample& one) {
      ++got;
      ASSERT_EQ(one, sample(one.ended.ns()));
    };
    while (got < 1000 + static_cast<std::uint64_t>(round) * 37) follower.poll(take);
    producer.kill();
    while (follower.poll(take)) continue;
    const auto& committed = *reinterpret_cast<std::uint64_t*>(grant->regions->counters.at(kSuperblockBytes));
    const std::uint64_t seen = got + follower.missed().samples;
    EXPECT_GE(seen, committed) << "the count is stored after the commit";
    EXPECT_LE(seen, committed + kSmall.stride_bytes / kSampleBytes);
    driver.client_gone(producer.pid());
    EXPECT_TRUE(grant->regions->header.data() != nullptr);
  }
}

// proves part: SHM-DRV-6 (when a consumer's lease has expired)
TEST_F(DriverTest, SpaceOfAKilledConsumerComesBackWithinItsLease) {
  Driver& driver = start();
  TestProcess producer;
  TestProcess consumer;
  auto grant = driver.attach_producer(kStream, producer.pid(), kSmall);
  ASSERT_TRUE(driver.attach_consumer(kStream, consumer.pid()));
  consumer.kill();
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(driver.detach(grant->lease, producer.pid()));
    grant = driver.attach_producer(kStream, producer.pid(), kSmall);
  }
  pass(policies_.lease_time(), [&] { (void)driver.keep_alive(grant->lease, producer.pid(), grant->epoch); });
  EXPECT_EQ(epochs(7), (Epochs{1, 2, 3, 4}));
  pass(500ms, [&] { (void)driver.keep_alive(grant->lease, producer.pid(), grant->epoch); });
  EXPECT_EQ(epochs(7), (Epochs{3, 4}));
}

// F-5
// proves: SHM-TRIG-1
// proves part: SHM-TRIG-3 (on, over real files; not that the environment of a run can turn it off)
TEST_F(DriverTest, SuccessorOfKilledDriverUsesHigherEpoch) {
  policies_.epoch_gc_on_startup = true;
  TestProcess producer;
  crash_driver([&](Driver& driver) {
    for (int i = 0; i < 4; ++i) {
      const auto grant = driver.attach_producer(kStream, producer.pid(), kSmall);
      if (i < 3) (void)driver.detach(grant->lease, producer.pid());
    }
  });
  ASSERT_EQ(epochs(7), (Epochs{1, 2, 3, 4}));
  EXPECT_TRUE(start().leases().empty());
  EXPECT_EQ(epochs(7), (Epochs{1, 2, 3, 4})) << "young ones stay";
  now_ += 10s;
  Driver& driver = start();
  EXPECT_EQ(epochs(7), (Epochs{3, 4})) << "at its start";
  const auto grant = driver.attach_producer(kStream, static_cast<std::uint64_t>(::getpid()), kSmall);
  ASSERT_TRUE(grant);
  EXPECT_EQ(grant->epoch, Epoch(5));
  EXPECT_EQ(epochs(7), (Epochs{4, 5}));
  const auto again = driver.attach_producer(StreamNumber(8), static_cast<std::uint64_t>(::getpid()), kSmall);
  ASSERT_TRUE(again);
  EXPECT_EQ(again->epoch, Epoch(1)) << "another stream";
}

// F-7 with real files
// proves: SHM-SAFE-3
TEST_F(DriverTest, ReusedPidDoesNotProtectAnEpoch) {
  Driver& driver = start();
  TestProcess living;
  std::vector<ProducerGrant> grants;
  for (int i = 0; i < 4; ++i) {
    grants.push_back(std::move(*driver.attach_producer(kStream, living.pid(), kSmall)));
    ASSERT_TRUE(driver.detach(grants.back().lease, living.pid()));
  }
  const std::uint64_t started = read_superblock(grants[0].regions->header.data())->started_ns;
  EXPECT_EQ(started, 0U) << "disowned";
  TestProcess other;
  for (const MappedRegion* region : {&grants[0].regions->header, &grants[1].regions->header})
    set_owner(region->data(), other.pid(), 1);  // began at another time
  set_owner(grants[1].regions->pool.data(), living.pid(), *process_start_ns(living.pid()));
  pass(10s);
  EXPECT_EQ(epochs(7), (Epochs{2, 4}));
}

}  // namespace
}  // namespace hyperscale::stream
