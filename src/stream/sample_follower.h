// SampleFollower: reads the samples of one epoch of a stream, and counts those that it missed.
//
// Single-threaded. The memory was written by a process that may have misbehaved: every number is bounded.
#pragma once

#include "stream/frame_ring.h"
#include "stream/sample_record.h"

#include <cstdint>
#include <vector>

namespace hyperscale::stream {

struct Missed {
  std::uint64_t samples = 0;
  std::uint64_t drops_gap = 0;   // frames that were overwritten before they were read
  std::uint64_t drops_late = 0;  // frames that were overwritten while they were read
};

class SampleFollower {
 public:
  static constexpr std::uint32_t kLossesMax = 1024;
  enum class From : std::uint8_t { kOldest, kNewest };
  SampleFollower(const RingMemory<>& memory, From from) : reader_(memory), values_(memory.payload_words) {
    if (from == From::kNewest) reader_.skip_to_newest();
    joined_ = from == From::kOldest;
  }

  // Calls take(const Sample&) for each sample of the next frame; false without a new frame, or when kLossesMax were
  // lost in a row, which bounds the loop with a broken writer.
  template <typename Take>
  bool poll(const Take& take) {
    FrameHeader header;
    auto took = reader_.take(header, values_);
    for (std::uint32_t lost = 1; took == FrameReader<>::Took::kDropped && lost < kLossesMax; ++lost)
      took = reader_.take(header, values_);
    if (took != FrameReader<>::Took::kFrame) return false;
    const std::size_t samples = header.values_bytes / kSampleBytes;
    // Samples before a late join do not count as missed.
    if (joined_ && header.first_sample > expected_) missed_samples_ += header.first_sample - expected_;
    joined_ = true;
    expected_ = header.first_sample + samples;
    for (std::size_t i = 0; i < samples; ++i) take(from_record(values_.data() + i * kSampleWords));
    return true;
  }

  Missed missed() const { return {missed_samples_, reader_.drops_gap(), reader_.drops_late()}; }

 private:
  FrameReader<> reader_;
  std::vector<std::uint64_t> values_;
  std::uint64_t expected_ = 0;
  std::uint64_t missed_samples_ = 0;
  bool joined_ = false;
};

}  // namespace hyperscale::stream
