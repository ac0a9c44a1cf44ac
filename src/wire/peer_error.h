// The part of an error that a peer may see (SEC-8): always the code; the sentence only if it concerns the peer's own
// request and contains no internals. Pure function; any thread.
#pragma once

#include "base/error.h"

#include <cstddef>

namespace hyperscale::wire {

inline constexpr std::size_t kPeerErrorBytesMax = 200;

// Pass this to error_frame() for every frame that leaves the process; log the original.
Error sanitised_for_peer(const Error& error);

}  // namespace hyperscale::wire
