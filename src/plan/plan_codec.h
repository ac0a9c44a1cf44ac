// The byte form of a Plan and of a Segment, for executors and workers: docs/formats/plan.md describes it.
//
// Exact: decode_plan(encode(p)) == p, and each plan has one form only, so equal bytes mean equal plans. Pure functions,
// safe on any thread. Decoding trusts nothing: every length, number and choice is held against plan/limits.h, bytes
// that no encode() could have written are kProtocol, and memory is set aside only for what is really there.
#pragma once

#include "base/bytes.h"
#include "base/result.h"
#include "plan/plan.h"
#include "plan/segment.h"

#include <cstdint>
#include <vector>

namespace hyperscale::plan {

inline constexpr std::uint8_t kPlanFormatVersion = 5;
inline constexpr std::uint8_t kSegmentFormatVersion = 2;

// kInvalidArgument, with the first field that is beyond its limit. Whatever a user wrote is checked by this first.
Status check_limits(const Plan& plan);
// REQUIRES: check_limits(plan).
std::vector<std::uint8_t> encode(const Plan& plan);
Result<Plan> decode_plan(ByteView bytes);

// REQUIRES: the segment is one of segments_of().
std::vector<std::uint8_t> encode(const Segment& segment);
Result<Segment> decode_segment(ByteView bytes);

}  // namespace hyperscale::plan
