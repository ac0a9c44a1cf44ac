// JobManifest: a job without the contents of its files and large bodies, which are named by their SHA-256. Gates,
// managers and workers hold the manifest in memory; contents are stored once, also on disk.
//
//   auto parts = split(std::move(job));                    // client: uploads parts->contents, submits parts->manifest
//   auto manifest = decode_manifest(bytes);                // manager; manifest_codec.h
//   auto one = workflow_manifest(*manifest, 2);            // what a worker gets for the third workflow
//   auto job = join(std::move(one), find_content);         // worker
//
// join(split(job)) == job, and equal jobs have equal manifests. All secrets of a job are in its manifest only: a body
// that contains the value of a secret is not taken out. Files are taken out as their author wrote them. Pure; any
// thread.
#pragma once

#include "base/bytes.h"
#include "base/result.h"
#include "plan/fleet/wiped.h"
#include "plan/limits.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hyperscale::plan {

inline constexpr std::size_t kManifestBytesMax = std::size_t{64} << 20;
inline constexpr std::size_t kContentsMax = 2'000;            // different ones of a job
inline constexpr std::size_t kBodyTakenBytesMin = 32 * 1024;  // smaller bodies stay in the manifest
inline constexpr std::size_t kTakenMax = kWorkflowsMax * kBlobsMax + kJobBytesMax / kBodyTakenBytesMin;
inline constexpr std::size_t kManifestItemBytesMax = std::size_t{512} << 20;  // memory of the items of all its lists
static_assert(kManifestBytesMax <= kJobBytesMax && kBodyTakenBytesMin <= kBodyBytesMax);
static_assert(kBodyBytesMax == kBlobBytesMax, "a content may be of a file or a body");

struct ContentName {
  std::string sha256;  // as hex() of plan/sha256.h returns it
  std::uint64_t bytes = 0;
  bool operator==(const ContentName&) const = default;
};

// Where a content belongs. The places of a job are, for each workflow, its files and then the bodies of its requests.
struct TakenContent {
  std::uint32_t place = 0;    // number of the place
  std::uint32_t content = 0;  // index in JobManifest::contents
  bool operator==(const TakenContent&) const = default;
};

struct JobManifest {
  WipedJob job = {};                       // complete but for the contents, which are empty
  std::vector<ContentName> contents = {};  // different ones, in the order of their first places
  std::vector<TakenContent> taken = {};    // places ascend
};

// kInvalidArgument with one sentence: a fleet cannot run the job, because it names sockets or addresses of one machine.
Status check_for_fleet(const Job& job);

struct JobParts {
  SharedBytes manifest;            // bytes of docs/formats/manifest.md, wiped with their last owner
  std::vector<ContentName> names;  // of the contents
  std::vector<std::string> contents;
};
// kInvalidArgument with one sentence: check_for_fleet(), a field or the whole is beyond its limit, or a file is not the
// content that it is named by.
Result<JobParts> split(Job job);

// The manifest of the job that has this workflow only. REQUIRES: workflow < manifest.job->workflows.size().
JobManifest workflow_manifest(const JobManifest& manifest, std::uint32_t workflow);

// Nothing: it is not here.
using ContentSource = std::function<std::optional<std::string_view>(const ContentName&)>;
// kNotFound for a missing content, kProtocol for one that is not what it is named by. REQUIRES: the manifest is one of
// split(), decode_manifest() or workflow_manifest().
Result<WipedJob> join(JobManifest manifest, const ContentSource& find);

}  // namespace hyperscale::plan
