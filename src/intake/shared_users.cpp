#include "intake/shared_users.h"

#include "base/number_text.h"
#include "plan/job_schedule.h"
#include "plan/option_values.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace hyperscale::intake {
namespace {

using Group = std::vector<std::uint32_t>;  // indexes of workflows that run at the same time

// Divides `total` in proportion to the weights, at least 1 each: the largest remainders get the users left by rounding.
std::vector<std::uint32_t> divide(std::uint32_t total, std::span<const std::uint32_t> weights) {
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  std::vector<std::uint32_t> parts;
  std::vector<std::pair<double, std::size_t>> remainders;  // negative, with index
  std::uint32_t given = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const double exact = sum > 0 ? total * (weights[i] / sum) : 0;
    parts.push_back(std::max(1U, static_cast<std::uint32_t>(exact)));
    remainders.emplace_back(parts.back() - exact, i);
    given += parts.back();
  }
  std::ranges::sort(remainders);
  for (std::size_t i = 0; given < total; i = (i + 1) % remainders.size(), ++given) ++parts[remainders[i].second];
  // The largest parts give up the users that rounding up to 1 has added.
  for (; given > total; --given) {
    const auto largest = std::ranges::max_element(parts);
    if (*largest == 1) break;
    --*largest;
  }
  return parts;
}

// The workflows that share the users, stage by stage.
Result<std::vector<Group>> groups_of(const plan::Job& job) {
  auto schedule = plan::schedule_of(job, 1);
  if (!schedule) return fail(schedule.error());
  const auto is_closed = [&](const plan::Workflow& each) { return each.plan.load.pacing == plan::Pacing::kClosed; };
  const bool any_closed = std::ranges::any_of(job.workflows, is_closed);
  std::vector<Group> groups;
  for (const auto& stage : schedule->stages) {
    Group group;
    for (const plan::Placement& place : stage)
      if (!any_closed || is_closed(job.workflows[place.workflow])) group.push_back(place.workflow);
    if (!group.empty()) groups.push_back(std::move(group));
  }
  return groups;
}

std::vector<std::uint32_t> users_of(const plan::Job& job, const Group& group) {
  std::vector<std::uint32_t> users;
  for (const std::uint32_t workflow : group) users.push_back(job.workflows[workflow].plan.load.vus);
  return users;
}

}  // namespace

void set_users(const plan::Load& declared, std::uint32_t users, plan::Load& load) {
  load.vus = users;
  if (load.pacing != plan::Pacing::kClosed || declared.vus == 0 || load.stages != declared.stages) return;
  const double factor = static_cast<double>(users) / declared.vus;
  for (plan::Stage& stage : load.stages) stage.target = std::round(stage.target * factor);
}

Result<std::string> share_users(const plan::Job& declared, std::uint32_t users, plan::Job& job) {
  const auto groups = groups_of(declared);
  if (!groups) return fail(groups.error());
  std::uint64_t busiest = 1;
  for (const Group& group : *groups) {
    const auto each = users_of(declared, group);
    busiest = std::max(busiest, std::accumulate(each.begin(), each.end(), std::uint64_t{0}));
    if (group.size() > users)
      return plan::wrong_option(
          "--vus", fmt::format("{} too few for {} workflows that run at the same time; each needs one",
                               users == 1 ? "1 user is" : fmt::format("{} users are", users), group.size()));
  }
  std::vector<std::string> texts(job.workflows.size());
  for (const Group& group : *groups) {
    const auto weights = users_of(declared, group);
    const auto sum = std::accumulate(weights.begin(), weights.end(), 0.0);
    const auto total = static_cast<std::uint32_t>(std::round(users * sum / static_cast<double>(busiest)));
    const auto parts = divide(std::max(total, static_cast<std::uint32_t>(group.size())), weights);
    for (std::size_t i = 0; i < group.size(); ++i) {
      set_users(declared.workflows[group[i]].plan.load, parts[i], job.workflows[group[i]].plan.load);
      texts[group[i]] = fmt::format("{} {}", job.workflows[group[i]].plan.name, count_text(parts[i]));
    }
  }
  std::erase(texts, "");
  return fmt::format("{} users are shared by the workflows as the file has them: {}", count_text(users),
                     fmt::join(texts, ", "));
}

Result<std::string> share_rate(const plan::Job& declared, double rate_per_s, plan::Job& job) {
  double sum = 0;
  for (const plan::Workflow& each : declared.workflows) {
    const plan::Load& load = each.plan.load;
    if (load.pacing != plan::Pacing::kOpen || !load.stages.empty() || !(load.rate_per_s > 0))
      return plan::wrong_option("--rate",
                                fmt::format("workflow {} has no constant rate of its own to scale; give it a static "
                                            "rate in the file",
                                            each.plan.name));
    sum += load.rate_per_s;
  }
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < job.workflows.size(); ++i) {
    plan::Load& load = job.workflows[i].plan.load;
    load.rate_per_s = rate_per_s * declared.workflows[i].plan.load.rate_per_s / sum;
    load.vus = declared.workflows[i].plan.load.vus;
    texts.push_back(fmt::format("{} {}", job.workflows[i].plan.name, rate_text(load.rate_per_s)));
  }
  return fmt::format("{} are shared by the workflows as the file has them: {}", rate_text(rate_per_s),
                     fmt::join(texts, ", "));
}

}  // namespace hyperscale::intake
