#include "plan/plan_codec.h"

#include "base/check.h"
#include "base/field_bytes.h"
#include "base/sealed_bytes.h"
#include "plan/limits.h"

namespace hyperscale::plan {
namespace {

constexpr Seal kPlanSeal{
    .what = "plan", .magic = {'H', 'S', 'P', 'L'}, .version = kPlanFormatVersion, .bytes_max = kPlanBytesMax};
constexpr Seal kSegmentSeal{
    .what = "segment", .magic = {'H', 'S', 'S', 'G'}, .version = kSegmentFormatVersion, .bytes_max = kSegmentBytesMax};

template <typename Fields>
void describe(Fields& fields, typename Fields::template Ref<Request> request) {
  fields.text("method", request.method, kMethodBytesMax);
  fields.text("url", request.url, kUrlBytesMax);
  fields.list("headers", request.headers, kHeadersMax, [&](auto& header) {
    fields.text("header name", header.name, kHeaderNameBytesMax);
    fields.text("header value", header.value, kHeaderValueBytesMax);
  });
  fields.text("body", request.body, kBodyBytesMax);
}

template <typename Fields>
void describe(Fields& fields, typename Fields::template Ref<Step> step) {
  fields.text("step name", step.name, kNameBytesMax);
  fields.list("dependencies", step.depends, kStepsMax,
              [&](auto& dependency) { fields.text("dependency", dependency, kNameBytesMax); });
  fields.list("requests", step.requests, kRequestsMax, [&](auto& request) { describe<Fields>(fields, request); });
  fields.list("expected statuses", step.expect.statuses, kExpectedStatusesMax,
              [&](auto& status) { fields.number("expected status", status, kStatusMax); });
  fields.text("expected body", step.expect.body_contains, kExpectedTextBytesMax);
}

template <typename Fields>
void describe(Fields& fields, typename Fields::template Ref<Load> load) {
  fields.choice("pacing", load.pacing, Pacing::kOpen);
  fields.number("vus", load.vus, UINT32_MAX);
  fields.real("rate", load.rate_per_s, kRateMax);
  fields.list("stages", load.stages, kStagesMax, [&](auto& stage) {
    fields.duration("stage duration", stage.duration, kPlanDurationMax);
    fields.real("stage target", stage.target, kRateMax);
  });
  fields.duration("duration", load.duration, kPlanDurationMax);
  fields.number("iterations", load.iterations, UINT64_MAX);
  fields.duration("warmup", load.warmup, kPlanDurationMax);
  fields.duration("graceful stop", load.graceful_stop, kPlanDurationMax);
  fields.duration("think time", load.think_time, kPlanDurationMax);
  fields.duration("max lateness", load.max_lateness, kPlanDurationMax);
  fields.flag("poisson", load.poisson);
}

template <typename Fields>
void describe(Fields& fields, typename Fields::template Ref<Http> http) {
  fields.choice("http version", http.version, HttpVersion::kHttp2);
  fields.number("pipeline", http.pipeline, UINT32_MAX);
  fields.number("streams", http.streams, UINT32_MAX);
  fields.flag("keep alive", http.keep_alive);
  fields.number("requests per connection", http.requests_per_connection, UINT64_MAX);
  fields.number("redirects", http.redirects_max, UINT32_MAX);
  fields.flag("cookies", http.cookies);
}

template <typename Fields>
void describe_addresses(Fields& fields, typename Fields::template Ref<std::vector<std::string>> addresses) {
  fields.list("addresses", addresses, kAddressesMax,
              [&](auto& address) { fields.text("address", address, kAddressBytesMax); });
}

template <typename Fields>
void describe(Fields& fields, typename Fields::template Ref<Network> network) {
  fields.duration("connect timeout", network.timeouts.connect, kPlanDurationMax);
  fields.duration("tls timeout", network.timeouts.tls, kPlanDurationMax);
  fields.duration("first byte timeout", network.timeouts.first_byte, kPlanDurationMax);
  fields.duration("total timeout", network.timeouts.total, kPlanDurationMax);
  fields.choice("address family", network.family, AddressFamily::kIpv6);
  describe_addresses(fields, network.source_addresses);
  fields.text("unix socket", network.unix_socket, kSocketPathBytesMax);
  fields.text("proxy", network.proxy, kUrlBytesMax);
}

template <typename Fields>
void describe(Fields& fields, typename Fields::template Ref<Tls> tls) {
  fields.flag("insecure", tls.insecure);
  fields.text("ca", tls.ca_pem, kPemBytesMax);
  fields.text("certificate", tls.certificate_pem, kPemBytesMax);
  fields.text("key", tls.key_pem, kPemBytesMax);
  fields.text("server name", tls.server_name, kHostBytesMax);
  fields.flag("resume", tls.resume);
}

template <typename Fields>
void describe(Fields& fields, typename Fields::template Ref<Endpoint> endpoint) {
  fields.text("endpoint host", endpoint.host, kHostBytesMax);
  fields.number("endpoint port", endpoint.port, UINT16_MAX);
  describe_addresses(fields, endpoint.addresses);
  fields.duration("lookup time", endpoint.lookup_time, kPlanDurationMax);
}

template <typename Fields>
void describe(Fields& fields, typename Fields::template Ref<Plan> plan) {
  fields.text("name", plan.name, kNameBytesMax);
  fields.list("tags", plan.tags, kTagsMax, [&](auto& tag) {
    fields.text("tag name", tag.name, kNameBytesMax);
    fields.text("tag value", tag.value, kTagValueBytesMax);
  });
  fields.number("seed", plan.seed, UINT64_MAX);
  fields.list("steps", plan.steps, kStepsMax, [&](auto& step) { describe<Fields>(fields, step); });
  describe<Fields>(fields, plan.load);
  describe<Fields>(fields, plan.http);
  describe<Fields>(fields, plan.network);
  describe<Fields>(fields, plan.tls);
  fields.list("endpoints", plan.endpoints, kEndpointsMax, [&](auto& endpoint) { describe<Fields>(fields, endpoint); });
}

template <typename Fields>
void describe(Fields& fields, typename Fields::template Ref<Segment> segment) {
  fields.number("first vu", segment.first_vu, UINT32_MAX);
  fields.number("vu count", segment.vu_count, UINT32_MAX);
  fields.number("vu total", segment.vu_total, UINT32_MAX);
  fields.number("index", segment.index, UINT32_MAX);
  fields.number("count", segment.count, UINT32_MAX);
}

bool fits(const Segment& segment) {
  return segment.index < segment.count && segment.first_vu <= segment.vu_total &&
         segment.vu_count <= segment.vu_total - segment.first_vu;
}

template <typename Record>
Status write(const Record& record, std::vector<std::uint8_t>& bytes) {
  FieldWriter writer(bytes);
  describe<FieldWriter>(writer, record);
  return writer.status();
}

template <typename Record>
Result<Record> read(const Seal& seal, ByteView bytes) {
  const Result<ByteView> content = open_seal(seal, bytes);
  if (!content) return fail(content.error());
  FieldReader reader(*content);
  Record record;
  describe<FieldReader>(reader, record);
  reader.end();
  if (reader.failed()) {
    return fail(reader.status().error().code, fmt::format("{} bytes: {}", seal.what, reader.status().error().context));
  }
  return record;
}

Result<std::vector<std::uint8_t>> encode_within_limits(const Plan& plan) {
  std::vector<std::uint8_t> bytes = begin_seal(kPlanSeal);
  if (Status written = write(plan, bytes); !written) return fail(written.error());
  end_seal(bytes);
  if (bytes.size() > kPlanBytesMax) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("the plan has {} bytes, bodies included; the most is {}", bytes.size(), kPlanBytesMax));
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
  return read<Plan>(kPlanSeal, bytes);
}

std::vector<std::uint8_t> encode(const Segment& segment) {
  CHECK(fits(segment), "segment {} of {}, users {}+{} of {}", segment.index, segment.count, segment.first_vu,
        segment.vu_count, segment.vu_total);
  std::vector<std::uint8_t> bytes = begin_seal(kSegmentSeal);
  const Status written = write(segment, bytes);
  CHECK(written, "{}", written.error().context);
  end_seal(bytes);
  return bytes;
}

Result<Segment> decode_segment(ByteView bytes) {
  Result<Segment> segment = read<Segment>(kSegmentSeal, bytes);
  if (segment && !fits(*segment))
    return fail(ErrorCode::kProtocol, "segment bytes: the share is not part of the whole");
  return segment;
}

}  // namespace hyperscale::plan
