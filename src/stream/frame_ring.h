// FrameWriter and FrameReader: frames through a ring in shared memory. The writer overwrites the oldest frame and never
// waits; any number of readers follow it, and a slow reader gets the count of missed frames.
//
// Thread rule: one writer; each reader is one thread's. They may be in different processes.
// Invariant: a reader gets a frame whole, as it was committed, or not at all.
//
// Frame n is in slot n % nslots of both regions. The first word of its header is n << 1 while it is written and n << 1
// | 1 once it is committed. The other words are stored with release and loaded with acquire: a reader that sees one
// word of a newer frame also sees that frame's number when it looks at the commit word again. This replaces fences.
//
// A reader validates every word. It skips to a newer frame only when that frame belongs to the slot, is not beyond
// kFramesMax, and the frame before it was committed, too. Otherwise it drops one frame and continues behind it.
#pragma once

#include "base/check.h"
#include "concurrent/atomics_policy.h"
#include "stream/slot_header.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

namespace hyperscale::stream {

// Largest frame number: a year of nine million a second.
inline constexpr std::uint64_t kFramesMax = std::uint64_t{1} << 48;

template <typename Sync = concurrent::StdSync>
struct RingMemory {
  using Word = typename Sync::template atomic<std::uint64_t>;
  Word* headers = nullptr;   // kSlotHeaderWords (or header_stride) per slot
  Word* payloads = nullptr;  // payload_words per slot
  std::uint32_t nslots = 0;  // a power of two
  std::uint32_t payload_words = 0;
  std::uint32_t header_stride = kSlotHeaderWords;

  Word* header(std::uint64_t frame) const { return headers + (frame & (nslots - 1)) * header_stride; }
  Word* payload(std::uint64_t frame) const { return payloads + (frame & (nslots - 1)) * payload_words; }
};

template <typename Sync = concurrent::StdSync>
class FrameWriter {
 public:
  using Memory = RingMemory<Sync>;
  using Word = typename Memory::Word;

  explicit FrameWriter(const Memory& memory) : memory_(memory) {}

  // The payload of the next frame, to be filled by put(). Invalidates the slot's old frame.
  Word* begin() {
    memory_.header(next_)[0].store(next_ << 1, std::memory_order_relaxed);
    return memory_.payload(next_);
  }
  static void put(Word& word, std::uint64_t value) { word.store(value, Sync::kRelease); }
  void commit(FrameHeader header) {
    header.payload_slot = static_cast<std::uint32_t>(next_ & (memory_.nslots - 1));
    const FrameHeaderWords words = to_words(header);
    Word* to = memory_.header(next_);
    for (std::size_t i = 1; i < kFrameHeaderWords; ++i) to[i].store(words[i], Sync::kRelease);
    to[0].store(next_ << 1 | 1, Sync::kRelease);
    ++next_;
  }
  std::uint64_t frames() const { return next_; }

 private:
  Memory memory_;
  std::uint64_t next_ = 0;
};

template <typename Sync = concurrent::StdSync>
class FrameReader {
 public:
  using Memory = RingMemory<Sync>;
  using Word = typename Memory::Word;
  enum class Took : std::uint8_t { kNothing, kFrame, kDropped };

  explicit FrameReader(const Memory& memory) : memory_(memory) {}

  // Starts at the next frame written, instead of the first one.
  void skip_to_newest() {
    for (std::uint32_t slot = 0; slot < memory_.nslots; ++slot) {
      const std::uint64_t commit = memory_.header(slot)[0].load(Sync::kAcquire);
      const std::uint64_t frame = commit >> 1;
      if (commit % 2 == 1 && frame >= next_ && can_be_in(slot, frame)) next_ = frame + 1;
    }
  }

  // kFrame: fills `header` and the first header.values_bytes of `values`. kDropped: the frame was lost, retry.
  // kNothing: no frame yet. REQUIRES: values.size() >= payload_words.
  Took take(FrameHeader& header, std::span<std::uint64_t> values) {
    CHECK(values.size() >= memory_.payload_words, "{} words for a frame of {}", values.size(), memory_.payload_words);
    const Word* from = memory_.header(next_);
    const std::uint64_t commit = from[0].load(Sync::kAcquire);
    if (commit >> 1 > next_) return skip(commit >> 1);
    if (commit != (next_ << 1 | 1)) return Took::kNothing;
    FrameHeaderWords words{};
    for (std::size_t i = 1; i < kFrameHeaderWords; ++i) words[i] = from[i].load(Sync::kAcquire);
    header = from_words(words);
    // Not trusted yet: the writer may be writing it, or broken.
    const std::uint64_t wanted = std::min<std::uint64_t>(header.values_bytes / kWordBytes, memory_.payload_words);
    const Word* payload = memory_.payload(next_);
    for (std::uint64_t i = 0; i < wanted; ++i) values[i] = payload[i].load(Sync::kAcquire);
    const bool same = from[0].load(std::memory_order_relaxed) == commit;
    const bool sound =
        wanted * kWordBytes == header.values_bytes && header.payload_slot == (next_ & (memory_.nslots - 1));
    ++next_;
    if (same && sound) return Took::kFrame;
    ++drops_late_;
    return Took::kDropped;
  }

  // Frames that were overwritten before they were read.
  std::uint64_t drops_gap() const { return drops_gap_; }
  // Frames that were overwritten while they were read, or whose words are invalid.
  std::uint64_t drops_late() const { return drops_late_; }

 private:
  bool can_be_in(std::uint64_t slot, std::uint64_t frame) const {
    const std::uint64_t mask = memory_.nslots - 1;
    if (frame > kFramesMax || (frame & mask) != (slot & mask)) return false;
    if (frame == 0) return true;
    // Frames are committed one after the other.
    const std::uint64_t before = memory_.header(frame - 1)[0].load(Sync::kAcquire) >> 1;
    return before >= frame - 1 && before <= kFramesMax && (before & mask) == ((frame - 1) & mask);
  }

  // The slot has a newer frame already. Half a ring behind it there is time to read.
  Took skip(std::uint64_t newer) {
    if (!can_be_in(next_, newer)) {
      ++next_;
      ++drops_late_;
      return Took::kDropped;
    }
    // Of the same slot, so it is a whole ring or more ahead.
    const std::uint64_t to = std::max(next_ + 1, newer - memory_.nslots / 2);
    drops_gap_ += to - next_;
    next_ = to;
    return Took::kDropped;
  }

  Memory memory_;
  std::uint64_t next_ = 0;
  std::uint64_t drops_gap_ = 0;
  std::uint64_t drops_late_ = 0;
};

}  // namespace hyperscale::stream
