// Encodes a Plan and a Segment as bytes, for executors and workers: docs/formats/plan.md has the format.
//
// Exact: decode_plan(encode(p)) == p, and each plan has exactly one form, so equal bytes mean equal plans. Pure
// functions, safe on any thread. Decoding validates everything: it checks lengths, numbers and choices against
// plan/limits.h, bytes that encode() cannot produce are kProtocol, and memory is allocated only for bytes that exist.
#pragma once

#include "base/bytes.h"
#include "base/result.h"
#include "plan/plan.h"
#include "plan/segment.h"

#include <cstdint>
#include <vector>

namespace hyperscale::plan {

inline constexpr std::uint8_t kPlanFormatVersion = 5;
inline constexpr std::uint8_t kSegmentFormatVersion = 3;

// kInvalidArgument, with the first field beyond its limit. Call it first on all user input.
Status check_limits(const Plan& plan);
// REQUIRES: check_limits(plan).
std::vector<std::uint8_t> encode(const Plan& plan);
Result<Plan> decode_plan(ByteView bytes);

// REQUIRES: the segment is one of segments_of() or slots_of().
std::vector<std::uint8_t> encode(const Segment& segment);
Result<Segment> decode_segment(ByteView bytes);

}  // namespace hyperscale::plan
