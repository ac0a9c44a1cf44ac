#include "scripted_run.h"

#include "scripted_executor.h"

namespace hyperscale::node {

RunRequest scripted_run(const std::string& script) {
  RunRequest request;
  request.name = "scripted";
  request.job.name = "job";
  request.job.workflows.emplace_back().plan = scripted_plan(script);
  request.executors = 2;
  request.backend = load::LoopBackend::kEpoll;
  request.ui = UiMode::kNone;
  request.arguments = {"node_local_test", "executor"};
  return request;
}

}  // namespace hyperscale::node
