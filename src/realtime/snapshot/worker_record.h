// WorkerRecord: announces a reader's pin to the reclaimer, and cancellations of the stall detector to the reader.
//
// Thread rule: pin(), unpin() and is_cancelled() belong to the one thread that owns the record; everything else may be
// called from any thread. Only the owner writes the pinned word: a stalled reader is overridden elsewhere. Invariants:
// every pin has a new sequence number; a cancellation carries the sequence of its pin, so that a new pin starts
// uncancelled. The start time is stored before the pin, so a thread that sees the pin sees its start.
//
// Each record occupies 128 bytes: some processors fetch or keep cache lines in pairs, and a scan must not disturb the
// neighbours of the record it reads.
#pragma once

#include "realtime/snapshot/epoch.h"

#include <cstddef>
#include <cstdint>

namespace hyperscale::realtime {

inline constexpr std::size_t kRecordBytes = 128;

struct PinView {
  Epoch epoch = kEpochUnpinned;
  std::uint64_t sequence = 0;
  std::int64_t start_ns = 0;

  bool is_pinned() const { return epoch != kEpochUnpinned; }
};

template <typename Sync = concurrent::StdSync>
class alignas(kRecordBytes) WorkerRecord {
 public:
  explicit WorkerRecord(std::uint32_t id = 0) : id_(id) {}

  // Sequentially consistent: the following check of the ring must not be reordered before it (the reclaimer uses the
  // mirrored pair).
  void pin(Epoch epoch, std::int64_t now_ns) {
    pin_start_ns_.store(now_ns, Sync::kRelease);
    sequence_.store(sequence_.load(std::memory_order_relaxed) + 1, Sync::kRelease);
    pinned_.exchange(epoch, std::memory_order_seq_cst);
  }
  void unpin(std::int64_t now_ns) {
    pinned_.store(kEpochUnpinned, Sync::kRelease);
    last_quiesce_ns_.store(now_ns, Sync::kRelease);
  }

  bool is_pinned() const { return pinned_epoch() != kEpochUnpinned; }
  Epoch pinned_epoch() const { return pinned_.load(Sync::kAcquire); }
  // For the reclaimer, after it has unlinked a generation.
  Epoch pinned_epoch_sequential() const { return pinned_.load(std::memory_order_seq_cst); }
  std::int64_t last_quiesce_ns() const { return last_quiesce_ns_.load(Sync::kAcquire); }
  std::uint64_t sequence() const { return sequence_.load(Sync::kAcquire); }
  std::uint32_t id() const { return id_; }

  // A consistent pin and start time: reads of its sequence and pinned word before and after agree (the word alone may
  // be pinned to the same epoch again). Unpinned if they never agree, which means that the reader makes progress.
  PinView view() const {
    for (int attempt = 0; attempt < kViewAttempts; ++attempt) {
      const std::uint64_t sequence = sequence_.load(Sync::kAcquire);
      const Epoch before = pinned_.load(Sync::kAcquire);
      const std::int64_t start = pin_start_ns_.load(Sync::kAcquire);
      const bool same = pinned_.load(Sync::kAcquire) == before && sequence_.load(Sync::kAcquire) == sequence;
      if (same) return PinView{before, sequence, start};
    }
    return PinView{};
  }

  void request_cancel(std::uint64_t sequence) { cancelled_sequence_.store(sequence, Sync::kRelease); }
  void clear_cancel() { cancelled_sequence_.store(kNobody, Sync::kRelease); }
  bool is_cancelled() const { return cancelled_sequence_.load(Sync::kAcquire) == sequence_.load(Sync::kAcquire); }

 private:
  static constexpr int kViewAttempts = 4;
  static constexpr std::uint64_t kNobody = ~std::uint64_t{0};

  typename Sync::template atomic<Epoch> pinned_{kEpochUnpinned};
  typename Sync::template atomic<std::uint64_t> sequence_{0};
  typename Sync::template atomic<std::int64_t> pin_start_ns_{0};
  typename Sync::template atomic<std::int64_t> last_quiesce_ns_{0};
  typename Sync::template atomic<std::uint64_t> cancelled_sequence_{kNobody};
  std::uint32_t id_;
};

static_assert(sizeof(WorkerRecord<>) == kRecordBytes && alignof(WorkerRecord<>) == kRecordBytes);

}  // namespace hyperscale::realtime
