// Jobs for tests of the manager: workflows by name, with what the test is about.
#pragma once

#include "plan/job.h"

#include <string>
#include <utility>
#include <vector>

namespace hyperscale::manager {

struct SomeWorkflow {
  std::string name = {};
  std::vector<std::string> depends = {};
  std::uint32_t vus = 8;
  plan::Priority priority = plan::Priority::kAuto;
  bool is_test = true;
  Duration duration = 10s;
  std::uint64_t iterations = 0;
  bool setup = false;
  bool teardown = false;
  Duration start_offset = 0s;
};

inline plan::Job some_job(const std::vector<SomeWorkflow>& workflows) {
  plan::Job job{.name = "job", .workflows = {}};
  for (const SomeWorkflow& each : workflows) {
    plan::Workflow& workflow = job.workflows.emplace_back();
    workflow.plan.name = each.name;
    workflow.plan.load.vus = each.vus;
    workflow.plan.load.duration = each.duration;
    workflow.plan.load.iterations = each.iterations;
    workflow.plan.load.graceful_stop = 0s;
    workflow.plan.script.has_setup = each.setup;
    workflow.plan.script.has_teardown = each.teardown;
    workflow.priority = each.priority;
    workflow.is_test = each.is_test;
    workflow.depends = each.depends;
    workflow.start_offset = each.start_offset;
  }
  return job;
}

}  // namespace hyperscale::manager
