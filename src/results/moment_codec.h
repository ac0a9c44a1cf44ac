// Encodes a Moment as bytes, for messages between nodes: docs/formats/moment.md describes the format. No program
// uses it yet.
//
//   "HSMO", version (1 byte), the fields, CRC-32C of all bytes before it (4 bytes, low byte first)
//
// Exact: decode_moment(encode(m)) == m. Pure functions, safe on any thread. Decoding validates everything: bytes that
// encode() cannot produce are kProtocol, and memory is allocated in proportion to the bytes.
#pragma once

#include "base/bytes.h"
#include "base/result.h"
#include "results/moment.h"

#include <cstdint>
#include <vector>

namespace hyperscale::results {

inline constexpr std::uint8_t kMomentFormatVersion = 1;

// kInvalidArgument, with the field, if a value exceeds results/limits.h.
Result<std::vector<std::uint8_t>> encode(const Moment& moment);
Result<Moment> decode_moment(ByteView bytes);

}  // namespace hyperscale::results
