// What a peer is told about an error of ours (SEC-8): the code always, the sentence only where it is about the peer's
// own request and looks like nothing from inside. Pure function; any thread.
#pragma once

#include "base/error.h"

#include <cstddef>

namespace hyperscale::wire {

inline constexpr std::size_t kPeerErrorBytesMax = 200;

// Give this to error_frame() for every frame that leaves the process; log the original.
Error sanitised_for_peer(const Error& error);

}  // namespace hyperscale::wire
