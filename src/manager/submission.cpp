#include "manager/submission.h"

#include "base/duration_text.h"
#include "jobs/journal/records.h"
#include "plan/layers.h"
#include "plan/limits.h"

#include <algorithm>

#include <fmt/format.h>

namespace hyperscale::manager {
namespace {

bool is_job_id(const std::string& id) {
  return !id.empty() && id.size() <= wire::kJobIdBytesMax &&
         std::ranges::all_of(id, [](char c) { return c > ' ' && c < 0x7f && c != '/'; });
}

Duration longest(const plan::Workflow& workflow) {
  const plan::Load& load = workflow.plan.load;
  return workflow.start_offset + load.warmup + load.duration + load.graceful_stop;
}

}  // namespace

Status check(const Submission& submission) {
  if (!is_job_id(submission.job))
    return invalid(fmt::format("a job id has 1 to {} visible ASCII characters without '/'", wire::kJobIdBytesMax));
  if (submission.tenant.size() > jobs::kTenantBytesMax)
    return invalid(fmt::format("a tenant has at most {} bytes", jobs::kTenantBytesMax));
  if (submission.key.size() > jobs::kIdempotencyKeyBytesMax)
    return invalid(fmt::format("an idempotency key has at most {} bytes", jobs::kIdempotencyKeyBytesMax));
  if (submission.plan.name.size() > plan::kNameBytesMax)
    return invalid(fmt::format("the name of a job has at most {} bytes", plan::kNameBytesMax));
  if (submission.plan.workflows.size() != submission.workflows.size())
    return invalid(
        fmt::format("{} workflows have {} contents", submission.plan.workflows.size(), submission.workflows.size()));
  if (submission.timeout < Duration::zero() || submission.timeout > kJobTimeoutMax)
    return invalid(fmt::format("a timeout is from 0 to {}", format_duration(kJobTimeoutMax)));
  if (submission.datacenter_index >= submission.datacenter_count)
    return invalid(fmt::format("datacenter {} of {}", submission.datacenter_index, submission.datacenter_count));
  if (submission.datacenters.size() > jobs::kDatacentersPerJobMax)
    return invalid(fmt::format("a job runs in at most {} datacenters", jobs::kDatacentersPerJobMax));
  for (const std::string& each : submission.datacenters)
    if (each.size() > wire::kDatacenterBytesMax) return invalid(fmt::format("datacenter {}: name too long", each));
  return {};
}

Duration timeout_of(const Submission& submission) {
  if (submission.timeout > Duration::zero()) return submission.timeout;
  // Exclusive workflows of a layer run one after the other, so the sum is taken over them and the longest of the rest.
  std::vector<plan::Dependent> members;
  members.reserve(submission.plan.workflows.size());
  for (const plan::Workflow& each : submission.plan.workflows) members.push_back({each.plan.name, each.depends});
  const auto layers = plan::layers_of("workflow", members);
  Duration sum = kTimeoutSlack;
  for (const auto& layer : layers ? *layers : plan::Layers()) {
    Duration rest{};
    for (const std::uint32_t index : layer) {
      const plan::Workflow& workflow = submission.plan.workflows[index];
      if (workflow.plan.load.duration == Duration::zero()) return kTimeoutByCount;
      if (workflow.priority == plan::Priority::kExclusive) {
        sum += longest(workflow);
      } else {
        rest = std::max(rest, longest(workflow));
      }
    }
    sum += rest;
  }
  return std::min(sum, kJobTimeoutMax);
}

}  // namespace hyperscale::manager
