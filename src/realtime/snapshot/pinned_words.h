// PinnedWords: a scan of the pinned epochs of all readers.
//
// The reclaimer uses exact match: a generation is reused only if no word equals its epoch, stalled readers included,
// because a stalled reader may still read. The minimum is shown to operators as the oldest pinned epoch; it excludes
// readers that were force-unpinned.
#pragma once

#include "realtime/snapshot/epoch.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace hyperscale::realtime {

class PinnedWords {
 public:
  // Fixed storage: a scan allocates nothing.
  explicit PinnedWords(std::size_t readers) { words_.reserve(readers); }

  void clear() { words_.clear(); }
  void add(Epoch pinned) {
    if (pinned != kEpochUnpinned) words_.push_back(pinned);
  }
  bool contain(Epoch epoch) const { return std::find(words_.begin(), words_.end(), epoch) != words_.end(); }

 private:
  std::vector<Epoch> words_;
};

// overridden[i]: reader i counts as unpinned. Without readers, or with none pinned: kEpochUnpinned.
inline Epoch min_pinned(std::span<const Epoch> pinned, const std::vector<bool>& overridden) {
  Epoch least = kEpochUnpinned;
  for (std::size_t i = 0; i < pinned.size(); ++i) {
    if (i < overridden.size() && overridden[i]) continue;
    least = std::min(least, pinned[i]);
  }
  return least;
}

}  // namespace hyperscale::realtime
