#include "workflow/graph_check.h"

#include "base/nearest_match.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace hyperscale::workflow {
namespace {

using plan::HookKind;

std::vector<std::string> names_of(const Workflow& workflow, HookKind kind) {
  std::vector<std::string> names;
  for (const Hook& hook : workflow.hooks)
    if (hook.kind == kind) names.push_back(hook.name);
  return names;
}

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

std::string did_you_mean(const std::string& word, std::vector<std::string> names, const std::string& self) {
  std::erase(names, self);
  const auto near = nearest_match(word, names);
  return near ? fmt::format("; did you mean \"{}\"?", *near) : std::string();
}

class Checker {
 public:
  explicit Checker(Description& description) : description_(description) {
    for (const Workflow& workflow : description.workflows) workflows_.push_back(workflow.name);
  }

  std::vector<NameFault> run() {
    for (std::size_t i = 0; i < description_.workflows.size(); ++i) {
      check_hooks(i);
      check_thresholds(i);
      check_dependencies(i);
      check_state(i);
    }
    layer_workflows();
    return std::move(faults_);
  }

 private:
  void add(std::size_t workflow, std::string member, std::string mark, std::string message) {
    faults_.push_back(
        {.workflow = workflow, .member = std::move(member), .mark = std::move(mark), .message = std::move(message)});
  }

  const Workflow* owner_of_step(const std::string& step, const Workflow& except) const {
    for (const Workflow& workflow : description_.workflows)
      if (&workflow != &except && contains(names_of(workflow, HookKind::kStep), step)) return &workflow;
    return nullptr;
  }

  void check_hooks(std::size_t index) {
    Workflow& workflow = description_.workflows[index];
    const std::vector<std::string> steps = names_of(workflow, HookKind::kStep);
    const std::size_t before = faults_.size();
    for (const Hook& hook : workflow.hooks) {
      if (hook.kind != HookKind::kStep && hook.kind != HookKind::kCheck && hook.kind != HookKind::kMetric) continue;
      for (const std::string& name : hook.depends)
        if (!contains(steps, name)) add(index, hook.name, name, unknown_step(workflow, hook, name, steps));
      if (hook.kind != HookKind::kStep && hook.depends.empty())
        add(index, hook.name, "", fmt::format("{} \"{}\" names no step to look at", plan::name(hook.kind), hook.name));
    }
    if (faults_.size() == before) layer_steps(index);
  }

  std::string unknown_step(const Workflow& workflow, const Hook& hook, const std::string& name,
                           const std::vector<std::string>& steps) const {
    const std::string_view verb = hook.kind == HookKind::kStep ? "depends on" : "looks at";
    if (const Workflow* other = owner_of_step(name, workflow))
      return fmt::format(
          "{} \"{}\" {} \"{}\", which is a step of workflow {}; values pass between workflows by state.provide "
          "and state.use",
          plan::name(hook.kind), hook.name, verb, name, other->name);
    const bool other_hook = std::ranges::any_of(workflow.hooks, [&](const Hook& each) { return each.name == name; });
    return fmt::format("{} \"{}\" {} \"{}\", but {}{}", plan::name(hook.kind), hook.name, verb, name,
                       other_hook ? "that is not a step" : "there is no such step",
                       other_hook ? "" : did_you_mean(name, steps, hook.name));
  }

  void layer_steps(std::size_t index) {
    Workflow& workflow = description_.workflows[index];
    std::vector<plan::Dependent> steps;
    std::vector<std::uint32_t> hook_of;
    for (std::uint32_t i = 0; i < workflow.hooks.size(); ++i) {
      if (workflow.hooks[i].kind != HookKind::kStep) continue;
      steps.push_back({.name = workflow.hooks[i].name, .depends = workflow.hooks[i].depends});
      hook_of.push_back(i);
    }
    auto layers = plan::layers_of("step", steps);
    if (!layers) {
      const plan::Dependent& step = steps[layers.error().member];
      return add(index, step.name, "", layers.error().message);
    }
    workflow.layers = std::move(*layers);
    for (std::uint32_t layer = 0; layer < workflow.layers.size(); ++layer) {
      for (std::uint32_t& step : workflow.layers[layer]) {
        step = hook_of[step];
        workflow.hooks[step].layer = layer;
      }
    }
  }

  void check_thresholds(std::size_t index) {
    const Workflow& workflow = description_.workflows[index];
    const std::vector<std::string> steps = names_of(workflow, HookKind::kStep);
    const std::vector<std::string> checks = names_of(workflow, HookKind::kCheck);
    for (const DeclaredThreshold& threshold : workflow.thresholds) {
      if (!threshold.step.empty() && !contains(steps, threshold.step))
        add(index, "thresholds", threshold.step,
            fmt::format("a threshold is for step \"{}\", but there is no such step{}", threshold.step,
                        did_you_mean(threshold.step, steps, "")));
      if (!threshold.check.empty() && !contains(checks, threshold.check))
        add(index, "thresholds", threshold.check,
            fmt::format("a threshold is for check \"{}\", but there is no such check{}", threshold.check,
                        did_you_mean(threshold.check, checks, "")));
      std::vector<std::string> metrics = names_of(workflow, HookKind::kMetric);
      for (const CustomMetric& metric : description_.metrics) metrics.push_back(metric.name);
      if (!threshold.metric.empty() && !contains(metrics, threshold.metric))
        add(index, "thresholds", threshold.metric,
            fmt::format("a threshold is for metric \"{}\", but there is no such metric{}", threshold.metric,
                        did_you_mean(threshold.metric, metrics, "")));
    }
  }

  void check_dependencies(std::size_t index) {
    const Workflow& workflow = description_.workflows[index];
    for (const std::string& name : workflow.depends)
      if (!contains(workflows_, name))
        add(index, "depends", name,
            fmt::format("workflow \"{}\" depends on \"{}\", but there is no such workflow{}", workflow.name, name,
                        did_you_mean(name, workflows_, workflow.name)));
  }

  // CTX-API-7: a workflow that uses a value runs after its provider.
  void check_state(std::size_t index) {
    const Workflow& workflow = description_.workflows[index];
    for (const Hook& hook : workflow.hooks) {
      if (hook.kind != HookKind::kState) continue;
      for (const std::string& name : hook.depends) {
        if (!contains(workflows_, name)) {
          add(index, hook.name, name,
              fmt::format("state \"{}\" names \"{}\", but there is no such workflow{}", hook.name, name,
                          did_you_mean(name, workflows_, workflow.name)));
        } else if (hook.direction == StateDirection::kUse && !contains(workflow.depends, name)) {
          add(index, hook.name, name,
              fmt::format("state \"{0}\" uses values of \"{1}\", so the workflow must run after it: add static depends "
                          "= ['{1}']",
                          hook.name, name));
        }
      }
    }
  }

  void layer_workflows() {
    if (!faults_.empty()) return;
    std::vector<plan::Dependent> members;
    members.reserve(description_.workflows.size());
    for (const Workflow& workflow : description_.workflows)
      members.push_back({.name = workflow.name, .depends = workflow.depends});
    auto layers = plan::layers_of("workflow", members);
    if (layers)
      description_.layers = std::move(*layers);
    else
      add(layers.error().member, "depends", "", layers.error().message);
  }

  Description& description_;
  std::vector<std::string> workflows_;
  std::vector<NameFault> faults_;
};

}  // namespace

std::vector<NameFault> check_names(Description& description) {
  return Checker(description).run();
}

std::vector<Flow> flows_of(const Description& description) {
  const auto names = [](const Workflow& workflow, StateDirection direction, const std::string& other) {
    std::vector<std::string> hooks;
    for (const Hook& hook : workflow.hooks)
      if (hook.kind == HookKind::kState && hook.direction == direction && contains(hook.depends, other))
        hooks.push_back(hook.name);
    return hooks;
  };
  std::vector<Flow> flows;
  for (const Workflow& from : description.workflows) {
    for (const Workflow& to : description.workflows) {
      if (names(to, StateDirection::kUse, from.name).empty()) continue;
      for (std::string& key : names(from, StateDirection::kProvide, to.name))
        flows.push_back({.from = from.name, .to = to.name, .key = std::move(key)});
    }
  }
  return flows;
}

}  // namespace hyperscale::workflow
