// Encodes a Job as bytes, for the process that built it and the one that runs it: docs/formats/plan.md has the format.
//
// Exact: decode_job(encode(j)) == j, and each job has exactly one form, so equal bytes mean equal jobs. Pure functions,
// safe on any thread. Decoding validates everything: it checks lengths, numbers and choices against plan/limits.h,
// bytes that encode() cannot produce are kProtocol, and memory is allocated only for bytes that exist. The plans of a
// decoded job are within check_limits() of plan_codec.h.
#pragma once

#include "base/bytes.h"
#include "base/result.h"
#include "plan/job.h"

#include <cstdint>
#include <vector>

namespace hyperscale::plan {

inline constexpr std::uint8_t kJobFormatVersion = 4;

// kInvalidArgument, with the first field beyond its limit. Call it first on all user input.
Status check_limits(const Job& job);
// REQUIRES: check_limits(job).
std::vector<std::uint8_t> encode(const Job& job);
Result<Job> decode_job(ByteView bytes);

}  // namespace hyperscale::plan
