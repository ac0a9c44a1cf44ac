#include "intake/thresholds_from_description.h"

#include "base/nearest_match.h"
#include "intake/hook_label.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

namespace hyperscale::intake {
namespace {

using workflow::Hook;

// The name in results of a step or check that a threshold names by field or label. A function may name its requests at
// run time, so step names are complete only for workflows without functions.
Result<std::string> name_in_results(const workflow::Workflow& declared, plan::HookKind kind,
                                    const std::string& wanted) {
  std::vector<std::string> names;
  bool named_later = false;
  for (const Hook& hook : declared.hooks) {
    named_later = named_later || (kind == plan::HookKind::kStep && hook.scripted);
    if (hook.kind != kind) continue;
    if (hook.name == wanted || label_of(hook) == wanted) return label_of(hook);
    names.push_back(hook.name);
  }
  if (named_later) return wanted;
  const auto nearest = nearest_match(wanted, names);
  return fail(ErrorCode::kInvalidArgument,
              fmt::format("workflow {} has no {} \"{}\" for its threshold{}", declared.name, plan::name(kind), wanted,
                          nearest ? fmt::format("; did you mean \"{}\"?", *nearest) : ""));
}

Result<results::ThresholdScope> scope_of(const workflow::Workflow& declared, const workflow::DeclaredThreshold& each,
                                         bool several) {
  results::ThresholdScope scope{.tag = each.tag, .metric = each.metric};
  const auto fill = [&](plan::HookKind kind, const std::string& wanted, std::string& into) -> Status {
    if (wanted.empty()) return {};
    auto name = name_in_results(declared, kind, wanted);
    if (!name) return fail(name.error());
    into = several ? fmt::format("{}.{}", declared.name, *name) : std::move(*name);
    return {};
  };
  if (Status filled = fill(plan::HookKind::kStep, each.step, scope.step); !filled) return fail(filled.error());
  if (Status filled = fill(plan::HookKind::kCheck, each.check, scope.check); !filled) return fail(filled.error());
  // Metrics of hooks belong to the workflow, metrics that functions add to belong to the file.
  const bool of_hook = std::ranges::any_of(declared.hooks, [&](const Hook& hook) {
    return hook.kind == plan::HookKind::kMetric && hook.name == each.metric;
  });
  if (of_hook && several) scope.metric = fmt::format("{}.{}", declared.name, each.metric);
  const bool one = (scope.step.empty() ? 0 : 1) + (scope.check.empty() ? 0 : 1) + (scope.tag.empty() ? 0 : 1) +
                       (scope.metric.empty() ? 0 : 1) <=
                   1;
  if (one) return scope;
  return fail(
      ErrorCode::kInvalidArgument,
      fmt::format("threshold \"{}\" is for a step, a check, a tag or a metric, not for several of them", each.text));
}

Result<results::Threshold> threshold_of(const workflow::Workflow& declared, const workflow::DeclaredThreshold& each,
                                        bool several) {
  auto scope = scope_of(declared, each, several);
  if (!scope) return fail(scope.error());
  if (*scope == results::ThresholdScope()) return results::parse_scoped(each.text);
  return results::Threshold::parse(each.text, *scope);
}

}  // namespace

Result<std::vector<results::RunThreshold>> thresholds_of(const workflow::Description& description) {
  std::vector<results::RunThreshold> out;
  for (const workflow::Workflow& declared : description.workflows) {
    for (const workflow::DeclaredThreshold& each : declared.thresholds) {
      auto threshold = threshold_of(declared, each, description.workflows.size() > 1);
      if (!threshold) {
        return fail(ErrorCode::kInvalidArgument,
                    fmt::format("{}: {}", workflow::place_text(declared.place), threshold.error().context));
      }
      out.push_back({std::move(*threshold), each.abort_on_fail, each.delay});
    }
  }
  return out;
}

}  // namespace hyperscale::intake
