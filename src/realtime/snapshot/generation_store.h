// GenerationStore: publication and reclamation of generations: the ring, its records, the epoch counter and the
// readers' pins.
//
// Thread rule: stage(), abandon(), publish(), reclaim(), live() and pending() belong to the engine thread. Readers use
// PinnedGeneration (pinned_generation.h). Records live as long as the store; nothing is freed while a reader uses it.
// Invariants: a record is free, staged, in the ring or pending. There are ring + readers + 2 records: each reader keeps
// at most one evicted generation, one is staged, one is spare; so stage() always finds a free one, without waiting or
// allocating. A pending generation becomes free only when no reader's word equals its epoch. Payload needs reset(), in
// constant time, and is plain data: the protocol separates readers from the engine.
#pragma once

#include "base/check.h"
#include "realtime/snapshot/epoch.h"
#include "realtime/snapshot/pinned_words.h"
#include "realtime/snapshot/snapshot_ring.h"
#include "realtime/snapshot/worker_record.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace hyperscale::realtime {

template <typename Payload, typename Sync = concurrent::StdSync>
class GenerationStore {
 public:
  using Worker = WorkerRecord<Sync>;

  GenerationStore(std::size_t ring_capacity, std::size_t readers)
      : ring_(ring_capacity), workers_(readers), records_(records_for(ring_capacity, readers)), pinned_(readers) {
    CHECK(records_.size() <= kRecordsMax, "{} generations do not fit a ring word", records_.size());
    for (std::size_t i = records_.size(); i > 0; --i) free_.push_back(static_cast<std::uint32_t>(i - 1));
    pending_.reserve(records_.size());
  }
  GenerationStore(const GenerationStore&) = delete;
  GenerationStore& operator=(const GenerationStore&) = delete;

  static constexpr std::size_t records_for(std::size_t ring_capacity, std::size_t readers) {
    return ring_capacity + readers + 2;
  }

  // The payload of the next generation, exclusive to the engine until publish().
  Payload& stage() {
    if (!staged_) {
      CHECK(!free_.empty(), "no free generation: {} pending", pending_.size());
      staged_ = free_.back();
      free_.pop_back();
    }
    return records_[*staged_].payload.mut();
  }
  Epoch next_epoch() const { return counter_.current() + 1; }

  void abandon() {
    if (!staged_) return;
    records_[*staged_].payload.mut().reset();
    free_.push_back(*std::exchange(staged_, std::nullopt));
  }

  // Push, advance, queue the evicted generation, reclaim: in this order, at every published tick.
  Epoch publish() {
    CHECK(staged_, "nothing is staged");
    const RingEntry entry{next_epoch(), *std::exchange(staged_, std::nullopt)};
    records_[entry.record].epoch.store(entry.epoch, Sync::kRelease);
    const std::optional<RingEntry> evicted = ring_.push(entry);
    const Epoch advanced = counter_.advance();
    CHECK(advanced == entry.epoch, "epoch {} was published as {}", advanced, entry.epoch);
    if (evicted) pending_.push_back(*evicted);
    reclaim();
    return advanced;
  }

  // Frees pending generations that no reader can use; returns their number.
  std::size_t reclaim() {
    if (pending_.empty()) return 0;
    pinned_.clear();
    for (const Worker& worker : workers_) pinned_.add(worker.pinned_epoch_sequential());
    return std::erase_if(pending_, [this](const RingEntry& entry) {
      if (pinned_.contain(entry.epoch)) return false;
      records_[entry.record].epoch.store(kNothingPublished, Sync::kRelease);
      records_[entry.record].payload.mut().reset();
      free_.push_back(entry.record);
      return true;
    });
  }

  // Evicted generations that a reader still holds: the S of "at most K + S are live".
  const std::vector<RingEntry>& pending() const { return pending_; }
  // Generations published and not yet reclaimed.
  std::size_t live() const { return in_ring() + pending_.size(); }
  std::size_t in_ring() const { return std::min<std::size_t>(counter_.current(), ring_.capacity()); }
  std::size_t records() const { return records_.size(); }

  Epoch current() const { return counter_.current(); }
  const SnapshotRing<Sync>& ring() const { return ring_; }
  std::vector<Worker>& workers() { return workers_; }
  const std::vector<Worker>& workers() const { return workers_; }

  // REQUIRES: the caller holds a validated pin on the entry's epoch, or is the engine.
  const Payload& payload(RingEntry entry) const { return records_[entry.record].payload.get(); }
  // The current epoch of a record; 0 while it is free or staged.
  Epoch tag(std::uint32_t record) const { return records_[record].epoch.load(Sync::kAcquire); }

  // Engine only, before the first publication: initialises every payload.
  template <typename Prepare>
  void prepare(Prepare prepare_one) {
    for (Record& record : records_) prepare_one(record.payload.mut());
  }

 private:
  struct Record {
    typename Sync::template atomic<Epoch> epoch{kNothingPublished};
    typename Sync::template var<Payload> payload;
  };

  SnapshotRing<Sync> ring_;
  EpochCounter<Sync> counter_;
  std::vector<Worker> workers_;
  std::vector<Record> records_;
  PinnedWords pinned_;  // this and the members below: engine only
  std::vector<std::uint32_t> free_;
  std::optional<std::uint32_t> staged_;
  std::vector<RingEntry> pending_;
};

}  // namespace hyperscale::realtime
