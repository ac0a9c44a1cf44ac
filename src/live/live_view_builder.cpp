#include "live/live_view_builder.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace hyperscale::live {
namespace {

constexpr Duration kNow = 1s;
constexpr std::size_t kLogLinesMax = 200;

double seconds(Duration time) {
  return static_cast<double>(time.count()) / 1e9;
}

tui::StepView shown(std::string name, const StepMoment& moment) {
  return {.name = std::move(name),
          .requests = moment.requests(),
          .redirected = moment.outcomes[static_cast<std::size_t>(results::Outcome::kRedirected)],
          .rate_per_s = moment.rate_per_s,
          .errors = moment.errors(),
          .p50 = percentile_of(moment.durations, 50),
          .p95 = percentile_of(moment.durations, 95),
          .p99 = percentile_of(moment.durations, 99),
          .p99_9 = percentile_of(moment.durations, 99.9),
          .max = percentile_of(moment.durations, 100),
          .durations = std::accumulate(moment.durations.begin(), moment.durations.end(), std::uint64_t{0}),
          .durations_sum_s = static_cast<double>(moment.duration_sum_ns) / 1e9};
}

StepMoment sum_of(const std::vector<StepMoment>& parts) {
  StepMoment sum;
  for (const StepMoment& part : parts) sum += part;
  return sum;
}

}  // namespace

LiveViewBuilder::LiveViewBuilder(tui::LiveView start, const std::vector<LiveWorkflow>& workflows)
    : view_(std::move(start)) {
  for (const LiveWorkflow& workflow : workflows) {
    tui::WorkflowView& made = view_.workflows.emplace_back();
    made.name = workflow.name;
    made.state = tui::WorkflowState::kWaiting;
    for (const std::string& step : workflow.steps) made.steps.push_back({.name = step});
  }
  point_.workflows.resize(workflows.size());
}

void LiveViewBuilder::log(tui::LogLevel level, std::string text) {
  if (view_.log.size() == kLogLinesMax) view_.log.erase(view_.log.begin());
  view_.log.push_back({.level = level, .at = view_.elapsed, .text = std::move(text)});
}

void LiveViewBuilder::take(const RunMoment& moment, Duration at) {
  Past now{.at = std::max(at, Duration::zero()), .workflows = {}};
  std::size_t step = 0;
  for (const tui::WorkflowView& workflow : view_.workflows) {
    StepMoment& sum = now.workflows.emplace_back();
    for (std::size_t i = 0; i < workflow.steps.size() && step < moment.steps.size(); ++i) sum += moment.steps[step++];
    now.bytes_sent += sum.bytes_sent;
    now.bytes_received += sum.bytes_received;
  }
  while (past_.size() > 1 && now.at - past_[1].at >= kNow) past_.pop_front();
  show_totals(moment, at, now);
  show_steps(moment);
  if (now.at - point_.at >= kNow) push_points(now);
  if (stands_still(now.at)) past_.pop_back();
  past_.push_back(std::move(now));
}

void LiveViewBuilder::show_totals(const RunMoment& moment, Duration at, const Past& now) {
  const StepMoment all = sum_of(now.workflows);
  view_.elapsed = now.at;
  view_.requests = all.requests();
  view_.errors = all.errors();
  view_.outcomes = all.outcomes;
  view_.rate_per_s = all.rate_per_s;
  view_.total_rate_per_s = at > Duration::zero() ? static_cast<double>(view_.requests) / seconds(at) : 0;
  view_.bytes_sent = all.bytes_sent;
  view_.bytes_received = all.bytes_received;
  view_.vus_active = 0;
  view_.iterations = view_.iterations_failed = view_.dropped = view_.overdue = 0;
  DisplayCounts lag{};
  results::HttpVersions http;
  for (const load::ExecutorReading& executor : moment.executors) {
    view_.vus_active += executor.vus_busy;
    view_.iterations += executor.iterations;
    view_.iterations_failed += executor.iterations_failed;
    view_.dropped += executor.dropped + executor.overdue;
    view_.overdue += executor.overdue;
    add(lag, executor.lag);
    add(http, executor.http);
  }
  view_.http_version = results::spoken_text(http);
  view_.lag_p99 = percentile_of(lag, 99);
  const Past& before = past_.empty() ? point_ : past_.front();  // at first the start, when there was nothing
  const DisplayCounts recent = difference(all.durations, sum_of(before.workflows).durations);
  view_.p50 = percentile_of(recent, 50);
  view_.p99 = percentile_of(recent, 99);
  const double span = seconds(now.at - before.at);
  if (stands_still(now.at)) view_.sent_per_s = view_.received_per_s = 0;
  if (span <= 0 || stands_still(now.at)) return;
  view_.sent_per_s = static_cast<double>(now.bytes_sent - before.bytes_sent) / span;
  view_.received_per_s = static_cast<double>(now.bytes_received - before.bytes_received) / span;
}

void LiveViewBuilder::show_steps(const RunMoment& moment) {
  std::size_t step = 0;
  for (tui::WorkflowView& workflow : view_.workflows) {
    StepMoment sum;
    for (tui::StepView& each : workflow.steps) {
      if (step == moment.steps.size()) return;
      sum += moment.steps[step];
      each = shown(std::move(each.name), moment.steps[step++]);
    }
    workflow.total = shown("", sum);
  }
}

// The second between two points.
void LiveViewBuilder::push_points(const Past& now) {
  const double span = seconds(now.at - point_.at);
  for (std::size_t i = 0; i < view_.workflows.size(); ++i) {
    const StepMoment& later = now.workflows[i];
    const StepMoment& earlier = point_.workflows[i];
    const DisplayCounts gained = difference(later.durations, earlier.durations);
    view_.workflows[i].course.push({.rate_per_s = static_cast<double>(later.requests() - earlier.requests()) / span,
                                    .errors_per_s = static_cast<double>(later.errors() - earlier.errors()) / span,
                                    .p50 = percentile_of(gained, 50),
                                    .p95 = percentile_of(gained, 95),
                                    .p99 = percentile_of(gained, 99)});
  }
  point_ = now;
}

}  // namespace hyperscale::live
