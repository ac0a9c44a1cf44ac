// What must hold for every input of the readers of manifests and jobs. A violation fails a CHECK, so the fuzzer and the
// unit tests share it. The input has no envelope: a checksum would hide everything behind it.
#pragma once

#include "base/bytes.h"
#include "base/check.h"
#include "base/sealed_record.h"
#include "plan/fleet/job_manifest.h"
#include "plan/fleet/manifest_codec.h"
#include "plan/job_codec.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace hyperscale::plan::fuzz {

inline constexpr std::size_t kItemBytesMax = std::size_t{16} << 20;
inline constexpr std::size_t kWorkflowsLookedAt = 8;

inline std::vector<std::uint8_t> in_envelope(std::array<char, 4> magic, std::uint8_t version, ByteView fields) {
  std::vector<std::uint8_t> bytes =
      begin_seal({.what = "input", .magic = magic, .version = version, .bytes_max = SIZE_MAX});
  bytes.insert(bytes.end(), fields.begin(), fields.end());
  end_seal(bytes);
  return bytes;
}

// What is accepted is exact, within its limits, and so is the manifest of each of its workflows, which has contents of
// the whole only. Without contents there is no job, unless there are none.
inline bool check_manifest(ByteView input) {
  const auto bytes = in_envelope({'H', 'S', 'M', 'F'}, kManifestFormatVersion, input);
  const auto manifest = decode_manifest(bytes, kItemBytesMax);
  if (!manifest) {
    CHECK(!manifest.error().context.empty());
    return false;
  }
  CHECK(std::ranges::equal(encode(*manifest).view(), bytes));
  CHECK(manifest->contents.size() <= kContentsMax && manifest->contents.size() <= manifest->taken.size());
  const std::size_t workflows = std::min(manifest->job->workflows.size(), kWorkflowsLookedAt);
  for (std::uint32_t i = 0; i < workflows; ++i) {
    const SharedBytes one = encode(workflow_manifest(*manifest, i));
    auto again = decode_manifest(one.view(), kItemBytesMax);
    CHECK(again.has_value(), "{}", again.error().context);
    CHECK(again->job->workflows.size() == 1 && again->job->workflows[0] == manifest->job->workflows[i]);
    for (const ContentName& name : again->contents) CHECK(std::ranges::count(manifest->contents, name) == 1);
    const bool complete = again->contents.empty();
    const auto joined = join(std::move(*again), [](const ContentName&) { return std::nullopt; });
    CHECK(joined.has_value() == complete && (complete || joined.error().code == ErrorCode::kNotFound));
  }
  return true;
}

// The input as a job: split and joined it is the same job.
inline bool check_split(ByteView input) {
  const auto job = decode_job(in_envelope({'H', 'S', 'J', 'B'}, kJobFormatVersion, input));
  if (!job) return false;
  auto parts = split(*job);
  if (!parts) {
    CHECK(parts.error().code == ErrorCode::kInvalidArgument && !parts.error().context.empty());
    return false;
  }
  auto manifest = decode_manifest(parts->manifest.view());
  CHECK(manifest.has_value(), "{}", manifest.error().context);
  CHECK(manifest->contents == parts->names);
  const auto joined = join(std::move(*manifest), [&](const ContentName& name) -> std::optional<std::string_view> {
    const auto at = std::ranges::find(parts->names, name) - parts->names.begin();
    return parts->contents[static_cast<std::size_t>(at)];
  });
  CHECK(joined.has_value() && **joined == *job);
  return true;
}

}  // namespace hyperscale::plan::fuzz
