// The durable state of a node on a virtual disk: two copies of one checksummed record, the second written only when the
// first is safe. A torn write damages one copy at most, and rot of one leaves the other.
//
// Loading first makes both copies equal: otherwise a state that a crash left in one copy only, and that the node
// continues from, would be lost with the next torn write. It refuses to guess: damage that leaves no sound copy is an
// error, because a node that forgot its vote could vote twice.
#pragma once

#include "base/result.h"
#include "cluster/cluster_node.h"
#include "sim/engine/process.h"

#include <cstdint>
#include <optional>

namespace hyperscale::sim {

struct SavedState {
  std::uint64_t sequence = 0;  // counts the saves
  cluster::DurableState state;
};

// Sequence 0 means nothing was saved yet. After an error the process must end.
Result<SavedState> load_state(ProcessContext& context);

enum class SaveResult : std::uint8_t { kSafe, kDiskFull, kDied };
SaveResult save_state(ProcessContext& context, const SavedState& saved);

}  // namespace hyperscale::sim
