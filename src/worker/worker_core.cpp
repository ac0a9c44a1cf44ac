#include "worker/worker_core.h"

#include "base/check.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace hyperscale::worker {
namespace {

// What only managers are asked.
wire::JobAnswer misdirected(const wire::BlobWant& want) {
  wire::BytesPart part;
  part.offset = want.offset;
  part.error = "a worker gives no blobs";
  return part;
}
wire::JobAnswer misdirected(const wire::ShareProgress&) {
  return wire::ProgressAck{};
}
wire::JobAnswer misdirected(const wire::WorkflowEvent&) {
  return wire::ReportAck{};
}
wire::JobAnswer misdirected(const wire::WorkflowFinalResult&) {
  return wire::ReportAck{};
}
wire::JobAnswer misdirected(const wire::CancelQuery&) {
  return wire::CancelQueryAnswer{};
}
wire::JobAnswer misdirected(const wire::WorkerRegistration&) {
  wire::RegistrationAck ack;
  ack.error = "a worker registers no one";
  return ack;
}

}  // namespace

WorkerCore::WorkerCore(const WorkerSetup& setup)
    : one_result_bytes_max_(setup.one_result_bytes_max),
      cores_(setup.cores),
      fences_(setup.boot, setup.fenced_shares_max),
      shelf_(setup.results_max, setup.result_bytes_max),
      reports_(setup.seed) {
  CHECK(setup.cores > 0 && setup.results_max <= wire::kAttemptsPerWorkerMax, "{} cores, {} results", setup.cores,
        setup.results_max);
}

Actions<WorkerCore::Action> WorkerCore::step(const Event& event, MonoTime now) {
  CHECK(now >= now_, "{} ns after {} ns", now.ns(), now_.ns());
  now_ = now;
  std::visit([&](const auto& kind) { handle(kind, now); }, event);
  for (Send& send : reports_.due(now)) out_.emplace_back(std::move(send));
  const bool is_empty = attempts_.empty() && shelf_.kept().empty() && reports_.empty();
  if (draining_ && is_empty && !std::exchange(drained_, true)) out_.emplace_back(Drained{});
  check();
  return std::exchange(out_, {});
}

void WorkerCore::check() const {
  std::size_t taken = 0;
  for (const auto& [share, here] : attempts_) {
    const wire::AttemptId& id = here.attempt.id();
    taken += here.attempt.cores().size();
    const wire::Fence newest = fences_.newest(share);
    CHECK(id.share == share && id.fence <= newest, "{} has fence {}", to_string(id), to_string(newest));
    CHECK(id.fence == newest || here.attempt.ending(), "{} runs beside fence {}", to_string(id), to_string(newest));
  }
  CHECK(taken + cores_.available() == cores_.total(), "{} cores taken, {} of {} free", taken, cores_.available(),
        cores_.total());
  CHECK(shelf_.reserved() == attempts_.size() + reports_.refused(), "{} places for {} attempts and {} refused",
        shelf_.reserved(), attempts_.size(), reports_.refused());
}

MonoTime WorkerCore::next_wake() const {
  MonoTime wake = reports_.next_wake();
  for (const auto& [share, here] : attempts_) wake = std::min(wake, wake_of(here));
  for (const std::string& job : reports_.jobs()) wake = std::min(wake, over_at(job));
  return wake;
}

void WorkerCore::answer(Ticket ticket, wire::JobAnswer answer) {
  out_.emplace_back(Answer{ticket, std::move(answer)});
}

void WorkerCore::note(std::string text) {
  out_.emplace_back(Note{std::move(text)});
}

WorkerCore::Here* WorkerCore::find(const wire::AttemptId& attempt) {
  const auto found = attempts_.find(attempt.share);
  return found != attempts_.end() && found->second.attempt.id() == attempt ? &found->second : nullptr;
}

bool WorkerCore::has_attempts_of(const std::string& job) const {
  const auto first = attempts_.lower_bound({.job = job});
  return first != attempts_.end() && first->first.job == job;
}

// When a job that no manager knows is taken to have ended; max(): it has attempts.
MonoTime WorkerCore::over_at(const std::string& job) const {
  return has_attempts_of(job) ? MonoTime::max() : guard_.over_at(job);
}

void WorkerCore::forget_if_over(const std::string& job) {
  if (!reports_.has_job(job)) guard_.forget(job);
}

void WorkerCore::handle(const Asked& event, MonoTime now) {
  std::visit([&](const auto& kind) { question(event, kind, now); }, event.question);
}

void WorkerCore::handle(const ManagerUp& event, MonoTime now) {
  reports_.manager_up(event.manager, now);
}

void WorkerCore::handle(const ManagerDown& event, MonoTime) {
  reports_.manager_down(event.manager);
}

void WorkerCore::handle(const LeaderHeard& event, MonoTime now) {
  if (event.term < fences_.term()) return;
  fences_.promise(event.term);
  reports_.group_leader(event.leader, now);
}

void WorkerCore::handle(const Draining&, MonoTime) {
  if (!std::exchange(draining_, true)) ++version_;
}

void WorkerCore::question(const Asked& asked, const wire::WorkerQuery& query, MonoTime now) {
  fences_.promise(query.term);
  answer(asked.ticket, snapshot(query.job, now));
}

wire::WorkerAnswer WorkerCore::snapshot(const std::string& job, MonoTime now) const {
  wire::WorkerAnswer out;
  out.boot = fences_.boot();
  out.term = fences_.term();
  out.total_cores = cores_.total();
  out.available_cores = cores_.available();
  out.version = version_;
  out.draining = draining_;
  for (const auto& [share, here] : attempts_) {
    if (!job.empty() && share.job != job) continue;
    out.attempts.push_back(here.attempt.state(now));
  }
  for (const auto& [attempt, kept] : shelf_.kept())
    if (job.empty() || attempt.share.job == job) out.attempts.push_back(kept.state);
  for (const auto& [share, here] : attempts_) {
    if (!here.successor || (!job.empty() && share.job != job)) continue;
    if (out.attempts.size() >= wire::kAttemptsPerWorkerMax) break;
    wire::AttemptState next;
    next.attempt = here.successor->dispatch.attempt;
    next.digest = here.successor->dispatch.digest;
    out.attempts.push_back(std::move(next));
  }
  out.tombstones = fences_.tombstones(job);
  return out;
}

void WorkerCore::question(const Asked& asked, const wire::ResultFetch& fetch, MonoTime) {
  answer(asked.ticket, shelf_.part(fetch));
}

void WorkerCore::question(const Asked& asked, const wire::ResultRelease& release, MonoTime now) {
  const bool was_here = shelf_.release(release.attempt);
  if (was_here) {
    ++version_;
    reports_.close(release.attempt);
    fences_.bury(release.attempt, now);
    forget_if_over(release.attempt.share.job);
  }
  answer(asked.ticket, wire::Released{was_here});
}

template <typename Other>
void WorkerCore::question(const Asked& asked, const Other& other, MonoTime) {
  answer(asked.ticket, misdirected(other));
}

}  // namespace hyperscale::worker
