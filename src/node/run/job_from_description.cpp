#include "node/run/job_from_description.h"

#include <fmt/format.h>

namespace hyperscale::node {
namespace {

tl::unexpected<Error> cannot_run(const workflow::Location& place, std::string_view what) {
  return fail(ErrorCode::kInvalidArgument, fmt::format("{}: {}; this version runs steps that are plain requests",
                                                       workflow::place_text(place), what));
}

Result<plan::Step> step_of(const workflow::Hook& hook) {
  if (hook.kind != plan::HookKind::kStep)
    return cannot_run(hook.place, fmt::format("{} \"{}\" needs the script", plan::name(hook.kind), hook.name));
  if (!hook.request) return cannot_run(hook.place, fmt::format("step \"{}\" is a function", hook.name));
  const workflow::DeclaredRequest& request = *hook.request;
  const bool plain = request.timeout == Duration::zero() && request.name.empty() && request.group.empty() &&
                     request.tags.empty() && hook.group.empty() && hook.tags.empty();
  if (!plain)
    return cannot_run(hook.place, fmt::format("step \"{}\" has a timeout, name, group or tags of its own", hook.name));
  plan::Step step;
  step.name = hook.name;
  step.depends = hook.depends;
  step.requests = {request.request};
  step.expect = request.expect;
  return step;
}

Result<plan::Workflow> workflow_of(const workflow::Workflow& declared, const plan::Plan& settings) {
  if (!declared.data.empty())
    return cannot_run(declared.place, fmt::format("workflow {} reads a data file", declared.name));
  plan::Workflow out;
  out.plan = settings;
  out.plan.name = declared.name;
  out.plan.load = declared.load;
  out.plan.tags.insert(out.plan.tags.end(), declared.tags.begin(), declared.tags.end());
  out.priority = declared.priority;
  out.is_test = declared.is_test;
  out.depends = declared.depends;
  out.start_offset = declared.start_after;
  for (const workflow::Hook& hook : declared.hooks) {
    auto step = step_of(hook);
    if (!step) return fail(step.error());
    out.plan.steps.push_back(std::move(*step));
  }
  return out;
}

Status add_thresholds(const workflow::Workflow& declared, std::vector<results::Threshold>& into) {
  for (const workflow::DeclaredThreshold& each : declared.thresholds) {
    if (!each.step.empty() || !each.check.empty() || !each.tag.empty() || each.abort_on_fail)
      return cannot_run(declared.place, fmt::format("threshold \"{}\" is for a part of the run", each.text));
    auto threshold = results::Threshold::parse(each.text);
    if (!threshold)
      return fail(ErrorCode::kInvalidArgument,
                  fmt::format("{}: {}", workflow::place_text(declared.place), threshold.error().context));
    into.push_back(std::move(*threshold));
  }
  return {};
}

}  // namespace

Result<DescribedJob> job_of(const workflow::Description& description, const plan::Plan& settings) {
  DescribedJob out;
  for (const workflow::Workflow& declared : description.workflows) {
    auto made = workflow_of(declared, settings);
    if (!made) return fail(made.error());
    out.job.workflows.push_back(std::move(*made));
    if (Status read = add_thresholds(declared, out.thresholds); !read) return fail(read.error());
  }
  return out;
}

}  // namespace hyperscale::node
