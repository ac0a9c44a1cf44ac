#include "node/compute/compute_service.h"

#include "node/process/node_parts.h"
#include "runtime/clock/clock.h"

#include <utility>

#include <boost/asio/co_spawn.hpp>
#include <fmt/format.h>

namespace hyperscale::node {

// A permit and the cancellation of its work: by the caller that disconnects, or by the facet that drops it.
struct ComputeService::Admission {
  runtime::Facet* facet = nullptr;
  runtime::FacetPermit permit;
  runtime::CancelSource give_up;
  runtime::CancelToken::Registration caller;
};

Result<std::shared_ptr<ComputeService::Admission>> ComputeService::admit(const ComputeRequest& request) {
  auto admission = std::make_shared<Admission>();
  admission->facet = parts_.facets.find(request.facet);
  if (admission->facet == nullptr) {
    return fail(ErrorCode::kNotFound,
                fmt::format("no facet '{}'; known are feed, graph, search, index, mailbox, compute",
                            request.facet.substr(0, 40)));
  }
  const runtime::CancelSource give_up = admission->give_up;
  auto permit = admission->facet->try_acquire({.tenant = request.tenant,
                                               .units = request.units,
                                               .deadline = request.deadline,
                                               .on_dropped = [give_up] { give_up.cancel(); }},
                                              runtime::mono_now());
  if (!permit) return fail(permit.error());
  admission->permit = std::move(*permit);
  admission->caller = request.cancel.on_cancel([give_up] { give_up.cancel(); });
  return admission;
}

asio::awaitable<Result<SharedBytes>> ComputeService::run(runtime::Job job, ComputeRequest request) {
  auto admission = admit(request);
  if (!admission) co_return fail(admission.error());
  co_return co_await run_admitted(std::move(job), *admission, request.endpoint, request.deadline);
}

asio::awaitable<Result<SharedBytes>> ComputeService::run_admitted(runtime::Job job,
                                                                  std::shared_ptr<Admission> admission,
                                                                  std::string endpoint, MonoTime deadline) {
  auto result = co_await parts_.dispatcher.submit(std::move(job), endpoint, deadline, admission->give_up.token());
  if (admission->permit.dropped()) {
    // The facet has already counted it.
    co_return fail(ErrorCode::kTimeout, fmt::format("{} was dropped: its deadline had passed", endpoint));
  }
  if (!result && result.error().code == ErrorCode::kTimeout) admission->facet->on_deadline_missed();
  if (result && admission->facet->name() == "index") {
    parts_.index_updates.try_push({++parts_.index_requested});
  }
  co_return result;
}

Result<std::uint64_t> ComputeService::accept(runtime::Job job, ComputeRequest request) {
  auto admission = admit(request);
  if (!admission) return fail(admission.error());
  (*admission)->caller = {};  // an accepted job outlives its request
  Result<SnowflakeId> id = fail(ErrorCode::kInternal, "");
  {
    const concurrent::RankedLock lock(parts_.job_ids_mutex);
    id = parts_.job_ids.next(runtime::wall_now());
  }
  if (!id) return fail(id.error());
  const std::uint64_t number = id->value();
  if (auto begun = parts_.results.begin(number, runtime::mono_now()); !begun) return fail(begun.error());
  // Joined through its guard: a drain waits until no accepted job runs, and the deadline bounds each job.
  auto settled = [guard = parts_.accepted_jobs.enter()](const std::exception_ptr&) {};
  asio::co_spawn(parts_.node.loops.make_strand(),
                 run_accepted(parts_, std::move(job), *admission, std::move(request), number), std::move(settled));
  return number;
}

asio::awaitable<void> ComputeService::run_accepted(ComputeParts& parts, runtime::Job job,
                                                   std::shared_ptr<Admission> admission, ComputeRequest request,
                                                   std::uint64_t id) {
  ComputeService service(parts);
  auto result = co_await service.run_admitted(std::move(job), std::move(admission), request.endpoint, request.deadline);
  const MonoTime now = runtime::mono_now();
  if (result) {
    const ByteView view = result->view();
    (void)parts.results.complete(id, runtime::ResultCache::Value(view.begin(), view.end()), now);
  } else {
    (void)parts.results.fail_with(id, result.error(), now);
  }
}

}  // namespace hyperscale::node
