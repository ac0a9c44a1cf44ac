#include "plan/plan_codec.h"

#include "base/crc32c.h"
#include "base/endian.h"
#include "base/prng.h"
#include "plan/limits.h"

#include <functional>
#include <limits>

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

namespace hyperscale::plan {
namespace {

using Bytes = std::vector<std::uint8_t>;
using testing::HasSubstr;

std::string some_text(Prng& prng, std::size_t bytes_max) {
  std::string text(prng.below(bytes_max + 1), ' ');
  for (char& c : text) c = static_cast<char>(prng.next());
  return text;
}

Duration some_time(Prng& prng) {
  return prng.between(0ns, prng.below(2) == 0 ? Duration(200) : kPlanDurationMax);
}

bool some_flag(Prng& prng) {
  return prng.below(2) == 1;
}

Request some_request(Prng& prng) {
  Request request{
      .method = some_text(prng, 5), .url = some_text(prng, 30), .headers = {}, .body = some_text(prng, 300)};
  for (auto n = prng.below(4); n > 0; --n) request.headers.push_back({some_text(prng, 10), some_text(prng, 10)});
  return request;
}

Load some_load(Prng& prng) {
  Load load{.pacing = static_cast<Pacing>(prng.below(2)),
            .vus = static_cast<std::uint32_t>(prng.next()),
            .rate_per_s = prng.unit() * 1e6,
            .stages = {},
            .duration = some_time(prng),
            .iterations = prng.next(),
            .warmup = some_time(prng),
            .graceful_stop = some_time(prng),
            .think_time = some_time(prng),
            .max_lateness = some_time(prng),
            .poisson = some_flag(prng)};
  for (auto n = prng.below(4); n > 0; --n) load.stages.push_back({some_time(prng), prng.unit() * 100});
  return load;
}

// Every field differs from its default in most plans, so that a forgotten field is found.
Plan some_plan(std::uint64_t seed) {
  Prng prng(seed);
  Plan plan;
  plan.name = some_text(prng, 20);
  for (auto n = prng.below(3); n > 0; --n) plan.tags.push_back({some_text(prng, 5), some_text(prng, 5)});
  plan.seed = prng.next();
  for (auto n = prng.below(4); n > 0; --n) {
    Step& step = plan.steps.emplace_back();
    step.name = some_text(prng, 10);
    for (auto m = prng.below(3); m > 0; --m) step.depends.push_back(some_text(prng, 10));
    for (auto m = prng.below(4); m > 0; --m) step.requests.push_back(some_request(prng));
    for (auto m = prng.below(4); m > 0; --m)
      step.expect.statuses.push_back(static_cast<std::uint16_t>(prng.below(1000)));
    step.expect.body_contains = some_text(prng, 10);
  }
  plan.load = some_load(prng);
  plan.http = {.version = static_cast<HttpVersion>(prng.below(3)),
               .pipeline = static_cast<std::uint32_t>(prng.next()),
               .streams = static_cast<std::uint32_t>(prng.next()),
               .keep_alive = some_flag(prng),
               .requests_per_connection = prng.next(),
               .redirects_max = static_cast<std::uint32_t>(prng.next()),
               .cookies = some_flag(prng)};
  plan.network = {.timeouts = {some_time(prng), some_time(prng), some_time(prng), some_time(prng)},
                  .family = static_cast<AddressFamily>(prng.below(3)),
                  .source_addresses = {some_text(prng, 20), some_text(prng, 20)},
                  .unix_socket = some_text(prng, 20),
                  .proxy = some_text(prng, 20)};
  plan.tls = {.insecure = some_flag(prng),
              .ca_pem = some_text(prng, 50),
              .certificate_pem = some_text(prng, 50),
              .key_pem = some_text(prng, 50),
              .server_name = some_text(prng, 20),
              .resume = some_flag(prng)};
  plan.endpoints.push_back({.host = some_text(prng, 20),
                            .port = static_cast<std::uint16_t>(prng.next()),
                            .addresses = {some_text(prng, 20)},
                            .lookup_time = some_time(prng)});
  return plan;
}

Bytes seal(Bytes bytes) {
  const std::uint32_t crc = crc32c(bytes);
  bytes.resize(bytes.size() + 4);
  store_le32(bytes.data() + bytes.size() - 4, crc);
  return bytes;
}

RC_GTEST_PROP(PlanCodec, RoundTrip, (std::uint64_t seed)) {
  const Plan plan = some_plan(seed);
  const Bytes bytes = encode(plan);
  const auto decoded = decode_plan(bytes);
  RC_ASSERT(decoded.has_value());
  RC_ASSERT(*decoded == plan);
  RC_ASSERT(encode(*decoded) == bytes);
}

TEST(PlanCodec, CutBytesAreRefused) {
  Bytes content = encode(some_plan(5));
  content.resize(content.size() - 4);
  for (std::size_t size = 0; size < content.size(); ++size) {
    const auto decoded = decode_plan(seal(Bytes(content.begin(), content.begin() + static_cast<std::ptrdiff_t>(size))));
    ASSERT_FALSE(decoded) << size;
    EXPECT_EQ(decoded.error().code, ErrorCode::kProtocol);
  }
}

// The checksum is made right again, so that the checks behind it are the ones that are tried.
RC_GTEST_PROP(PlanCodec, ChangedBytesAreRefusedOrAnotherPlan, (std::uint64_t seed)) {
  Bytes bytes = encode(some_plan(seed));
  bytes.resize(bytes.size() - 4);
  Prng prng(seed);
  for (int i = 0; i < 20; ++i) {
    Bytes changed = bytes;
    changed[prng.below(changed.size())] = static_cast<std::uint8_t>(prng.next());
    changed = seal(changed);
    if (const auto decoded = decode_plan(changed)) RC_ASSERT(encode(*decoded) == changed);
  }
}

TEST(PlanCodec, ShellIsChecked) {
  const auto error_of = [](const Bytes& bytes) { return decode_plan(bytes).error().context; };
  const Bytes good = encode(some_plan(1));
  Bytes bytes = good;
  bytes[0] ^= 1;
  EXPECT_THAT(error_of(bytes), HasSubstr("wrong magic"));
  bytes = good;
  bytes[4] = 9;
  EXPECT_THAT(error_of(bytes), HasSubstr("version 9, this program reads 2"));
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
  const Bytes expected = seal({'H', 'S', 'S', 'G', 1, 0xcd, 0x02, 0xcd, 0x02, 0xd0, 0x0f, 1, 6});
  EXPECT_EQ(encode(segment), expected);
  EXPECT_EQ(decode_segment(expected), segment);
  EXPECT_EQ(load_le32(expected.data() + expected.size() - 4), 0xdf5c9767U);
}

RC_GTEST_PROP(SegmentCodec, RoundTrip, (std::uint32_t vus)) {
  for (const Segment& segment : segments_of(vus, *rc::gen::inRange<std::uint32_t>(1, 20)))
    RC_ASSERT(decode_segment(encode(segment)) == segment);
}

TEST(SegmentCodec, RefusesAShareThatIsNotPartOfTheWhole) {
  const auto error_of = [](Bytes fields) {
    Bytes bytes{'H', 'S', 'S', 'G', 1};
    bytes.insert(bytes.end(), fields.begin(), fields.end());
    const auto decoded = decode_segment(seal(bytes));
    return decoded ? "accepted" : decoded.error().context;
  };
  EXPECT_EQ(error_of({0, 5, 5, 0, 1}), "accepted");
  EXPECT_THAT(error_of({1, 5, 5, 0, 1}), HasSubstr("not part of the whole"));
  EXPECT_THAT(error_of({6, 0, 5, 0, 1}), HasSubstr("not part of the whole"));
  EXPECT_THAT(error_of({0, 5, 5, 1, 1}), HasSubstr("not part of the whole"));
  EXPECT_THAT(error_of({0, 5, 5, 0, 0}), HasSubstr("not part of the whole"));
  EXPECT_THAT(error_of({0, 5, 5, 0}), HasSubstr("count: cut short"));
  EXPECT_THAT(error_of({0, 5, 5, 0, 1, 0}), HasSubstr("too many"));
  EXPECT_THAT(error_of({0x80, 0x80, 0x80, 0x80, 0x10, 0, 0, 0, 1}), HasSubstr("first vu"));
  EXPECT_THAT(error_of(Bytes(60, 0)), HasSubstr("69 are more than 64"));
}

}  // namespace
}  // namespace hyperscale::plan
