#include "plan/fleet/job_manifest.h"

#include "base/check.h"
#include "base/redactor.h"
#include "plan/fleet/content_places.h"
#include "plan/fleet/manifest_codec.h"
#include "plan/option_values.h"
#include "plan/sha256.h"

#include <map>
#include <utility>

#include <fmt/format.h>

namespace hyperscale::plan {
namespace {

Redactor secrets_of(const Job& job) {
  std::vector<std::string> values;
  for (const Workflow& workflow : job.workflows)
    for (const Tag& secret : workflow.plan.script.secrets) values.push_back(secret.value);
  Redactor secrets(values);
  for (std::string& value : values) wipe(value);
  return secrets;
}

bool contains(const std::string& text, const Redactor& secrets) {
  if (secrets.empty()) return false;
  std::string redacted = secrets(text);
  const bool found = redacted != text;
  wipe(redacted);
  return found;
}

// Takes the contents out of a job.
class Taker {
 public:
  Taker(JobManifest& manifest, JobParts& parts)
      : manifest_(manifest), parts_(parts), secrets_(secrets_of(*manifest.job)) {}

  Status take_all() {
    each_place(manifest_.job->workflows, [this](std::uint32_t place, std::string& content, const Blob* file) {
      if (status_) look_at(place, content, file);
    });
    if (status_ && manifest_.contents.size() > kContentsMax)
      return invalid(fmt::format("the job has {} different files and bodies of {} KiB or more; a fleet accepts {}",
                                 manifest_.contents.size(), kBodyTakenBytesMin / 1024, kContentsMax));
    return status_;
  }

 private:
  void look_at(std::uint32_t place, std::string& content, const Blob* file) {
    if (file == nullptr && (content.size() < kBodyTakenBytesMin || contains(content, secrets_))) return;
    std::string name = hex(sha256_of(content));
    if (file != nullptr && name != file->sha256)
      status_ = invalid(fmt::format("{} is not the content that it is named by", shown(file->name)));
    else if (content.size() > kBlobBytesMax)
      status_ = invalid(fmt::format("a file or body has {} bytes; the most is {}", content.size(), kBlobBytesMax));
    else if (!content.empty())
      take(place, content, std::move(name));
  }

  void take(std::uint32_t place, std::string& content, std::string name) {
    const auto number = static_cast<std::uint32_t>(manifest_.contents.size());
    const auto [known, is_new] = numbers_.emplace(std::move(name), number);
    if (is_new) {
      manifest_.contents.push_back({.sha256 = known->first, .bytes = content.size()});
      parts_.contents.push_back(std::move(content));
    }
    content = std::string();
    manifest_.taken.push_back({.place = place, .content = known->second});
  }

  JobManifest& manifest_;
  JobParts& parts_;
  Redactor secrets_;
  std::map<std::string, std::uint32_t> numbers_;  // by name
  Status status_;
};

}  // namespace

Status check_for_fleet(const Job& job) {
  for (const Workflow& workflow : job.workflows) {
    const Plan& plan = workflow.plan;
    const auto refuse = [&](std::string_view what) {
      return invalid(fmt::format("workflow {} {}, which belongs to one machine; workers of a fleet cannot use it",
                                 shown(plan.name), what));
    };
    if (!plan.network.unix_socket.empty())
      return refuse(fmt::format("connects to the Unix socket {}", shown(plan.network.unix_socket)));
    if (!plan.network.source_addresses.empty())
      return refuse(fmt::format("sends from the address {}", shown(plan.network.source_addresses.front())));
  }
  return {};
}

Result<JobParts> split(Job job) {
  JobManifest manifest{.job = WipedJob(std::move(job))};
  if (const Status fits = check_for_fleet(*manifest.job); !fits) return fail(fits.error());
  JobParts parts;
  if (const Status taken = Taker(manifest, parts).take_all(); !taken) return fail(taken.error());
  auto bytes = encode_within_limits(manifest);
  if (!bytes) return fail(bytes.error());
  parts.manifest = std::move(*bytes);
  parts.names = std::move(manifest.contents);
  return parts;
}

JobManifest workflow_manifest(const JobManifest& manifest, std::uint32_t workflow) {
  const std::vector<Workflow>& workflows = manifest.job->workflows;
  CHECK(workflow < workflows.size(), "workflow {} of {}", workflow, workflows.size());
  JobManifest one{.job = WipedJob({.name = manifest.job->name, .workflows = {workflows[workflow]}})};
  std::uint32_t first = 0;
  for (std::uint32_t i = 0; i < workflow; ++i) first += places_of(workflows[i]);
  const std::uint32_t end = first + places_of(workflows[workflow]);
  std::map<std::uint32_t, std::uint32_t> numbers;
  for (const TakenContent& taken : manifest.taken) {
    if (taken.place < first || taken.place >= end) continue;
    const auto number = static_cast<std::uint32_t>(one.contents.size());
    const auto [known, is_new] = numbers.emplace(taken.content, number);
    if (is_new) one.contents.push_back(manifest.contents[taken.content]);
    one.taken.push_back({.place = taken.place - first, .content = known->second});
  }
  return one;
}

Result<WipedJob> join(JobManifest manifest, const ContentSource& find) {
  std::vector<std::string_view> contents;
  for (const ContentName& name : manifest.contents) {
    const auto content = find(name);
    if (!content) return fail(ErrorCode::kNotFound, fmt::format("content {} is not here", name.sha256));
    if (content->size() != name.bytes || hex(sha256_of(*content)) != name.sha256)
      return fail(ErrorCode::kProtocol, fmt::format("content {} is not what it is named by", name.sha256));
    contents.push_back(*content);
  }
  auto taken = manifest.taken.begin();
  each_place(manifest.job->workflows, [&](std::uint32_t place, std::string& content, const Blob*) {
    if (taken != manifest.taken.end() && taken->place == place) content = contents[taken++->content];
  });
  return std::move(manifest.job);
}

}  // namespace hyperscale::plan
