#include "plan/plan_codec.h"

#include "base/check.h"
#include "base/sealed_record.h"
#include "plan/limits.h"
#include "plan/plan_fields.h"

#include <type_traits>

namespace hyperscale::plan {
namespace {

constexpr Seal kPlanSeal{
    .what = "plan", .magic = {'H', 'S', 'P', 'L'}, .version = kPlanFormatVersion, .bytes_max = kPlanBytesMax};
constexpr Seal kSegmentSeal{
    .what = "segment", .magic = {'H', 'S', 'S', 'G'}, .version = kSegmentFormatVersion, .bytes_max = kSegmentBytesMax};

template <typename Fields>
void describe(Fields& fields, typename Fields::template Ref<Segment> segment) {
  fields.number("first vu", segment.first_vu, UINT32_MAX);
  fields.number("vu count", segment.vu_count, UINT32_MAX);
  fields.number("vu total", segment.vu_total, UINT32_MAX);
  fields.number("index", segment.index, UINT32_MAX);
  fields.number("count", segment.count, UINT32_MAX);
  fields.number("datacenters", segment.datacenters, UINT32_MAX);
  fields.number("generation", segment.generation, UINT32_MAX);
}

bool fits(const Segment& segment) {
  return segment.index < segment.count && segment.datacenters > 0 && segment.count % segment.datacenters == 0 &&
         segment.first_vu <= segment.vu_total && segment.vu_count <= segment.vu_total - segment.first_vu;
}

constexpr auto kDescribe = [](auto& fields, auto& record) {
  describe<std::remove_reference_t<decltype(fields)>>(fields, record);
};

Result<std::vector<std::uint8_t>> encode_within_limits(const Plan& plan) {
  auto bytes = seal_record(kPlanSeal, plan, kDescribe);
  if (bytes && bytes->size() > kPlanBytesMax) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("the plan has {} bytes, bodies included; the most is {}", bytes->size(), kPlanBytesMax));
  }
  return bytes;
}

}  // namespace

Status check_limits(const Plan& plan) {
  const auto encoded = encode_within_limits(plan);
  return encoded ? Status() : fail(encoded.error());
}

std::vector<std::uint8_t> encode(const Plan& plan) {
  auto bytes = encode_within_limits(plan);
  CHECK(bytes, "{}", bytes.error().context);
  return std::move(*bytes);
}

Result<Plan> decode_plan(ByteView bytes) {
  Result<Plan> plan = open_record<Plan>(kPlanSeal, bytes, kDescribe);
  if (!plan) return plan;
  if (const Status whole = check_files(plan->script); !whole) return fail(whole.error());
  return plan;
}

std::vector<std::uint8_t> encode(const Segment& segment) {
  CHECK(fits(segment), "segment {} of {}, users {}+{} of {}", segment.index, segment.count, segment.first_vu,
        segment.vu_count, segment.vu_total);
  auto bytes = seal_record(kSegmentSeal, segment, kDescribe);
  CHECK(bytes, "{}", bytes.error().context);
  return std::move(*bytes);
}

Result<Segment> decode_segment(ByteView bytes) {
  Result<Segment> segment = open_record<Segment>(kSegmentSeal, bytes, kDescribe);
  if (segment && !fits(*segment))
    return fail(ErrorCode::kProtocol, "segment bytes: the share is not part of the whole");
  return segment;
}

}  // namespace hyperscale::plan
