// ClusterMessage to protobuf bytes and back. docs/formats/wire.md describes the bytes, proto/cluster.proto is the
// schema.
//
// Pure functions; any thread. Decoding checks sizes, counts, texts, numbers and kinds, and names the first error
// (kProtocol, kTooLarge). Fields this version does not know are ignored; optional ones that are absent get their
// defaults; a missing required field is an error that names it (AD25-5). decode_cluster accepts exactly what
// encode_cluster writes. Writing a message that breaks a limit is a bug (CHECK).
#pragma once

#include "base/bytes.h"
#include "base/result.h"
#include "wire/cluster_message.h"
#include "wire/limits.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace hyperscale::wire {

// REQUIRES: check_cluster_message(message) and at most kClusterMessageBytesMax bytes: see fit_datagram.
std::vector<std::uint8_t> encode_cluster(const ClusterMessage& message);
Result<ClusterMessage> decode_cluster(ByteView bytes);

// The first limit that a message breaks, apart from its size in bytes.
Status check_cluster_message(const ClusterMessage& message);

// How many bytes a message grows by at most when the update is added to its gossip, or to the members of its page.
// Never too small, and too large by a few bytes only, so that gossip can fill a datagram without trial encodings:
//   encoded_size_bound(message) + sum of encoded_size_bound(update) <= kClusterMessageBytesMax.
std::size_t encoded_size_bound(const MemberUpdate& update);
// The whole message, with its gossip.
std::size_t encoded_size_bound(const ClusterMessage& message);

// Makes a message fit a datagram: drops gossip from its end until it does, and after the last of it the embedded state.
// Returns how many updates it dropped. REQUIRES: the body alone fits, which only a SyncPage can break.
std::size_t fit_datagram(ClusterMessage& message);

}  // namespace hyperscale::wire
