#include "results/merge_steps.h"

#include "results/saturating.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <ranges>
#include <tuple>

#include <fmt/format.h>

namespace hyperscale::results {
namespace {

auto kind(const Failure& failure) {
  return std::tie(failure.outcome, failure.status, failure.message);
}

// An example with a body is more useful; between two bodies any fixed rule is good enough.
void keep_body(Failure& to, const Failure& other) {
  if (other.body_start.empty()) return;
  if (to.body_start.empty() || other.body_start < to.body_start) to.body_start = other.body_start;
}

void merge_failures(std::vector<Failure>& into, const std::vector<Failure>& share) {
  std::vector<Failure> all = std::move(into);
  all.insert(all.end(), share.begin(), share.end());
  std::ranges::sort(all, [](const Failure& a, const Failure& b) { return kind(a) < kind(b); });
  into.clear();
  for (Failure& failure : all) {
    if (!into.empty() && kind(into.back()) == kind(failure)) {
      into.back().count = saturating_add(into.back().count, failure.count);
      keep_body(into.back(), failure);
    } else if (into.size() < kFailuresMax) {
      into.push_back(std::move(failure));
    } else {
      break;
    }
  }
}

void add_figures(StepResult& to, const StepResult& more) {
  add(to.series, more.series);
  add(to.counts, more.counts);
  merge_failures(to.failures, more.failures);
}

auto of_plan(const std::vector<StepResult>& steps) {
  return steps | std::views::filter([](const StepResult& step) { return !step.named; });
}

// The series for items beyond the limit comes last; named series precede those by path.
auto place(const StepResult& series) {
  return std::make_tuple(series.name == kOtherSeries, series.by_path, std::cref(series.name), std::cref(series.tags));
}

void add_named(std::vector<StepResult>& into, const StepResult& series) {
  const auto same = std::ranges::find_if(into, [&](const StepResult& step) {
    return step.named && step.by_path == series.by_path && step.name == series.name && step.tags == series.tags;
  });
  if (same == into.end()) {
    into.push_back(series);
  } else {
    add_figures(*same, series);
  }
}

}  // namespace

void settle_named_series(std::vector<StepResult>& steps) {
  std::vector<StepResult> named;
  for (StepResult& step : steps) {
    if (step.named) named.push_back(std::move(step));
  }
  std::erase_if(steps, [](const StepResult& step) { return step.named; });
  std::ranges::sort(named, [](const StepResult& a, const StepResult& b) { return place(a) < place(b); });
  const bool has_others = !named.empty() && named.back().name == kOtherSeries;
  if (named.size() - (has_others ? 1 : 0) > kNamedSeriesMax) {
    StepResult sum{.name = std::string(kOtherSeries), .series = {}, .counts = {}, .failures = {}, .named = true};
    for (std::size_t i = kNamedSeriesMax; i < named.size(); ++i) add_figures(sum, named[i]);
    named.resize(kNamedSeriesMax);
    named.push_back(std::move(sum));
  }
  std::ranges::move(named, std::back_inserter(steps));
}

Status check_same_steps(const std::vector<StepResult>& into, const std::vector<StepResult>& share) {
  const auto here = std::ranges::distance(of_plan(into));
  const auto there = std::ranges::distance(of_plan(share));
  if (here != there) {
    return fail(ErrorCode::kInvalidArgument, fmt::format("a result of {} steps cannot take one of {}", here, there));
  }
  std::size_t number = 0;
  auto other = of_plan(share);
  auto at = other.begin();
  for (const StepResult& step : of_plan(into)) {
    ++number;
    if (step.name != at->name) {
      return fail(ErrorCode::kInvalidArgument,
                  fmt::format("step {} is \"{}\" here and \"{}\" in the other result", number, step.name, at->name));
    }
    ++at;
  }
  return {};
}

void merge_steps(std::vector<StepResult>& into, const std::vector<StepResult>& share) {
  std::size_t at = 0;
  for (const StepResult& step : share) {
    if (step.named) {
      add_named(into, step);
      continue;
    }
    while (into[at].named) ++at;
    add_figures(into[at], step);
    for (const auto& [name, value] : step.tags) into[at].tags[name] = std::max(into[at].tags[name], value);
    ++at;
  }
  settle_named_series(into);
}

void join_steps(std::vector<StepResult>& into, const std::string& workflow, std::vector<StepResult> other) {
  for (StepResult& step : other) {
    step.name = fmt::format("{}.{}", workflow, step.name);
    into.push_back(std::move(step));
  }
  settle_named_series(into);
}

}  // namespace hyperscale::results
