#include "plan/job_codec.h"

#include "base/check.h"
#include "base/sealed_record.h"
#include "plan/limits.h"
#include "plan/plan_fields.h"

#include <type_traits>

namespace hyperscale::plan {
namespace {

constexpr Seal kJobSeal{
    .what = "job", .magic = {'H', 'S', 'J', 'B'}, .version = kJobFormatVersion, .bytes_max = kJobBytesMax};
static_assert(kJobBytesMax <= kPlanBytesMax, "a plan that is part of a job has a form of its own");

constexpr auto kDescribe = [](auto& fields, auto& job) {
  using Fields = std::remove_reference_t<decltype(fields)>;
  fields.text("job name", job.name, kNameBytesMax);
  fields.list("workflows", job.workflows, kWorkflowsMax, [&](auto& workflow) {
    describe<Fields>(fields, workflow.plan);
    fields.choice("priority", workflow.priority, Priority::kExclusive);
    fields.flag("is test", workflow.is_test);
    fields.list("workflow dependencies", workflow.depends, kWorkflowsMax,
                [&](auto& dependency) { fields.text("workflow dependency", dependency, kNameBytesMax); });
    fields.duration("start offset", workflow.start_offset, kPlanDurationMax);
  });
};

Result<std::vector<std::uint8_t>> encode_within_limits(const Job& job) {
  auto bytes = seal_record(kJobSeal, job, kDescribe);
  if (bytes && bytes->size() > kJobBytesMax) {
    return fail(ErrorCode::kInvalidArgument, fmt::format("the workflows have {} bytes, bodies included; the most is {}",
                                                         bytes->size(), kJobBytesMax));
  }
  return bytes;
}

}  // namespace

Status check_limits(const Job& job) {
  const auto encoded = encode_within_limits(job);
  return encoded ? Status() : fail(encoded.error());
}

std::vector<std::uint8_t> encode(const Job& job) {
  auto bytes = encode_within_limits(job);
  CHECK(bytes, "{}", bytes.error().context);
  return std::move(*bytes);
}

Result<Job> decode_job(ByteView bytes) {
  Result<Job> job = open_record<Job>(kJobSeal, bytes, kDescribe);
  if (!job) return job;
  for (const Workflow& workflow : job->workflows)
    if (const Status whole = check_files(workflow.plan.script); !whole) return fail(whole.error());
  return job;
}

}  // namespace hyperscale::plan
