#include "plan/plan_codec.h"

#include "base/endian.h"
#include "plan/limits.h"
#include "sealed.h"
#include "some_plan.h"

#include <functional>
#include <limits>

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

namespace hyperscale::plan {
namespace {

using testing::HasSubstr;

RC_GTEST_PROP(PlanCodec, RoundTrip, (std::uint64_t seed)) {
  const Plan plan = some_plan(seed);
  const Bytes bytes = encode(plan);
  const auto decoded = decode_plan(bytes);
  RC_ASSERT(decoded.has_value());
  RC_ASSERT(*decoded == plan);
  RC_ASSERT(encode(*decoded) == bytes);
}

TEST(PlanCodec, CutBytesAreRefused) {
  each_cut(encode(some_plan(5)), [](const Bytes& cut) {
    const auto decoded = decode_plan(cut);
    ASSERT_FALSE(decoded) << cut.size();
    EXPECT_EQ(decoded.error().code, ErrorCode::kProtocol);
  });
}

RC_GTEST_PROP(PlanCodec, ChangedBytesAreRefusedOrAnotherPlan, (std::uint64_t seed)) {
  each_change(encode(some_plan(seed)), seed, [](const Bytes& changed) {
    if (const auto decoded = decode_plan(changed)) RC_ASSERT(encode(*decoded) == changed);
  });
}

TEST(PlanCodec, ShellIsChecked) {
  const auto error_of = [](const Bytes& bytes) { return decode_plan(bytes).error().context; };
  const Bytes good = encode(some_plan(1));
  Bytes bytes = good;
  bytes[0] ^= 1;
  EXPECT_THAT(error_of(bytes), HasSubstr("wrong magic"));
  bytes = good;
  bytes[4] = 9;
  EXPECT_THAT(error_of(bytes), HasSubstr("version 9, this program reads 5"));
  bytes = good;
  bytes[20] ^= 1;
  EXPECT_THAT(error_of(bytes), HasSubstr("wrong checksum"));
  EXPECT_THAT(error_of({}), HasSubstr("too short"));
  bytes = Bytes(good.begin(), good.end() - 4);
  bytes.push_back(0);
  EXPECT_THAT(error_of(seal(bytes)), HasSubstr("1 bytes too many"));
}

TEST(PlanCodec, ALengthBeyondTheBytesSetsNothingAside) {
  // A name of 200 bytes of which none is there.
  EXPECT_THAT(decode_plan(seal({'H', 'S', 'P', 'L', kPlanFormatVersion, 0xc8, 0x01})).error().context,
              HasSubstr("name: 200 bytes, only 0 are left"));
  // No name, no tag, seed 0, and a thousand steps announced.
  EXPECT_THAT(decode_plan(seal({'H', 'S', 'P', 'L', kPlanFormatVersion, 0, 0, 0, 0xe8, 0x07})).error().context,
              HasSubstr("step name"));
  EXPECT_THAT(decode_plan(seal({'H', 'S', 'P', 'L', kPlanFormatVersion, 0, 0, 0, 0xe9, 0x07})).error().context,
              HasSubstr("steps: 1001 is more than 1000"));
}

TEST(PlanCodec, AFileThatIsNotTheOneThatItIsNamedByIsRefused) {
  Plan plan = some_plan(1);
  plan.script.files = {make_blob("shop.js", "export class Shop {}")};
  EXPECT_EQ(plan.script.files[0].sha256, "2d5f90e190744bb8542cba70e354b343091fd9e3ccc629fcdfa19ef54afcb9a1");
  plan.script.files[0].content += " ";
  EXPECT_THAT(decode_plan(encode(plan)).error().context, HasSubstr("shop.js is not the content that it is named by"));
}

std::string limit_error(const std::function<void(Plan&)>& change) {
  Plan plan = some_plan(1);
  plan.steps = {Step{.name = "a", .depends = {}, .requests = {Request{}}, .expect = {}}};
  EXPECT_TRUE(check_limits(plan));
  change(plan);
  const Status status = check_limits(plan);
  return status ? "accepted" : status.error().context;
}

TEST(PlanCodec, LimitsAreCheckedBeforeEncoding) {
  EXPECT_THAT(limit_error([](Plan& p) { p.name.assign(kNameBytesMax + 1, 'x'); }), HasSubstr("name: 257 bytes"));
  EXPECT_EQ(limit_error([](Plan& p) { p.steps.assign(kStepsMax, Step()); }), "accepted");
  EXPECT_THAT(limit_error([](Plan& p) { p.steps.assign(kStepsMax + 1, Step()); }), HasSubstr("steps: 1001"));
  EXPECT_THAT(limit_error([](Plan& p) { p.steps[0].requests.assign(kRequestsMax + 1, Request()); }),
              HasSubstr("requests: 100001"));
  EXPECT_THAT(limit_error([](Plan& p) { p.steps[0].requests[0].body.assign(kBodyBytesMax + 1, 'x'); }),
              HasSubstr("body"));
  EXPECT_THAT(limit_error([](Plan& p) { p.steps[0].expect.statuses = {1000}; }), HasSubstr("expected status: 1000"));
  EXPECT_THAT(limit_error([](Plan& p) { p.load.duration = Duration(-1); }), HasSubstr("duration: is below zero"));
  EXPECT_THAT(limit_error([](Plan& p) { p.load.rate_per_s = -1; }), HasSubstr("rate"));
  EXPECT_THAT(limit_error([](Plan& p) { p.load.rate_per_s = std::numeric_limits<double>::quiet_NaN(); }),
              HasSubstr("rate"));
  EXPECT_THAT(limit_error([](Plan& p) { p.load.rate_per_s = std::numeric_limits<double>::infinity(); }),
              HasSubstr("rate"));
  EXPECT_THAT(limit_error([](Plan& p) { p.endpoints.resize(kEndpointsMax + 1); }), HasSubstr("endpoints"));
}

TEST(PlanCodec, ManyLargeBodiesAreTooMuchTogether) {
  EXPECT_THAT(limit_error([](Plan& p) {
                p.steps[0].requests.assign(
                    5, Request{.method = "POST", .url = "", .headers = {}, .body = std::string(kBodyBytesMax, 'x')});
              }),
              HasSubstr("bodies included"));
}

TEST(PlanCodec, ZeroHasNoSign) {
  Plan negative;
  negative.load.rate_per_s = -0.0;
  EXPECT_EQ(encode(negative), encode(Plan()));
}

// The example of docs/formats/plan.md.
TEST(SegmentCodec, KnownBytes) {
  const Segment segment{.first_vu = 333, .vu_count = 333, .vu_total = 2'000, .index = 1, .count = 6};
  const Bytes expected = seal({'H', 'S', 'S', 'G', 3, 0xcd, 0x02, 0xcd, 0x02, 0xd0, 0x0f, 1, 6, 1, 0});
  EXPECT_EQ(encode(segment), expected);
  EXPECT_EQ(decode_segment(expected), segment);
  EXPECT_EQ(load_le32(expected.data() + expected.size() - 4), 0x755fdd35U);
}

RC_GTEST_PROP(SegmentCodec, RoundTrip, (std::uint32_t vus)) {
  for (const Segment& segment : segments_of(vus, *rc::gen::inRange<std::uint32_t>(1, 20)))
    RC_ASSERT(decode_segment(encode(segment)) == segment);
}

TEST(SegmentCodec, RefusesAShareThatIsNotPartOfTheWhole) {
  const auto error_of = [](Bytes fields) {
    Bytes bytes{'H', 'S', 'S', 'G', 3};
    bytes.insert(bytes.end(), fields.begin(), fields.end());
    const auto decoded = decode_segment(seal(bytes));
    return decoded ? "accepted" : decoded.error().context;
  };
  EXPECT_EQ(error_of({0, 5, 5, 0, 1, 1, 3}), "accepted");
  EXPECT_EQ(error_of({0, 5, 5, 3, 6, 2, 0}), "accepted");
  EXPECT_THAT(error_of({1, 5, 5, 0, 1, 1, 0}), HasSubstr("not part of the whole"));
  EXPECT_THAT(error_of({6, 0, 5, 0, 1, 1, 0}), HasSubstr("not part of the whole"));
  EXPECT_THAT(error_of({0, 5, 5, 1, 1, 1, 0}), HasSubstr("not part of the whole"));
  EXPECT_THAT(error_of({0, 5, 5, 0, 0, 1, 0}), HasSubstr("not part of the whole"));
  EXPECT_THAT(error_of({0, 5, 5, 0, 1, 0, 0}), HasSubstr("not part of the whole"));
  EXPECT_THAT(error_of({0, 5, 5, 0, 3, 2, 0}), HasSubstr("not part of the whole"));
  EXPECT_THAT(error_of({0, 5, 5, 0, 1, 1}), HasSubstr("generation: cut short"));
  EXPECT_THAT(error_of({0, 5, 5, 0, 1, 1, 0, 0}), HasSubstr("too many"));
  EXPECT_THAT(error_of({0x80, 0x80, 0x80, 0x80, 0x10, 0, 0, 0, 1, 1, 0}), HasSubstr("first vu"));
  EXPECT_THAT(error_of(Bytes(60, 0)), HasSubstr("69 are more than 64"));
}

}  // namespace
}  // namespace hyperscale::plan
