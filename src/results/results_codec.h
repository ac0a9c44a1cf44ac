// The byte form of a RunResult, for executors' shares and workers' answers.
//
//   "HSRR", version (1 byte), the fields, CRC-32C of all bytes before it (4 bytes, low byte first)
//
// Fields are in the order of results_codec.cpp (facts) and recorded_fields.h (what was recorded), as field_bytes.h
// writes them: varints, signed ones (times among them) in zigzag form; doubles as 8 bytes; texts, lists and maps with
// their length in front, maps in ascending order of keys; histograms as docs/formats/histogram.md describes, with their
// length in front.
//
// Exact: decode_result(encode(r)) == r, and equal results are equal bytes. Pure functions, safe on any thread. Decoding
// trusts nothing: bytes that no encode() could have written are kProtocol. Memory is taken in proportion to the bytes.
#pragma once

#include "base/bytes.h"
#include "base/result.h"
#include "results/run_result.h"

#include <cstdint>
#include <vector>

namespace hyperscale::results {

inline constexpr std::uint8_t kResultFormatVersion = 7;

// kInvalidArgument, with the field, when one is beyond results/limits.h.
Result<std::vector<std::uint8_t>> encode(const RunResult& result);
Result<RunResult> decode_result(ByteView bytes);

}  // namespace hyperscale::results
