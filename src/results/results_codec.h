// Encodes a RunResult as bytes, for answers of workers to a manager. No program uses it yet.
//
//   "HSRR", version (1 byte), the fields, CRC-32C of all bytes before it (4 bytes, low byte first)
//
// Fields are in the order of results_codec.cpp (facts) and recorded_fields.h (recorded part), as field_bytes.h writes
// them: varints, signed ones (including times) in zigzag form; doubles as 8 bytes; texts, lists and maps with a length
// prefix, maps in ascending order of keys; histograms as docs/formats/histogram.md describes, with a length prefix.
//
// Exact: decode_result(encode(r)) == r, and equal results have equal bytes. Pure functions, any thread. Decoding
// validates everything: bytes that encode() cannot produce are kProtocol; memory is proportional to the bytes.
#pragma once

#include "base/bytes.h"
#include "base/result.h"
#include "results/run_result.h"

#include <cstdint>
#include <vector>

namespace hyperscale::results {

inline constexpr std::uint8_t kResultFormatVersion = 7;

// kInvalidArgument, with the field, if a value exceeds results/limits.h.
Result<std::vector<std::uint8_t>> encode(const RunResult& result);
Result<RunResult> decode_result(ByteView bytes);

}  // namespace hyperscale::results
