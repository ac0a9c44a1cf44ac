// The byte form of a Job, for a process that has made one and another that runs it: docs/formats/plan.md describes it.
//
// Exact: decode_job(encode(j)) == j, and each job has one form only, so equal bytes mean equal jobs. Pure functions,
// safe on any thread. Decoding trusts nothing: every length, number and choice is held against plan/limits.h, bytes
// that no encode() could have written are kProtocol, and memory is set aside only for what is really there. The plans
// of a decoded job are within check_limits() of plan_codec.h.
#pragma once

#include "base/bytes.h"
#include "base/result.h"
#include "plan/job.h"

#include <cstdint>
#include <vector>

namespace hyperscale::plan {

inline constexpr std::uint8_t kJobFormatVersion = 4;

// kInvalidArgument, with the first field that is beyond its limit. Whatever a user wrote is checked by this first.
Status check_limits(const Job& job);
// REQUIRES: check_limits(job).
std::vector<std::uint8_t> encode(const Job& job);
Result<Job> decode_job(ByteView bytes);

}  // namespace hyperscale::plan
