#include "cluster/job_workers.h"

#include "base/endian.h"

#include <array>
#include <utility>

#include <fmt/format.h>

namespace hyperscale::cluster {
namespace {

// Uniform in [0, n): draws above the last whole multiple of n are thrown away.
std::uint64_t below(std::uint64_t n, wire::EntropySource& entropy) {
  const std::uint64_t excess = (UINT64_MAX % n + 1) % n;
  std::array<std::uint8_t, 8> bytes{};
  while (true) {
    entropy.fill(bytes);
    const std::uint64_t draw = load_le64(bytes.data());
    if (draw <= UINT64_MAX - excess) return draw % n;
  }
}

}  // namespace

Actions<JobWorkers::Action> JobWorkers::step(const Event& event, MonoTime now) {
  std::visit([&](const auto& each) { take(each, now); }, event);
  return std::exchange(out_, {});
}

std::optional<wire::NodeIdentity> JobWorkers::choose(std::string_view job, wire::EntropySource& entropy) const {
  std::vector<const wire::NodeIdentity*> alive;
  for (const auto& [address, worker] : up_)
    if (node_.is_alive_for_job(job, address)) alive.push_back(&worker);
  if (alive.empty()) return std::nullopt;
  return *alive[below(alive.size(), entropy)];
}

Status JobWorkers::assign(const std::string& job, const std::string& workflow, const wire::NodeIdentity& worker) {
  if (!up_.contains(worker.address)) return fail(ErrorCode::kUnavailable, fmt::format("{} is not up", worker.name));
  if (worker_of(job, workflow)) {
    return fail(ErrorCode::kConflict, fmt::format("workflow {} of job {} has a worker already", workflow, job));
  }
  if (assignments_ >= kAssignmentsMax) {
    return fail(ErrorCode::kBusy, fmt::format("{} workflows are placed, no more fit", assignments_));
  }
  jobs_[job].emplace(workflow, worker);
  ++assignments_;
  return {};
}

std::vector<wire::NodeIdentity> JobWorkers::workers_of(std::string_view job) const {
  std::map<wire::NodeAddress, wire::NodeIdentity> found;
  if (const auto known = jobs_.find(job); known != jobs_.end()) {
    for (const auto& [workflow, worker] : known->second) found.emplace(worker.address, worker);
  }
  std::vector<wire::NodeIdentity> workers;
  workers.reserve(found.size());
  for (auto& [address, worker] : found) workers.push_back(std::move(worker));
  return workers;
}

std::optional<wire::NodeAddress> JobWorkers::worker_of(std::string_view job, std::string_view workflow) const {
  const auto known = jobs_.find(job);
  if (known == jobs_.end()) return std::nullopt;
  const auto placed = known->second.find(workflow);
  if (placed == known->second.end()) return std::nullopt;
  return placed->second.address;
}

void JobWorkers::take(const WorkerUp& event, MonoTime) {
  if (event.worker.role == wire::NodeRole::kWorker) up_.insert_or_assign(event.worker.address, event.worker);
}

void JobWorkers::take(const WorkerDown& event, MonoTime) {
  if (up_.erase(event.worker) == 0) return;
  for (auto& [job, workflows] : jobs_) take_from(job, workflows, event.worker);
  std::erase_if(jobs_, [](const auto& job) { return job.second.empty(); });
}

void JobWorkers::take(const JobWorkerDown& event, MonoTime) {
  const auto known = jobs_.find(event.job);
  if (known == jobs_.end()) return;
  take_from(event.job, known->second, event.worker);
  drop_if_empty(event.job);
}

// Only for this job: probes decide whether the machine is alive (AD30-INT-6).
void JobWorkers::take(const ResponseTimedOut& event, MonoTime now) {
  if (jobs_.contains(event.job)) node_.suspect_job(event.job, event.worker, now);
}

void JobWorkers::take(const Responded& event, MonoTime) {
  node_.answered_job(event.job, event.worker);
}

void JobWorkers::take(const WorkflowEnded& event, MonoTime) {
  const auto known = jobs_.find(event.job);
  if (known == jobs_.end()) return;
  assignments_ -= known->second.erase(event.workflow);
  drop_if_empty(event.job);
}

void JobWorkers::take(const JobCompleted& event, MonoTime) {
  if (const auto known = jobs_.find(event.job); known != jobs_.end()) {
    assignments_ -= known->second.size();
    jobs_.erase(known);
  }
  const std::size_t cleared = node_.clear_job(event.job);
  if (cleared > 0) {
    out_.push_back(Note{.text = fmt::format("Cleared {} suspicions for completed job {}", cleared, event.job)});
  }
}

void JobWorkers::take_from(const std::string& job, Workflows& workflows, const wire::NodeAddress& worker) {
  for (auto each = workflows.begin(); each != workflows.end();) {
    if (each->second.address != worker) {
      ++each;
      continue;
    }
    out_.push_back(PlaceAgain{.job = job, .workflow = each->first, .lost = each->second});
    each = workflows.erase(each);
    --assignments_;
  }
}

void JobWorkers::drop_if_empty(const std::string& job) {
  if (const auto known = jobs_.find(job); known != jobs_.end() && known->second.empty()) jobs_.erase(known);
}

}  // namespace hyperscale::cluster
