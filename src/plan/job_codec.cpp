#include "plan/job_codec.h"

#include "base/check.h"
#include "base/sealed_record.h"
#include "plan/job_fields.h"
#include "plan/limits.h"

#include <type_traits>

namespace hyperscale::plan {
namespace {

constexpr Seal kJobSeal{
    .what = "job", .magic = {'H', 'S', 'J', 'B'}, .version = kJobFormatVersion, .bytes_max = kJobBytesMax};
static_assert(kJobBytesMax <= kPlanBytesMax, "a plan that is part of a job has a form of its own");

constexpr auto kDescribeJob = [](auto& fields, auto& job) {
  describe<std::remove_reference_t<decltype(fields)>>(fields, job);
};

Result<std::vector<std::uint8_t>> encode_within_limits(const Job& job) {
  auto bytes = seal_record(kJobSeal, job, kDescribeJob);
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
  Result<Job> job = open_record<Job>(kJobSeal, bytes, kDescribeJob);
  if (!job) return job;
  for (const Workflow& workflow : job->workflows)
    if (const Status whole = check_files(workflow.plan.script); !whole) return fail(whole.error());
  return job;
}

}  // namespace hyperscale::plan
