#include "results/moment_codec.h"

#include "base/sealed_record.h"
#include "results/recorded_fields.h"

#include <map>
#include <string_view>

#include <fmt/format.h>

namespace hyperscale::results {
namespace {

constexpr Seal kMomentSeal{
    .what = "moment", .magic = {'H', 'S', 'M', 'O'}, .version = kMomentFormatVersion, .bytes_max = kResultBytesMax};

// Most buckets and outcomes are empty: encodes the others as pairs of index and count - 1, so that each array has
// exactly one encoding.
template <typename Fields, typename Counts>
void describe_counts(Fields& fields, std::string_view name, Counts& counts) {
  std::map<std::uint32_t, std::uint64_t> filled;
  if constexpr (!Fields::kReads) {
    for (std::uint32_t i = 0; i < counts.size(); ++i)
      if (counts[i] > 0) filled.emplace(i, counts[i] - 1);
  }
  fields.map(name, filled, counts.size(), [&](auto& place, auto& less_one) {
    fields.number(name, place, counts.size() - 1);
    fields.number(name, less_one, UINT64_MAX - 1);
  });
  if constexpr (Fields::kReads) {
    counts = {};
    for (const auto& [place, less_one] : filled) counts[place] = less_one + 1;
  }
}

template <typename Fields>
void describe(Fields& fields, typename Fields::template Ref<ShareMoment> share) {
  fields.number("users", share.users, UINT64_MAX);
  fields.number("iterations", share.iterations, UINT64_MAX);
  fields.number("iterations failed", share.iterations_failed, UINT64_MAX);
  fields.number("dropped", share.dropped, UINT64_MAX);
  fields.number("overdue", share.overdue, UINT64_MAX);
  fields.number("HTTP/1.1 connections", share.http1, UINT64_MAX);
  fields.number("HTTP/2 connections", share.http2, UINT64_MAX);
  fields.number("activity", share.activity, UINT64_MAX);
  describe_counts(fields, "lag", share.lag);
}

template <typename Fields>
void describe(Fields& fields, typename Fields::template Ref<StepMoment> step) {
  describe_counts(fields, "outcomes", step.outcomes);
  fields.number("bytes sent", step.bytes_sent, UINT64_MAX);
  fields.number("bytes received", step.bytes_received, UINT64_MAX);
  fields.number("duration sum", step.duration_sum_ns, UINT64_MAX);
  fields.number("duration min", step.duration_min_ns_plus_1, UINT64_MAX);
  fields.number("duration max", step.duration_max_ns, UINT64_MAX);
  describe_counts(fields, "durations", step.durations);
}

template <typename Fields>
void describe(Fields& fields, typename Fields::template Ref<Moment> moment) {
  fields.number("sequence", moment.sequence, UINT64_MAX);
  describe<Fields>(fields, moment.fast.share);
  fields.list("steps", moment.fast.steps, kResultStepsMax, [&](auto& step) { describe<Fields>(fields, step); });
  bool has_exact = moment.exact.has_value();
  fields.flag("exact", has_exact);
  if (!has_exact) return;
  if constexpr (Fields::kReads) moment.exact.emplace();
  describe<Fields>(fields, *moment.exact);
}

}  // namespace

Result<std::vector<std::uint8_t>> encode(const Moment& moment) {
  std::vector<std::uint8_t> bytes = begin_seal(kMomentSeal);
  FieldWriter writer(bytes);
  describe<FieldWriter>(writer, moment);
  if (writer.failed()) return fail(writer.status().error());
  end_seal(bytes);
  const std::uint64_t values = moment.exact ? recorded_values(*moment.exact) : 0;
  if (bytes.size() > kResultBytesMax || values > kHistogramCountMax) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("a moment of {} bytes and {} values is too large", bytes.size(), values));
  }
  return bytes;
}

Result<Moment> decode_moment(ByteView bytes) {
  const Result<ByteView> content = open_seal(kMomentSeal, bytes);
  if (!content) return fail(content.error());
  FieldReader reader(*content);
  Moment moment;
  describe<FieldReader>(reader, moment);
  reader.end();
  if (reader.failed()) {
    return fail(ErrorCode::kProtocol, fmt::format("moment bytes: {}", reader.status().error().context));
  }
  if (moment.exact && recorded_values(*moment.exact) > kHistogramCountMax) {
    return fail(ErrorCode::kProtocol, "moment bytes: too many values");
  }
  return moment;
}

}  // namespace hyperscale::results
