#include "concurrent/seqlock.h"

#include <array>
#include <atomic>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace hyperscale::concurrent {
namespace {

struct Sample {
  std::array<std::uint64_t, 7> copies{};
  std::uint8_t low_byte = 0;  // a size that is no multiple of a word

  static Sample of(std::uint64_t value) {
    Sample sample;
    sample.copies.fill(value);
    sample.low_byte = static_cast<std::uint8_t>(value);
    return sample;
  }
  bool whole() const {
    for (std::uint64_t copy : copies) {
      if (copy != copies[0]) return false;
    }
    return low_byte == static_cast<std::uint8_t>(copies[0]);
  }
};

TEST(Seqlock, LoadsWhatWasStored) {
  Seqlock<Sample> cell(Sample::of(3));
  EXPECT_EQ(cell.load().copies[6], 3u);
  cell.store(Sample::of(1000));
  EXPECT_EQ(cell.load().copies[0], 1000u);
  EXPECT_EQ(cell.load().low_byte, 1000u % 256);
}

TEST(Seqlock, NoReaderEverSeesATornOrOlderValue) {
  constexpr std::uint64_t kWrites = 50'000;
  Seqlock<Sample> cell(Sample::of(0));
  std::atomic<bool> torn{false}, went_back{false};
  std::vector<std::thread> readers;
  for (int r = 0; r < 3; ++r) {
    readers.emplace_back([&] {
      for (std::uint64_t previous = 0; previous < kWrites;) {
        const Sample sample = cell.load();
        if (!sample.whole()) torn = true;
        if (sample.copies[0] < previous) went_back = true;
        previous = sample.copies[0];
      }
    });
  }
  for (std::uint64_t i = 1; i <= kWrites; ++i) cell.store(Sample::of(i));
  for (std::thread& thread : readers) thread.join();
  EXPECT_FALSE(torn);
  EXPECT_FALSE(went_back);
}

}  // namespace
}  // namespace hyperscale::concurrent
