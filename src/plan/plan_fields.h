// The fields of a plan in their order, with names and limits, for FieldWriter and FieldReader (base/field_bytes.h):
// shared by the codecs of this folder, which encode plans alone or inside other data.
//
// docs/formats/plan.md describes them. A change needs a new version of every format that contains a plan.
#pragma once

#include "base/field_bytes.h"
#include "plan/limits.h"
#include "plan/plan.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hyperscale::plan {

template <typename Fields>
void describe_tags(Fields& fields, typename Fields::template Ref<std::vector<Tag>> tags) {
  fields.list("tags", tags, kTagsMax, [&](auto& tag) {
    fields.text("tag name", tag.name, kNameBytesMax);
    fields.text("tag value", tag.value, kTagValueBytesMax);
  });
}

template <typename Fields>
void describe_names(Fields& fields, std::string_view what,
                    typename Fields::template Ref<std::vector<std::string>> names, std::size_t most) {
  fields.list(what, names, most, [&](auto& name) { fields.text(what, name, kNameBytesMax); });
}

template <typename Fields>
void describe(Fields& fields, typename Fields::template Ref<Request> request) {
  fields.text("method", request.method, kMethodBytesMax);
  fields.text("url", request.url, kUrlBytesMax);
  fields.list("headers", request.headers, kHeadersMax, [&](auto& header) {
    fields.text("header name", header.name, kHeaderNameBytesMax);
    fields.text("header value", header.value, kHeaderValueBytesMax);
  });
  fields.text("body", request.body, kBodyBytesMax);
  fields.text("until", request.until, kUntilBytesMax);
  fields.number("read bytes", request.read_bytes, kRawAnswerBytesMax);
}

template <typename Fields>
void describe(Fields& fields, typename Fields::template Ref<Step> step) {
  fields.text("step name", step.name, kNameBytesMax);
  describe_names<Fields>(fields, "dependencies", step.depends, kStepsMax);
  fields.list("requests", step.requests, kRequestsMax, [&](auto& request) { describe<Fields>(fields, request); });
  fields.list("expected statuses", step.expect.statuses, kExpectedStatusesMax,
              [&](auto& status) { fields.number("expected status", status, kStatusMax); });
  fields.text("expected body", step.expect.body_contains, kExpectedTextBytesMax);
  fields.flag("expects graphql", step.expect.graphql);
  fields.text("step label", step.label, kNameBytesMax);
  describe_tags<Fields>(fields, step.tags);
  fields.duration("step timeout", step.timeout, kPlanDurationMax);
  fields.flag("scripted", step.scripted);
  fields.flag("answer read", step.answer_read);
}

template <typename Fields>
void describe_variables(Fields& fields, std::string_view what, typename Fields::template Ref<std::vector<Tag>> list) {
  fields.list(what, list, kVariablesMax, [&](auto& variable) {
    fields.text(what, variable.name, kNameBytesMax);
    fields.text(what, variable.value, kVariableBytesMax);
  });
}

template <typename Fields>
void describe(Fields& fields, typename Fields::template Ref<Script> script) {
  fields.text("script entry", script.entry, kBlobNameBytesMax);
  fields.text("script workflow", script.workflow, kNameBytesMax);
  fields.choice("script part", script.part, ScriptPart::kTeardown);
  fields.flag("setup", script.has_setup);
  fields.flag("teardown", script.has_teardown);
  fields.list("provisions", script.provides, kProvisionsMax, [&](auto& provision) {
    fields.text("provision key", provision.key, kNameBytesMax);
    describe_names<Fields>(fields, "provided to", provision.to, kProvidedToMax);
  });
  fields.list("files", script.files, kBlobsMax, [&](auto& blob) {
    fields.text("file name", blob.name, kBlobNameBytesMax);
    fields.text("file hash", blob.sha256, kSha256TextBytes);
    fields.text("file content", blob.content, kBlobBytesMax);
  });
  describe_variables<Fields>(fields, "environment", script.env);
  describe_variables<Fields>(fields, "secrets", script.secrets);
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
  fields.flag("redirects anywhere", http.redirects_anywhere);
  fields.flag("cookies", http.cookies);
  fields.flag("new user per iteration", http.new_user_per_iteration);
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
  describe_tags<Fields>(fields, plan.tags);
  fields.number("seed", plan.seed, UINT64_MAX);
  fields.list("steps", plan.steps, kStepsMax, [&](auto& step) { describe<Fields>(fields, step); });
  fields.list("checks", plan.checks, kChecksMax, [&](auto& check) {
    fields.text("check name", check.name, kNameBytesMax);
    describe_names<Fields>(fields, "steps of a check", check.reads, kStepsMax);
  });
  fields.list("metrics", plan.metrics, kMetricsMax, [&](auto& metric) {
    fields.text("metric name", metric.name, kNameBytesMax);
    fields.choice("metric kind", metric.kind, MetricKind::kTrend);
    describe_names<Fields>(fields, "steps of a metric", metric.reads, kStepsMax);
  });
  describe<Fields>(fields, plan.script);
  describe<Fields>(fields, plan.load);
  describe<Fields>(fields, plan.http);
  describe<Fields>(fields, plan.network);
  describe<Fields>(fields, plan.tls);
  fields.list("endpoints", plan.endpoints, kEndpointsMax, [&](auto& endpoint) { describe<Fields>(fields, endpoint); });
}

}  // namespace hyperscale::plan
