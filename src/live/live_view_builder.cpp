#include "live/live_view_builder.h"

#include "base/duration_text.h"
#include "results/http_versions.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace hyperscale::live {
namespace {

using results::StepMoment;

constexpr Duration kNow = 1s;
constexpr std::size_t kLogLinesMax = 200;

std::uint64_t gain(std::uint64_t later, std::uint64_t earlier) {
  return later - std::min(later, earlier);
}

double per_second(std::uint64_t later, std::uint64_t earlier, double span) {
  return span > 0 ? static_cast<double>(gain(later, earlier)) / span : 0;
}

StepView shown(std::string name, const StepMoment& moment, double rate_per_s) {
  return {.name = std::move(name),
          .requests = moment.requests(),
          .redirected = moment.outcomes[static_cast<std::size_t>(results::Outcome::kRedirected)],
          .rate_per_s = rate_per_s,
          .errors = moment.errors(),
          .p50 = moment.percentile(50),
          .p95 = moment.percentile(95),
          .p99 = moment.percentile(99),
          .p99_9 = moment.percentile(99.9),
          .max = moment.max(),
          .durations = std::accumulate(moment.durations.begin(), moment.durations.end(), std::uint64_t{0}),
          .durations_sum_s = static_cast<double>(moment.duration_sum_ns) / 1e9};
}

StepMoment sum_of(const std::vector<StepMoment>& parts) {
  StepMoment sum;
  for (const StepMoment& part : parts) sum += part;
  return sum;
}

}  // namespace

LiveViewBuilder::LiveViewBuilder(LiveView start, const std::vector<LiveWorkflow>& workflows) : view_(std::move(start)) {
  for (const LiveWorkflow& workflow : workflows) {
    WorkflowView& made = view_.workflows.emplace_back();
    made.name = workflow.name;
    made.state = WorkflowState::kWaiting;
    for (const std::string& step : workflow.steps) made.steps.push_back({.name = step});
    point_.requests.resize(point_.requests.size() + workflow.steps.size());
  }
  point_.workflows.resize(workflows.size());
}

void LiveViewBuilder::log(LogLevel level, std::string text) {
  if (view_.log.size() == kLogLinesMax) view_.log.erase(view_.log.begin());
  view_.log.push_back({.level = level, .at = view_.elapsed, .text = std::move(text)});
}

void LiveViewBuilder::take(const results::Moment& moment, Duration at) {
  if (moment.sequence <= view_.tick) return;
  view_.tick = moment.sequence;
  const results::FastMoment& fast = moment.fast;
  Past now{.at = std::max(at, Duration::zero()), .workflows = {}, .requests = {}};
  std::size_t step = 0;
  for (const WorkflowView& workflow : view_.workflows) {
    StepMoment& sum = now.workflows.emplace_back();
    for (std::size_t i = 0; i < workflow.steps.size() && step < fast.steps.size(); ++i, ++step) {
      sum += fast.steps[step];
      now.requests.push_back(fast.steps[step].requests());
    }
  }
  now.requests.resize(point_.requests.size());
  while (past_.size() > 1 && now.at - past_[1].at >= kNow) past_.pop_front();
  const Past& before = past_.empty() ? point_ : past_.front();  // initially the start, with zero figures
  const double span = stands_still(now.at) ? 0 : seconds(now.at - before.at);
  show_totals(fast.share, at, now, before, span);
  show_steps(fast, before, span);
  if (now.at - point_.at >= kNow) push_points(now);
  if (stands_still(now.at)) past_.pop_back();
  past_.push_back(std::move(now));
}

void LiveViewBuilder::show_totals(const results::ShareMoment& share, Duration at, const Past& now, const Past& before,
                                  double span) {
  const StepMoment all = sum_of(now.workflows), earlier = sum_of(before.workflows);
  view_.elapsed = now.at;
  view_.requests = all.requests();
  view_.errors = all.errors();
  view_.outcomes = all.outcomes;
  view_.rate_per_s = per_second(view_.requests, earlier.requests(), span);
  view_.total_rate_per_s = at > Duration::zero() ? static_cast<double>(view_.requests) / seconds(at) : 0;
  view_.bytes_sent = all.bytes_sent;
  view_.bytes_received = all.bytes_received;
  view_.sent_per_s = per_second(all.bytes_sent, earlier.bytes_sent, span);
  view_.received_per_s = per_second(all.bytes_received, earlier.bytes_received, span);
  view_.vus_active = static_cast<std::uint32_t>(std::min<std::uint64_t>(share.users, UINT32_MAX));
  view_.iterations = share.iterations;
  view_.iterations_failed = share.iterations_failed;
  view_.dropped = share.dropped + share.overdue;
  view_.overdue = share.overdue;
  view_.http_version = results::spoken_text({.http1 = share.http1, .http2 = share.http2});
  view_.lag_p99 = percentile_of(share.lag, 99);
  StepMoment recent = all;  // the maximum of the run bounds the last second too
  recent.durations = difference(all.durations, earlier.durations);
  view_.recent_p50 = recent.percentile(50);
  view_.recent_p99 = recent.percentile(99);
}

void LiveViewBuilder::show_steps(const results::FastMoment& moment, const Past& before, double span) {
  std::size_t step = 0;
  for (WorkflowView& workflow : view_.workflows) {
    StepMoment sum;
    double rate_per_s = 0;
    for (StepView& each : workflow.steps) {
      if (step == moment.steps.size()) return;
      const StepMoment& now = moment.steps[step];
      const double rate = per_second(now.requests(), before.requests[step], span);
      sum += now;
      rate_per_s += rate;
      each = shown(std::move(each.name), now, rate);
      ++step;
    }
    workflow.total = shown("", sum, rate_per_s);
  }
}

// Adds a point for the time since the last one, to each workflow.
void LiveViewBuilder::push_points(const Past& now) {
  const double span = seconds(now.at - point_.at);
  for (std::size_t i = 0; i < view_.workflows.size(); ++i) {
    const StepMoment& later = now.workflows[i];
    const StepMoment& earlier = point_.workflows[i];
    StepMoment gained = later;
    gained.durations = difference(later.durations, earlier.durations);
    view_.workflows[i].course.push({.rate_per_s = per_second(later.requests(), earlier.requests(), span),
                                    .errors_per_s = per_second(later.errors(), earlier.errors(), span),
                                    .p50 = gained.percentile(50),
                                    .p95 = gained.percentile(95),
                                    .p99 = gained.percentile(99)});
  }
  point_ = now;
}

}  // namespace hyperscale::live
