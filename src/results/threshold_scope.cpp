#include "results/threshold_scope.h"

#include "base/nearest_match.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace hyperscale::results {
namespace {

struct Kind {
  std::string_view name;
  std::string ThresholdScope::* field;
};
constexpr std::array kKinds{Kind{"step", &ThresholdScope::step}, Kind{"call", &ThresholdScope::call},
                            Kind{"tag", &ThresholdScope::tag}, Kind{"check", &ThresholdScope::check},
                            Kind{"metric", &ThresholdScope::metric}};

constexpr std::string_view kPairSigns = "=:";

bool has_tag(const StepResult& step, std::string_view tag) {
  const std::size_t sign = std::min(tag.find_first_of(kPairSigns), tag.size());
  const auto found = step.tags.find(std::string(tag.substr(0, sign)));
  return found != step.tags.end() && sign < tag.size() && found->second == tag.substr(sign + 1);
}

bool covers(const ThresholdScope& scope, const StepResult& step) {
  if (!scope.step.empty()) return step.name == scope.step;
  if (!scope.call.empty()) return step.named && step.name == scope.call;
  return has_tag(step, scope.tag);
}

tl::unexpected<Error> unknown_kind(std::string_view text, std::string_view kind) {
  std::vector<std::string> names;
  names.reserve(std::size(kKinds));
  for (const Kind& each : kKinds) names.emplace_back(each.name);
  const auto nearest = nearest_match(kind, names);
  return invalid(
      fmt::format("threshold \"{}\": \"{}\" is not what a threshold can be for; {}", text, kind,
                  nearest ? fmt::format("did you mean \"{}\"?", *nearest)
                          : "write step:NAME:, call:NAME:, tag:NAME=VALUE:, check:NAME: or metric:NAME: before it"));
}

}  // namespace

std::string scope_text(const ThresholdScope& scope) {
  for (const Kind& kind : kKinds) {
    if (!(scope.*kind.field).empty()) return fmt::format("{}:{}:", kind.name, scope.*kind.field);
  }
  return {};
}

// A condition contains no colon, a name may.
Result<ScopedCondition> split_scope(std::string_view text) {
  ScopedCondition out;
  const std::size_t first = text.find(':');
  if (first == std::string_view::npos) {
    out.condition = text;
    return out;
  }
  std::string_view word = text.substr(0, first);
  word.remove_prefix(std::min(word.find_first_not_of(" \t"), word.size()));
  const auto kind = std::ranges::find(kKinds, word, &Kind::name);
  if (kind == kKinds.end()) return unknown_kind(text, word);
  const std::size_t last = text.rfind(':');
  if (last == first) {
    return invalid(fmt::format("threshold \"{}\": the condition is missing; write for example {}:NAME:{}", text, word,
                               word == "check" ? "rate>99%" : "p99<200ms"));
  }
  const std::string_view name = text.substr(first + 1, last - first - 1);
  if (name.empty()) return invalid(fmt::format("threshold \"{}\": the name of the {} is missing", text, word));
  if (word == "tag" && name.find_first_of(kPairSigns) == std::string_view::npos)
    return invalid(fmt::format("threshold \"{}\": a tag is written NAME=VALUE", text));
  out.scope.*kind->field = name;
  out.condition = text.substr(last + 1);
  return out;
}

ScopeView view_of(const RunResult& result, const ThresholdScope& scope) {
  ScopeView view;
  if (!scope.check.empty()) {
    const auto check = std::ranges::find(result.checks, scope.check, &CheckResult::name);
    view.found = check != result.checks.end();
    if (view.found) view.check = *check;
    return view;
  }
  if (!scope.metric.empty()) {
    const auto metric = std::ranges::find(result.metrics, scope.metric, &MetricResult::name);
    view.found = metric != result.metrics.end();
    if (view.found) view.metric = &*metric;
    return view;
  }
  const bool whole = scope.step.empty() && scope.call.empty() && scope.tag.empty();
  view.found = whole;
  view.check = all_checks(result);
  for (const StepResult& step : result.steps) {
    if (!whole && !covers(scope, step)) continue;
    view.found = true;
    add(view.counts, step.counts);
    add(view.series, step.series);
  }
  return view;
}

}  // namespace hyperscale::results
