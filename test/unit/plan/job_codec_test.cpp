#include "plan/job_codec.h"

#include "plan/limits.h"
#include "plan/plan_codec.h"
#include "sealed.h"
#include "some_job.h"

#include <functional>

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

namespace hyperscale::plan {
namespace {

using testing::HasSubstr;

// One that has workflows.
Job full_job() {
  std::uint64_t seed = 1;
  while (some_job(seed).workflows.size() < 2) ++seed;
  return some_job(seed);
}

RC_GTEST_PROP(JobCodec, RoundTrip, (std::uint64_t seed)) {
  const Job job = some_job(seed);
  const Bytes bytes = encode(job);
  const auto decoded = decode_job(bytes);
  RC_ASSERT(decoded.has_value());
  RC_ASSERT(*decoded == job);
  RC_ASSERT(encode(*decoded) == bytes);
}

TEST(JobCodec, CutBytesAreRefused) {
  each_cut(encode(full_job()), [](const Bytes& cut) {
    const auto decoded = decode_job(cut);
    ASSERT_FALSE(decoded) << cut.size();
    EXPECT_EQ(decoded.error().code, ErrorCode::kProtocol);
  });
}

RC_GTEST_PROP(JobCodec, ChangedBytesAreRefusedOrAnotherJob, (std::uint64_t seed)) {
  each_change(encode(some_job(seed)), seed, [](const Bytes& changed) {
    if (const auto decoded = decode_job(changed)) RC_ASSERT(encode(*decoded) == changed);
  });
}

TEST(JobCodec, ShellIsChecked) {
  const auto error_of = [](const Bytes& bytes) { return decode_job(bytes).error().context; };
  const Bytes good = encode(full_job());
  Bytes bytes = good;
  bytes[0] ^= 1;
  EXPECT_THAT(error_of(bytes), HasSubstr("job bytes: wrong magic"));
  bytes = good;
  bytes[4] = 9;
  EXPECT_THAT(error_of(bytes), HasSubstr("version 9, this program reads 4"));
  bytes = good;
  bytes[20] ^= 1;
  EXPECT_THAT(error_of(bytes), HasSubstr("wrong checksum"));
  EXPECT_THAT(error_of(encode(Plan())), HasSubstr("wrong magic"));
  bytes = Bytes(good.begin(), good.end() - 4);
  bytes.push_back(0);
  EXPECT_THAT(error_of(seal(bytes)), HasSubstr("1 bytes too many"));
}

// The example of docs/formats/plan.md.
TEST(JobCodec, AJobWithoutWorkflowsHasKnownBytes) {
  const Bytes expected = seal({'H', 'S', 'J', 'B', 4, 4, 's', 'h', 'o', 'p', 0});
  EXPECT_EQ(encode(Job{.name = "shop", .workflows = {}}), expected);
  EXPECT_EQ(load_le32(expected.data() + expected.size() - 4), 0x3256c8e2U);
}

TEST(JobCodec, ALengthBeyondTheBytesSetsNothingAside) {
  const auto error_of = [](const Bytes& fields) {
    Bytes bytes{'H', 'S', 'J', 'B', kJobFormatVersion};
    bytes.insert(bytes.end(), fields.begin(), fields.end());
    return decode_job(seal(bytes)).error().context;
  };
  EXPECT_THAT(error_of({0xc8, 0x01}), HasSubstr("job name: 200 bytes, only 0 are left"));
  EXPECT_THAT(error_of({0, 0xe8, 0x07}), HasSubstr("name: cut short"));
  EXPECT_THAT(error_of({0, 0xe9, 0x07}), HasSubstr("workflows: 1001 is more than 1000"));
}

std::string limit_error(const std::function<void(Job&)>& change) {
  Job job = full_job();
  EXPECT_TRUE(check_limits(job));
  change(job);
  const Status status = check_limits(job);
  return status ? "accepted" : status.error().context;
}

TEST(JobCodec, LimitsAreCheckedBeforeEncoding) {
  EXPECT_THAT(limit_error([](Job& j) { j.name.assign(kNameBytesMax + 1, 'x'); }), HasSubstr("job name: 257 bytes"));
  EXPECT_EQ(limit_error([](Job& j) { j.workflows.assign(kWorkflowsMax, {}); }), "accepted");
  EXPECT_THAT(limit_error([](Job& j) { j.workflows.assign(kWorkflowsMax + 1, {}); }), HasSubstr("workflows: 1001"));
  EXPECT_THAT(limit_error([](Job& j) { j.workflows[1].depends.resize(kWorkflowsMax + 1); }),
              HasSubstr("workflow dependencies: 1001"));
  EXPECT_THAT(limit_error([](Job& j) { j.workflows[0].start_offset = Duration(-1); }),
              HasSubstr("start offset: is below zero"));
  EXPECT_THAT(limit_error([](Job& j) { j.workflows[1].priority = static_cast<Priority>(5); }),
              HasSubstr("priority: 5 is more than 4"));
  EXPECT_THAT(limit_error([](Job& j) { j.workflows[1].plan.name.assign(kNameBytesMax + 1, 'x'); }),
              HasSubstr("name: 257 bytes"));
}

// A plan that fits may be too much together with its neighbours.
TEST(JobCodec, ManyLargeBodiesAreTooMuchTogether) {
  EXPECT_THAT(limit_error([](Job& j) {
                j.workflows.assign(2, {});
                for (Workflow& workflow : j.workflows) {
                  Step& step = workflow.plan.steps.emplace_back();
                  step.requests.resize(3);
                  for (Request& request : step.requests) request.body.assign(kBodyBytesMax, 'x');
                  EXPECT_TRUE(check_limits(workflow.plan));
                }
              }),
              HasSubstr("bodies included"));
}

}  // namespace
}  // namespace hyperscale::plan
