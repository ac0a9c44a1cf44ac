#include "intake/job_from_description.h"

#include "intake/hook_label.h"
#include "intake/thresholds_from_description.h"

#include <algorithm>

#include <fmt/format.h>

namespace hyperscale::intake {
namespace {

using workflow::Hook;

plan::Step step_of(const Hook& hook) {
  plan::Step step;
  step.name = hook.name;
  step.depends = hook.depends;
  if (const std::string label = label_of(hook); label != hook.name) step.label = label;
  step.tags = hook.tags;
  if (!hook.request) {
    step.scripted = true;
    return step;
  }
  const workflow::DeclaredRequest& request = *hook.request;
  step.requests = {request.request};
  step.expect = request.expect;
  step.timeout = request.timeout;
  step.tags.insert(step.tags.end(), request.tags.begin(), request.tags.end());
  return step;
}

// True if a function can read the answer: one that names the step, a later step, or a provider of values.
bool is_read(const Hook& step, const workflow::Workflow& workflow) {
  return std::ranges::any_of(workflow.hooks, [&](const Hook& hook) {
    if (hook.kind == plan::HookKind::kStep) return hook.scripted && hook.layer > step.layer;
    if (hook.direction == workflow::StateDirection::kProvide) return true;
    return std::ranges::find(hook.depends, step.name) != hook.depends.end();
  });
}

bool has_action(const workflow::Workflow& workflow, workflow::ActionTime when) {
  return std::ranges::any_of(
      workflow.hooks, [&](const Hook& hook) { return hook.kind == plan::HookKind::kAction && hook.when == when; });
}

std::vector<plan::ProvidedKey> provisions_of(const workflow::Workflow& workflow,
                                             const std::vector<workflow::Flow>& flows) {
  std::vector<plan::ProvidedKey> out;
  for (const Hook& hook : workflow.hooks) {
    if (hook.direction != workflow::StateDirection::kProvide) continue;
    plan::ProvidedKey provision{.key = hook.name, .to = {}};
    for (const workflow::Flow& flow : flows)
      if (flow.from == workflow.name && flow.key == hook.name) provision.to.push_back(flow.to);
    if (!provision.to.empty()) out.push_back(std::move(provision));
  }
  return out;
}

// Functions need the script; a workflow of plain requests runs without it, and without the engine in its executors.
void add_functions(const workflow::Workflow& declared, const workflow::Description& description, plan::Plan& plan) {
  const bool scripted =
      !declared.data.empty() || std::ranges::any_of(declared.hooks, [](const Hook& hook) { return hook.scripted; });
  if (!scripted) {
    plan.script = {};
    return;
  }
  plan.script.workflow = declared.name;
  plan.script.has_setup = has_action(declared, workflow::ActionTime::kSetup);
  plan.script.has_teardown = has_action(declared, workflow::ActionTime::kTeardown);
  plan.script.provides = provisions_of(declared, workflow::flows_of(description));
  for (const Hook& hook : declared.hooks) {
    if (hook.kind == plan::HookKind::kCheck) plan.checks.push_back({.name = hook.name, .reads = hook.depends});
    if (hook.kind == plan::HookKind::kMetric)
      plan.metrics.push_back({.name = hook.name, .kind = hook.metric, .reads = hook.depends});
  }
  for (const workflow::CustomMetric& metric : description.metrics)
    plan.metrics.push_back({.name = metric.name, .kind = metric.kind, .reads = {}});
}

plan::Workflow workflow_of(const workflow::Workflow& declared, const workflow::Description& description,
                           const plan::Plan& settings) {
  plan::Workflow out;
  out.plan = settings;
  out.plan.name = declared.name;
  out.plan.load = declared.load;
  if (declared.redirects) out.plan.http.redirects_max = *declared.redirects;
  if (declared.redirects_anywhere) out.plan.http.redirects_anywhere = true;
  if (declared.new_user_per_iteration) out.plan.http.new_user_per_iteration = true;
  out.plan.tags.insert(out.plan.tags.end(), declared.tags.begin(), declared.tags.end());
  out.priority = declared.priority;
  out.is_test = declared.is_test;
  out.depends = declared.depends;
  out.start_offset = declared.start_after;
  for (const Hook& hook : declared.hooks) {
    if (hook.kind != plan::HookKind::kStep) continue;
    plan::Step step = step_of(hook);
    step.answer_read = !step.scripted && is_read(hook, declared);
    out.plan.steps.push_back(std::move(step));
  }
  add_functions(declared, description, out.plan);
  return out;
}

}  // namespace

Result<DescribedJob> job_of(const workflow::Description& description, const plan::Plan& settings) {
  DescribedJob out;
  for (const workflow::Workflow& declared : description.workflows) {
    out.job.workflows.push_back(workflow_of(declared, description, settings));
  }
  auto thresholds = thresholds_of(description);
  if (!thresholds) return fail(thresholds.error());
  out.thresholds = std::move(*thresholds);
  return out;
}

}  // namespace hyperscale::intake
