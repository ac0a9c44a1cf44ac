#include "stream/frame_ring.h"

#include "stream/sample_follower.h"
#include "stream/sample_publisher.h"

#include <atomic>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace hyperscale::stream {
namespace {

constexpr std::uint32_t kSlots = 4;
constexpr std::uint32_t kStride = 256;  // four samples

struct Ring {
  MappedRegion header = std::move(*MappedRegion::anonymous(kSuperblockBytes + kSlots * kSlotHeaderBytes));
  MappedRegion pool = std::move(*MappedRegion::anonymous(kSuperblockBytes + kSlots * kStride));
  RingMemory<> memory = ring_memory(header, pool, kSlots, kStride);
};

Sample sample(std::int64_t number) {
  Sample out;
  out.step = static_cast<std::uint16_t>(number % 7);
  out.status = 200;
  out.ended = MonoTime::from_ns(number);
  out.duration = Duration(number * 3);
  out.service = Duration(number * 5);
  out.bytes_sent = 10;
  out.bytes_received = 20;
  return out;
}

std::vector<Sample> all_of(SampleFollower& follower) {
  std::vector<Sample> out;
  while (follower.poll([&](const Sample& one) { out.push_back(one); })) continue;
  return out;
}

TEST(SampleRing, SamplesBecomeVisibleAFrameAtATime) {
  Ring ring;
  SamplePublisher publisher(ring.memory);
  SampleFollower follower(ring.memory, SampleFollower::From::kOldest);
  for (int i = 0; i < 3; ++i) publisher.publish(sample(i));
  EXPECT_TRUE(all_of(follower).empty());
  publisher.publish(sample(3));
  EXPECT_EQ(all_of(follower), (std::vector<Sample>{sample(0), sample(1), sample(2), sample(3)}));
  publisher.publish(sample(4));
  EXPECT_TRUE(publisher.has_unflushed());
  publisher.flush();
  EXPECT_FALSE(publisher.has_unflushed());
  EXPECT_EQ(all_of(follower), (std::vector<Sample>{sample(4)}));
  EXPECT_EQ(follower.missed().samples, 0U);
}

TEST(SampleRing, ASlowReaderIsToldHowMuchItMissed) {
  Ring ring;
  SamplePublisher publisher(ring.memory);
  SampleFollower follower(ring.memory, SampleFollower::From::kOldest);
  for (int i = 0; i < 400; ++i) publisher.publish(sample(i));
  const auto got = all_of(follower);
  EXPECT_EQ(got.size() + follower.missed().samples, 400U);
  EXPECT_EQ(got.back(), sample(399));
  EXPECT_EQ(follower.missed().drops_gap * 4, follower.missed().samples);
  EXPECT_GT(got.size(), 0U);
}

TEST(SampleRing, OneThatJoinsLateHasMissedNothing) {
  Ring ring;
  SamplePublisher publisher(ring.memory);
  for (int i = 0; i < 40; ++i) publisher.publish(sample(i));
  SampleFollower follower(ring.memory, SampleFollower::From::kNewest);
  EXPECT_TRUE(all_of(follower).empty());
  for (int i = 40; i < 44; ++i) publisher.publish(sample(i));
  EXPECT_EQ(all_of(follower).front(), sample(40));
  EXPECT_EQ(follower.missed().samples, 0U);
}

TEST(SampleRing, AFrameThatIsBeingWrittenIsNotThere) {
  Ring ring;
  FrameWriter<> writer(ring.memory);
  FrameReader<> reader(ring.memory);
  FrameHeader header;
  std::vector<std::uint64_t> values(kStride / kWordBytes);
  FrameWriter<>::put(writer.begin()[0], 5);
  EXPECT_EQ(reader.take(header, values), FrameReader<>::Took::kNothing);
  writer.commit({.values_bytes = 8});
  EXPECT_EQ(reader.take(header, values), FrameReader<>::Took::kFrame);
  EXPECT_EQ(values[0], 5U);
}

TEST(SampleRing, NonsenseInAHeaderIsADroppedFrame) {
  Ring ring;
  FrameWriter<> writer(ring.memory);
  FrameReader<> reader(ring.memory);
  FrameHeader header;
  std::vector<std::uint64_t> values(kStride / kWordBytes);
  writer.begin();
  writer.commit({.values_bytes = kStride + 8});
  EXPECT_EQ(reader.take(header, values), FrameReader<>::Took::kDropped);
  writer.begin();
  writer.commit({.values_bytes = UINT32_MAX});
  EXPECT_EQ(reader.take(header, values), FrameReader<>::Took::kDropped);
  EXPECT_EQ(reader.drops_late(), 2U);
}

// One word of a ring, as a broken writer may leave it.
void spoil(const Ring& ring, std::uint32_t slot, std::uint64_t word) {
  ring.memory.header(slot)[0].store(word);
}

constexpr std::uint64_t kBadWords[] = {
    1 << 1,                 // of another slot
    (1 << 1) + 1,           //
    (4 << 1) + 1,           // of this slot, without the frame before it
    (4000 << 1) + 1,        //
    (kFramesMax << 1) + 1,  //
    (kFramesMax + 4) << 1,  // no frame
    UINT64_MAX,             //
};

TEST(SampleRing, OneBadWordCostsAReaderOneFrame) {
  for (const std::uint64_t word : kBadWords) {
    Ring ring;
    SampleFollower follower(ring.memory, SampleFollower::From::kOldest);
    spoil(ring, 0, word);
    EXPECT_TRUE(all_of(follower).empty());
    EXPECT_EQ(follower.missed().drops_gap, 0U) << word;
    EXPECT_EQ(follower.missed().drops_late, 1U) << word;
    SamplePublisher publisher(ring.memory);
    std::size_t got = 0;
    for (int i = 0; i < 400; ++i) {
      publisher.publish(sample(i));
      got += all_of(follower).size();
    }
    EXPECT_EQ(got, 396U) << word;
  }
}

TEST(SampleRing, OneBadWordDoesNotHideTheNewestFrame) {
  for (const std::uint64_t word : kBadWords) {
    Ring ring;
    SamplePublisher publisher(ring.memory);
    for (int i = 0; i < 12; ++i) publisher.publish(sample(i));
    spoil(ring, 3, word + (3 << 1));
    SampleFollower follower(ring.memory, SampleFollower::From::kNewest);
    for (int i = 12; i < 32; ++i) publisher.publish(sample(i));
    EXPECT_EQ(all_of(follower).back(), sample(31)) << word;
  }
}

TEST(SampleRing, GarbageRingIsScannedForBoundedTime) {
  Ring ring;
  SampleFollower follower(ring.memory, SampleFollower::From::kNewest);
  for (std::uint32_t slot = 0; slot < kSlots; ++slot) spoil(ring, slot, UINT64_MAX);
  EXPECT_FALSE(follower.poll([](const Sample&) {}));
  EXPECT_EQ(follower.missed().drops_late, SampleFollower::kLossesMax);
}

TEST(SampleRing, ConcurrentReaderSeesNoTornSample) {
  Ring ring;
  constexpr std::int64_t kSamples = 200'000;
  std::atomic<bool> done{false};
  std::thread writer([&] {
    SamplePublisher publisher(ring.memory);
    for (std::int64_t i = 0; i < kSamples; ++i) publisher.publish(sample(i));
    publisher.flush();
    done.store(true, std::memory_order_release);
  });
  SampleFollower follower(ring.memory, SampleFollower::From::kOldest);
  std::int64_t got = 0;
  std::int64_t last = -1;
  const auto take = [&](const Sample& one) {
    ++got;
    ASSERT_EQ(one, sample(one.ended.ns()));
    ASSERT_GT(one.ended.ns(), last);
    last = one.ended.ns();
  };
  for (bool over = false; !over;) {
    over = done.load(std::memory_order_acquire);
    while (follower.poll(take)) continue;
  }
  writer.join();
  EXPECT_EQ(last, kSamples - 1);
  EXPECT_EQ(static_cast<std::uint64_t>(got) + follower.missed().samples, static_cast<std::uint64_t>(kSamples));
}

RC_GTEST_PROP(SampleRing, RecordsComeBackAsTheyWent, (std::uint16_t step, std::uint16_t status, std::int64_t time)) {
  Sample one = sample(7);
  one.step = step;
  one.status = status;
  one.ended = MonoTime::from_ns(time);
  one.connect = Duration(time / 2);
  one.outcome = static_cast<std::uint8_t>(step);
  RC_ASSERT(from_record(to_record(one).data()) == one);
}

TEST(SampleRecord, BytesBeyondFourGibibytesAreTheMost) {
  Sample one = sample(1);
  one.bytes_received = std::uint64_t{1} << 40;
  EXPECT_EQ(from_record(to_record(one).data()).bytes_received, UINT32_MAX);
  EXPECT_EQ(from_record(to_record(one).data()).bytes_sent, one.bytes_sent);
}

}  // namespace
}  // namespace hyperscale::stream
