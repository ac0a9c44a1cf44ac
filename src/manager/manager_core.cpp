#include "manager/manager_core.h"

#include "base/check.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace hyperscale::manager {
namespace {

// A round ends when nothing has moved; each moves a phase forward, so few are needed.
constexpr int kRoundsMax = 1'000;

}  // namespace

ManagerCore::ManagerCore(Config config, wire::EntropySource& entropy, Prng jitter)
    : config_(std::move(config)), entropy_(entropy), jitter_(jitter) {}

Actions<ManagerCore::Action> ManagerCore::step(const Event& event, MonoTime now) {
  now_ = now;
  std::visit([&](const auto& each) { handle(each); }, event);
  settle();
  return std::exchange(out_, {});
}

// Running jobs go first: what they wait for is not given to a job that begins.
void ManagerCore::settle() {
  while (!touched_.empty()) {
    const std::set<std::string> touched = std::exchange(touched_, {});
    for (const std::string& id : touched)
      if (LedJob* job = job_of(id)) advance(*job);
    admit();
    for (const std::string& id : touched)
      if (LedJob* job = job_of(id)) flush(*job);
  }
  pump_fetches();
}

void ManagerCore::advance(LedJob& job) {
  if (!owns() || !job.accepted || job.record.over()) return;
  for (int round = 0; round < kRoundsMax; ++round) {
    job.moved = false;
    advance_stage(job);
    for (const std::uint32_t index : job.stage) advance_run(job, index);
    advance_shares(job);
    if (!job.moved) return;
  }
  UNREACHABLE("job {} moves without end", job.id());
}

void ManagerCore::admit() {
  if (!owns()) return;
  const auto waits_for_cores = [&](const std::string& id) { return job_of(id)->cores_wanted > 0; };
  while (std::ranges::none_of(active_, waits_for_cores)) {
    const std::uint32_t free = cores_free(pool_.rooms(now_));
    const auto fits = [&](const std::string& id) {
      const std::uint32_t needed = cores_of_first_stage(*job_of(id));
      return needed > 0 && needed <= free;
    };
    const auto next = queue_.next(fits, now_);
    if (!next) return;
    LedJob& job = *job_of(*next);
    active_.insert(*next);
    job.record.goes_on();
    enter(job, JobState::kDispatching);
    advance(job);
    flush(job);
  }
}

void ManagerCore::handle(const WorkerSeen& event) {
  switch (pool_.seen(event.news)) {
    case WorkerPool::Change::kNone:
      return;
    case WorkerPool::Change::kFull:
      return void(
          out_.emplace_back(Note{fmt::format("{} workers are known, {} is left out", kWorkersMax, event.news.name)}));
    case WorkerPool::Change::kRestarted:
      out_.emplace_back(Note{fmt::format("worker {} has restarted, what it ran is lost", event.news.name)});
      questions_.drop([&](const Question& each) { return each.worker == event.news.name; });
      return touch_all();
    case WorkerPool::Change::kNew:
      return touch_all();
    case WorkerPool::Change::kUpdated:
      return;  // there are a thousand a second: what waits for cores looks at the next tick
  }
}

void ManagerCore::handle(const WorkerDown& event) {
  pool_.down(event.worker);
  questions_.drop([&](const Question& each) { return each.worker == event.worker; });
  touch_all();
}

void ManagerCore::handle(const Tick&) {
  if (owns()) {
    std::vector<Question> ended;
    for (const auto& [id, question] : questions_.due(now_, ended)) send(id, *question);
    for (const Question& each : ended) given_up(each);
    for (const std::string& id : queue_.waiting_since_before(now_ - kQueueTimeout)) {
      queue_.remove(id);
      active_.insert(id);
      end_early(*job_of(id), Ending::Kind::kFail, "no cores became free within the queue timeout of 1h");
    }
    for (const std::string& id : active_) keep_time(*job_of(id));
  }
  while (!kept_until_.empty() && kept_until_.begin()->first <= now_) remove(std::string(kept_until_.begin()->second));
  touch_all();
  if (active_.empty()) admit();
}

LedJob* ManagerCore::job_of(std::string_view id) {
  const auto found = jobs_.find(id);
  return found == jobs_.end() ? nullptr : &found->second;
}

const LedJob* ManagerCore::find(std::string_view job) const {
  const auto found = jobs_.find(job);
  return found == jobs_.end() ? nullptr : &found->second;
}

Share* ManagerCore::share_of(const wire::AttemptId& attempt) {
  LedJob* job = job_of(attempt.share.job);
  return job ? job->shares.find({attempt.share.workflow, attempt.share.part, attempt.share.share}) : nullptr;
}

bool ManagerCore::counts(const wire::AttemptId& attempt) const {
  const LedJob* job = find(attempt.share.job);
  if (!owns() || !job || job->record.over()) return false;
  const Share* share = job->shares.find({attempt.share.workflow, attempt.share.part, attempt.share.share});
  return share && share->is_current(attempt.fence) && share->with_worker() && share->phase() >= SharePhase::kStarting;
}

std::optional<SharedBytes> ManagerCore::content(const wire::AttemptId& attempt) const {
  const LedJob* job = find(attempt.share.job);
  if (!job) return std::nullopt;
  const Share* share = job->shares.find({attempt.share.workflow, attempt.share.part, attempt.share.share});
  if (!share || !share->is_current(attempt.fence) || !share->with_worker()) return std::nullopt;
  return config_.encode_content(content_of(*job, *share));
}

}  // namespace hyperscale::manager
