// Encodes a JobManifest as bytes: docs/formats/manifest.md has the format.
//
// Exact: decode_manifest(encode(m)) equals m, and each manifest has exactly one form. Pure functions, safe on any
// thread. Decoding trusts nothing: it checks lengths, numbers and choices against plan/limits.h and job_manifest.h,
// allocates only for bytes that exist and at most `item_bytes_max` for the items of lists; bytes that encode() cannot
// produce are kProtocol. The job that join() makes of a decoded manifest is within check_limits() of
// job_codec.h, however often a content is used. Encoded bytes and decoded jobs are wiped.
#pragma once

#include "base/bytes.h"
#include "base/result.h"
#include "plan/fleet/job_manifest.h"

#include <cstddef>
#include <cstdint>

namespace hyperscale::plan {

inline constexpr std::uint8_t kManifestFormatVersion = 1;

// kInvalidArgument, with the first field beyond its limit.
Result<SharedBytes> encode_within_limits(const JobManifest& manifest);
// REQUIRES: encode_within_limits() does not fail, as for each decoded one and its workflows.
SharedBytes encode(const JobManifest& manifest);
// kInvalidArgument for a job that a fleet cannot run: check_for_fleet().
Result<JobManifest> decode_manifest(ByteView bytes, std::size_t item_bytes_max = kManifestItemBytesMax);

}  // namespace hyperscale::plan
