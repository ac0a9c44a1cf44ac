#include "manager/job_queue.h"

#include "base/check.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include <fmt/format.h>

namespace hyperscale::manager {

Status JobQueue::has_room(std::size_t pending) const {
  if (waiting_.size() + pending < kQueuedJobsMax) return {};
  return fail(ErrorCode::kBusy, fmt::format("capacity exceeded: {} jobs wait, no more are accepted", kQueuedJobsMax));
}

void JobQueue::add(std::string job, std::string tenant, MonoTime now) {
  CHECK(position_of(job) == 0, "job {} waits already", job);
  waiting_.push_back({std::move(job), std::move(tenant), now});
}

bool JobQueue::remove(std::string_view job) {
  const auto found = std::ranges::find(waiting_, job, &Waiting::job);
  if (found == waiting_.end()) return false;
  waiting_.erase(found);
  return true;
}

std::optional<std::string> JobQueue::next(const Fits& fits, MonoTime now) {
  std::set<std::string_view> tenants;  // whose head was tried
  for (auto each = waiting_.begin(); each != waiting_.end(); ++each) {
    if (!tenants.insert(each->tenant).second) continue;
    if (fits(each->job)) {
      std::string job = std::move(each->job);
      waiting_.erase(each);
      return job;
    }
    if (each == waiting_.begin() && now - each->since >= kOvertakenMax) return std::nullopt;
  }
  return std::nullopt;
}

std::uint32_t JobQueue::position_of(std::string_view job) const {
  const auto found = std::ranges::find(waiting_, job, &Waiting::job);
  return found == waiting_.end() ? 0 : static_cast<std::uint32_t>(std::distance(waiting_.begin(), found) + 1);
}

std::optional<MonoTime> JobQueue::waits_since(std::string_view job) const {
  const auto found = std::ranges::find(waiting_, job, &Waiting::job);
  return found == waiting_.end() ? std::nullopt : std::optional(found->since);
}

std::vector<std::string> JobQueue::waiting_since_before(MonoTime time) const {
  std::vector<std::string> jobs;
  for (const Waiting& each : waiting_) {
    if (each.since >= time) break;
    jobs.push_back(each.job);
  }
  return jobs;
}

}  // namespace hyperscale::manager
