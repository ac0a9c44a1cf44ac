#include "scripted_run.h"

namespace hyperscale::node {

RunRequest scripted_run(const std::string& script) {
  RunRequest request;
  request.name = "scripted";
  request.plan.name = "plan";
  request.plan.steps.push_back({.name = script,
                                .requests = {{.method = "GET", .url = "http://127.0.0.1/x", .headers = {}, .body = {}}},
                                .expect = {}});
  request.plan.load.vus = 10;
  request.executors = 2;
  request.backend = load::LoopBackend::kEpoll;
  request.ui = UiMode::kNone;
  request.arguments = {"node_run_test", "executor"};
  return request;
}

}  // namespace hyperscale::node
