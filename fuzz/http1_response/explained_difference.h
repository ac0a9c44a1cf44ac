// Why another parser may read a response differently: the list of what is different by design.
#pragma once

#include "peer_reading.h"
#include "response_properties.h"

#include <string_view>

namespace hyperscale::load::fuzz {

enum class Peer : std::uint8_t { kLlhttp, kHttpParser };

// The reason, or null: then one of the two has a bug. REQUIRES: the readings differ.
const char* explained_difference(Peer peer, Expect expect, const Reading& ours, const PeerReading& theirs,
                                 std::string_view stream);

}  // namespace hyperscale::load::fuzz
