#include "node/compute/compute_routes.h"

#include "base/json_writer.h"
#include "node/compute/compute_service.h"
#include "node/process/node_parts.h"
#include "runtime/clock/clock.h"

#include <charconv>

#include <fmt/format.h>

namespace hyperscale::node {
namespace {

using runtime::Request;
using runtime::Response;
using RequestPtr = std::shared_ptr<const Request>;

constexpr const char* kComputePath = "/api/v1/compute";
constexpr std::string_view kJobsPrefix = "/api/v1/jobs/";
// The handler's deadline is this much before the listener's, so that callers get its more specific error.
constexpr Duration kSoftMargin = 50ms;

std::optional<std::uint64_t> number(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

Result<ComputeRequest> compute_request(const Request& request, const runtime::NodeConfig& config) {
  ComputeRequest compute;
  compute.facet = request.query("facet").value_or("compute");
  compute.tenant = std::string(request.header("x-tenant").value_or("anonymous"));
  const auto units = number(request.query("units").value_or("1"));
  if (!units || *units == 0 || *units > UINT32_MAX) {
    return fail(ErrorCode::kInvalidArgument, "'units' must be a whole number from 1");
  }
  compute.units = static_cast<std::uint32_t>(*units);
  compute.endpoint = kComputePath;
  compute.deadline = std::min(request.deadline - kSoftMargin, request.received_at + config.facets.deadline);
  compute.cancel = request.cancel;
  return compute;
}

asio::awaitable<Response> compute(ComputeParts& parts, RequestPtr request) {
  const auto config = parts.node.current();
  auto job = runtime::parse_job(request->body.text(), config->admin.fault_injection);
  if (!job) co_return Response::error(job.error());
  auto wanted = compute_request(*request, *config);
  if (!wanted) co_return Response::error(wanted.error());
  ComputeService service(parts);
  if (request->query("mode") == "async") {
    const auto id = service.accept(std::move(*job), std::move(*wanted));
    if (!id) co_return Response::error(id.error());
    // Text, because JSON numbers lose digits beyond 2^53 in many clients.
    const std::string text = std::to_string(*id);
    const std::string location = std::string(kJobsPrefix) + text;
    JsonWriter json;
    json.begin_object(JsonWriter::Layout::kCompact);
    json.field("job", text);
    json.field("result", location);
    json.end_object();
    Response accepted = Response::json(202, json.take_text());
    accepted.headers.push_back({"location", location});
    co_return accepted;
  }
  const bool raw = job->kind == runtime::JobKind::kEcho;
  auto result = co_await service.run(std::move(*job), std::move(*wanted));
  if (!result) co_return Response::error(result.error());
  Response done = Response::json(200, std::string(result->text()));
  if (raw) done.content_type = "application/octet-stream";
  co_return done;
}

asio::awaitable<Response> job_result(ComputeParts& parts, RequestPtr request) {
  const auto id = number(std::string_view(request->path).substr(kJobsPrefix.size()));
  const auto found = id ? parts.results.find(*id, runtime::mono_now()) : std::nullopt;
  if (!found) co_return Response::error({ErrorCode::kNotFound, "no such job, or its result has expired"});
  switch (found->state) {
    case runtime::ResultState::kPending: {
      JsonWriter json;
      json.begin_object(JsonWriter::Layout::kCompact);
      json.field("state", "pending");
      json.end_object();
      co_return Response::json(202, json.take_text());
    }
    case runtime::ResultState::kDone:
      co_return Response::json(200, std::string(found->value.text()));
    case runtime::ResultState::kFailed:
      break;
  }
  co_return Response::error(*found->error);
}

asio::awaitable<Result<SharedBytes>> run_framed(ComputeParts& parts, std::string endpoint, Result<runtime::Job> job,
                                                runtime::CancelToken cancel) {
  if (!job) co_return fail(job.error());
  const MonoTime begin = runtime::mono_now();
  ComputeRequest compute;
  compute.endpoint = endpoint;
  compute.deadline = begin + parts.node.current()->facets.deadline;
  compute.tenant = "anonymous";
  compute.cancel = std::move(cancel);
  ComputeService service(parts);
  auto result = co_await service.run(std::move(*job), std::move(compute));
  if (!result && result.error().code == ErrorCode::kTimeout)
    parts.node.metrics.add(runtime::Counter::kIoTimeouts, "request");
  parts.node.metrics.observe_latency(endpoint, "FRAME", runtime::mono_now() - begin);
  co_return result;
}

}  // namespace

void add_compute_routes(runtime::Router& router, ComputeParts& parts) {
  using runtime::Route;
  router.add(Route{.method = "POST",
                   .path = kComputePath,
                   .handler = [&parts](RequestPtr request) { return compute(parts, std::move(request)); },
                   .admin = true});
  router.add(Route{.method = "GET",
                   .path = std::string(kJobsPrefix) + "*",
                   .handler = [&parts](RequestPtr request) { return job_result(parts, std::move(request)); },
                   .admin = true,
                   .while_draining = true});
}

std::vector<FrameMethod> compute_methods(ComputeParts& parts) {
  return {{.name = "echo",
           .handler =
               [&parts](wire::RequestPayload request, runtime::CancelToken cancel) {
                 return run_framed(parts, "frame/echo", runtime::echo_job(std::move(request.body)), std::move(cancel));
               }},
          {.name = "compute", .handler = [&parts](const wire::RequestPayload& request, runtime::CancelToken cancel) {
             const bool faults = parts.node.current()->admin.fault_injection;
             return run_framed(parts, "frame/compute", runtime::parse_job(request.body.text(), faults),
                               std::move(cancel));
           }}};
}

}  // namespace hyperscale::node
