#include "cluster/frame_gate.h"
#include "node/cluster/cluster_service.h"
#include "node/compute_service.h"
#include "node/routes.h"
#include "runtime/clock/clock.h"

#include <fmt/format.h>

namespace hyperscale::node {
namespace {

asio::awaitable<Result<SharedBytes>> call(NodeParts& parts, wire::RequestPayload request, runtime::CancelToken cancel) {
  if (parts.cluster && request.method_name() == cluster::kClusterMethod) {
    auto answer = co_await parts.cluster->answer(request.body);
    co_return answer;
  }
  const auto config = parts.current();
  Result<runtime::Job> job = fail(ErrorCode::kNotFound, "");
  ComputeRequest compute;
  if (request.method_name() == "echo") {
    compute.endpoint = "frame/echo";
    job = runtime::echo_job(std::move(request.body));
  } else if (request.method_name() == "compute") {
    compute.endpoint = "frame/compute";
    job = runtime::parse_job(request.body.text(), config->admin.fault_injection);
  } else {
    co_return fail(ErrorCode::kNotFound, fmt::format("no method '{}'; known are echo, compute", request.method_name()));
  }
  if (!job) co_return fail(job.error());
  const MonoTime begin = runtime::mono_now();
  compute.deadline = begin + config->facets.deadline;
  compute.tenant = "anonymous";
  compute.cancel = std::move(cancel);
  const std::string endpoint = compute.endpoint;
  ComputeService service(parts);
  auto result = co_await service.run(std::move(*job), std::move(compute));
  if (!result && result.error().code == ErrorCode::kTimeout)
    parts.metrics.add(runtime::Counter::kIoTimeouts, "request");
  parts.metrics.observe_latency(endpoint, "FRAME", runtime::mono_now() - begin);
  co_return result;
}

}  // namespace

runtime::FrameHandler frame_methods(NodeParts& parts) {
  return [&parts](wire::RequestPayload request, runtime::CancelToken cancel) {
    return call(parts, std::move(request), std::move(cancel));
  };
}

}  // namespace hyperscale::node
