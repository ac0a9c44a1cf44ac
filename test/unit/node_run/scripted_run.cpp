#include "scripted_run.h"

namespace hyperscale::node {

RunRequest scripted_run(const std::string& script) {
  RunRequest request;
  request.name = "scripted";
  request.job.name = "job";
  plan::Plan& plan = request.job.workflows.emplace_back().plan;
  plan.name = "plan";
  plan.steps.push_back({.name = script,
                        .requests = {{.method = "GET", .url = "http://127.0.0.1/x", .headers = {}, .body = {}}},
                        .expect = {}});
  plan.load.vus = 10;
  request.executors = 2;
  request.backend = load::LoopBackend::kEpoll;
  request.ui = UiMode::kNone;
  request.arguments = {"node_run_test", "executor"};
  return request;
}

}  // namespace hyperscale::node
