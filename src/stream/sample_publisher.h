// SamplePublisher: samples into the ring of a stream, a frame at a time. They are written in place and become visible
// together: when a frame is full, and by flush().
//
// Single-threaded, the producer's. Never blocks, allocates or reads a clock. Readers that are too slow miss samples;
// the counters beside the ring miss none.
//
// publish() is always inlined: a sample then goes from registers into the ring. Through the stack it takes a dozen more
// stores, which wait in the store queue behind those to lines that the reader's core has: a fifth of the speed.
#pragma once

#include "base/check.h"
#include "stream/frame_ring.h"
#include "stream/mapped_region.h"
#include "stream/sample_record.h"

#include <cstdint>

namespace hyperscale::stream {

// The regions of an epoch as memory of a ring. REQUIRES: their sizes match their superblocks.
inline RingMemory<> ring_memory(const MappedRegion& header, const MappedRegion& pool, std::uint32_t nslots,
                                std::uint32_t stride_bytes) {
  using Word = RingMemory<>::Word;
  static_assert(sizeof(Word) == kWordBytes && Word::is_always_lock_free);
  return {.headers = reinterpret_cast<Word*>(header.at(kSuperblockBytes)),
          .payloads = reinterpret_cast<Word*>(pool.at(kSuperblockBytes)),
          .nslots = nslots,
          .payload_words = stride_bytes / static_cast<std::uint32_t>(kWordBytes)};
}

class SamplePublisher {
 public:
  explicit SamplePublisher(const RingMemory<>& memory)
      : writer_(memory), frame_words_(memory.payload_words / kSampleWords * kSampleWords) {
    CHECK(frame_words_ > 0, "a frame of {} words holds no sample", memory.payload_words);
  }

  [[gnu::always_inline]] void publish(const Sample& sample) {
    if (used_words_ == 0) {
      payload_ = writer_.begin();
      first_ended_ = sample.ended;
    }
    const SampleRecord record = to_record(sample);
    for (std::size_t i = 0; i < kSampleWords; ++i) FrameWriter<>::put(payload_[used_words_ + i], record[i]);
    used_words_ += kSampleWords;
    if (used_words_ == frame_words_) flush();
  }
  // Makes visible what was published.
  void flush() {
    if (used_words_ == 0) return;
    writer_.commit({.values_bytes = static_cast<std::uint32_t>(used_words_ * kWordBytes),
                    .timestamp_ns = static_cast<std::uint64_t>(first_ended_.ns()),
                    .first_sample = samples_});
    samples_ += used_words_ / kSampleWords;
    used_words_ = 0;
  }
  bool has_unflushed() const { return used_words_ > 0; }
  std::uint64_t samples() const { return samples_; }  // visible ones

 private:
  FrameWriter<> writer_;
  const std::size_t frame_words_;
  FrameWriter<>::Word* payload_ = nullptr;
  std::size_t used_words_ = 0;
  MonoTime first_ended_;
  std::uint64_t samples_ = 0;
};

}  // namespace hyperscale::stream
