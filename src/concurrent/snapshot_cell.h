// SnapshotCell: read-mostly state as an immutable snapshot behind a pointer that is swapped as a whole.
//
// Thread rule: load() and store() from any thread. A reader keeps its snapshot as long as it likes; a writer never
// waits for it. Both hold the lock for one pointer copy; the old snapshot is destroyed outside it. Writers that derive
// the next snapshot from the current one need their own order (one writer): store() just replaces. Why not
// std::atomic<std::shared_ptr>: docs/decisions/0002-snapshot-cell.md.
#pragma once

#include "concurrent/atomics_policy.h"

#include <memory>
#include <utility>

namespace hyperscale::concurrent {

template <typename T, typename Sync = StdSync>
class SnapshotCell {
 public:
  using Snapshot = std::shared_ptr<const T>;

  SnapshotCell() = default;
  explicit SnapshotCell(Snapshot initial) : snapshot_(std::move(initial)) {}
  SnapshotCell(const SnapshotCell&) = delete;
  SnapshotCell& operator=(const SnapshotCell&) = delete;

  // Null only if no snapshot was ever stored.
  Snapshot load() const {
    typename Sync::lock_guard lock(mutex_);
    return snapshot_.get();
  }

  void store(Snapshot next) {
    typename Sync::lock_guard lock(mutex_);
    snapshot_.mut().swap(next);
  }
  void store(T next) { store(std::make_shared<const T>(std::move(next))); }

 private:
  mutable typename Sync::mutex mutex_;
  typename Sync::template var<Snapshot> snapshot_;
};

}  // namespace hyperscale::concurrent
