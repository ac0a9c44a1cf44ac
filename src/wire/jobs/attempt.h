// AttemptId: which attempt at which share of a job a message is about.
//
// A share is the part of a workflow that one worker runs: a run of slots of its steps, or its setup or teardown. An
// attempt is one try to run a share, named by its fence. Fences are compared epoch first: a later leader has a greater
// epoch, a later attempt of one leader a greater number. The text of a share is the catalogue's `workflow_id`.
//
// Plain values; any thread.
#pragma once

#include "base/result.h"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace hyperscale::wire {

inline constexpr std::size_t kJobIdBytesMax = 96;
inline constexpr std::size_t kShareTextBytesMax = kJobIdBytesMax + 32;

// 1 to kJobIdBytesMax visible ASCII characters without '/'.
bool is_job_id(std::string_view text);

// Epoch: token of the election under which the job got its leader (election::FencingToken). Zero: none yet.
struct Fence {
  std::uint64_t epoch = 0;
  std::uint32_t attempt = 0;
  auto operator<=>(const Fence&) const = default;
};
std::string to_string(const Fence& fence);  // "8589934593.2"

enum class SharePart : std::uint8_t { kSteps = 1, kSetup = 2, kTeardown = 3 };
std::string_view name(SharePart part);  // "steps", "setup", "teardown"

struct ShareId {
  std::string job;             // see is_job_id
  std::uint32_t workflow = 0;  // number in the job
  SharePart part = SharePart::kSteps;
  std::uint32_t share = 0;  // number in the workflow; 0 of a setup or teardown
  auto operator<=>(const ShareId&) const = default;
};
std::string to_string(const ShareId& share);  // "eu-1763535600000-k3v9x2ma-1/0.steps.3"
Result<ShareId> parse_share_id(std::string_view text);

struct AttemptId {
  ShareId share;
  Fence fence;
  auto operator<=>(const AttemptId&) const = default;
};
std::string to_string(const AttemptId& attempt);  // share and fence, separated by "@"

}  // namespace hyperscale::wire
