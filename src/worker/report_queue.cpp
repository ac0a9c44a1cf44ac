#include "worker/report_queue.h"

#include "base/check.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace hyperscale::worker {
namespace {

// Of a text in UTF-8, at a character's border.
void cut_sentence(std::string& text) {
  if (text.size() <= wire::kSentenceBytesMax) return;
  std::size_t end = wire::kSentenceBytesMax;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  text.resize(end);
}

}  // namespace

void ReportQueue::open(const wire::ShareProgress& first, const wire::NodeIdentity& leader, MonoTime now) {
  const wire::AttemptId& attempt = first.attempt;
  Box& it = boxes_[attempt];
  it.progress = first;
  it.figures.sent_at = now;
  it.poll.due = now + kCancelPoll;
  led_by(attempt.share.job, leader, attempt.fence.epoch, now);
  wake_ = MonoTime();
}

ReportQueue::Box& ReportQueue::box(const wire::AttemptId& attempt) {
  const auto found = boxes_.find(attempt);
  CHECK(found != boxes_.end(), "{} is not open", to_string(attempt));
  return found->second;
}

void ReportQueue::event(wire::WorkflowEvent event) {
  Box& it = box(event.attempt);
  if (it.is_over) return;
  if (event.event == wire::AttemptEvent::kNote) {
    if (it.lines >= kLinesWaitingMax) return void(++it.lines_dropped);
    ++it.lines;
    if (const auto dropped = std::exchange(it.lines_dropped, 0); dropped > 0)
      event.text = fmt::format("({} lines were dropped) {}", dropped, event.text);
  }
  cut_sentence(event.text);
  event.number = ++it.numbers;
  it.events.push_back(std::move(event));
  wake_ = MonoTime();
}

void ReportQueue::progress(wire::ShareProgress progress) {
  Box& it = box(progress.attempt);
  if (it.is_over) return;
  if (progress.fast.size() > wire::kFastMomentBytesMax) progress.fast = {};
  if (progress.exact.size() > wire::kExactDeltaBytesMax) progress.exact = {};
  // An exact part comes once a second: one that was not sent is not lost to a newer reading without one.
  if (it.is_fresh && progress.exact.empty()) progress.exact = it.progress.exact;
  it.progress = std::move(progress);
  it.is_fresh = true;
  wake_ = std::min(wake_, due_of(it, Kind::kProgress));
}

void ReportQueue::finish(const wire::WorkflowFinalResult& result) {
  Box& it = box(result.attempt);
  CHECK(!it.is_over, "{} is over", to_string(result.attempt));
  if (it.lines_dropped > 0) {
    wire::WorkflowEvent note{.attempt = result.attempt, .text = fmt::format("{} lines were dropped", it.lines_dropped)};
    note.number = ++it.numbers;
    it.events.push_back(std::move(note));
    ++it.lines;
  }
  it.is_over = true;
  it.progress = {};
  it.result = result;
  wake_ = MonoTime();
}

void ReportQueue::refuse(const wire::AttemptId& attempt) {
  Box& it = box(attempt);
  CHECK(!it.is_over, "{} is over", to_string(attempt));
  it.is_over = it.is_refused = true;
  ++refused_;
  it.progress = {};
  wake_ = MonoTime();
}

void ReportQueue::close(const wire::AttemptId& attempt) {
  const auto found = boxes_.find(attempt);
  if (found == boxes_.end()) return;
  if (found->second.is_refused) --refused_;
  boxes_.erase(found);
  wake_ = MonoTime();  // perhaps it was this one's
  if (has_job(attempt.share.job)) return;
  leaders_.forget(attempt.share.job);
  paces_.erase(attempt.share.job);
}

std::size_t ReportQueue::end_job(const std::string& job) {
  const std::size_t before = refused_;
  std::vector<wire::AttemptId> all;
  for (auto it = boxes_.lower_bound({.share = {.job = job}, .fence = {}});
       it != boxes_.end() && it->first.share.job == job; ++it)
    all.push_back(it->first);
  for (const wire::AttemptId& attempt : all) close(attempt);
  return before - refused_;
}

bool ReportQueue::has_job(const std::string& job) const {
  const auto first = boxes_.lower_bound({.share = {.job = job}, .fence = {}});
  return first != boxes_.end() && first->first.share.job == job;
}

std::vector<std::string> ReportQueue::jobs() const {
  std::vector<std::string> out;
  for (const auto& [attempt, box] : boxes_)
    if (out.empty() || out.back() != attempt.share.job) out.push_back(attempt.share.job);
  return out;
}

void ReportQueue::led_by(const std::string& job, const wire::NodeIdentity& leader, std::uint64_t epoch, MonoTime now) {
  if (!has_job(job)) return;
  named(job, leader, epoch, now);
  const auto target = leaders_.leader(job);
  if (target && target->address == leader.address) leaders_.lead_answers(job);
}

void ReportQueue::named(const std::string& job, const wire::NodeIdentity& leader, std::uint64_t epoch, MonoTime now) {
  if (leaders_.lead(job, leader, epoch)) hurry(job, now);
}

void ReportQueue::manager_up(const wire::NodeIdentity& manager, MonoTime now) {
  leaders_.manager_up(manager);
  hurry({}, now);
}

void ReportQueue::group_leader(const wire::NodeIdentity& leader, MonoTime now) {
  leaders_.group_leader(leader);
  hurry({}, now);
}

void ReportQueue::hurry(const std::string& job, MonoTime now) {
  for (auto& [attempt, box] : boxes_) {
    if (!job.empty() && attempt.share.job != job) continue;
    for (Delivery* each : {&box.report, &box.figures, &box.poll})
      if (std::exchange(each->tries, 0) > 0) each->due = now;
  }
  wake_ = MonoTime();
}

ReportQueue::Delivery& ReportQueue::delivery(Box& box, Kind kind) {
  if (kind == Kind::kReport) return box.report;
  return kind == Kind::kProgress ? box.figures : box.poll;
}

MonoTime ReportQueue::due_of(const Box& box, Kind kind) {
  constexpr MonoTime kNever = MonoTime::max();
  if (kind == Kind::kReport) return box.report.under_way || !has_reports(box) ? kNever : box.report.due;
  if (kind == Kind::kProgress) {
    if (box.figures.under_way || box.is_over) return kNever;
    return box.is_fresh ? box.figures.due : std::max(box.figures.due, box.figures.sent_at + kKeepAlive);
  }
  // While reports of an attempt that is over are repeated, their answers say what a poll would.
  const bool polls = box.is_over ? !has_reports(box) && !box.is_refused : true;
  return box.poll.under_way || !polls ? kNever : box.poll.due;
}

wire::JobQuestion ReportQueue::question(const wire::AttemptId& attempt, Box& box, Kind kind) const {
  if (kind == Kind::kPoll) return wire::CancelQuery{attempt};
  if (kind == Kind::kReport) {
    if (!box.events.empty()) return box.events.front();
    return *box.result;
  }
  const auto pace = paces_.find(attempt.share.job);
  const bool rejects = pace != paces_.end() && pace->second.pressure >= wire::Pressure::kReject;
  wire::ShareProgress progress = box.progress;
  progress.sequence = ++box.sequence;
  if (!std::exchange(box.is_fresh, false) || rejects) progress.fast = progress.exact = {};
  return progress;
}

std::vector<Send> ReportQueue::due(MonoTime now) {
  std::vector<Send> out;
  if (now < wake_) return out;
  wake_ = MonoTime::max();
  for (auto& [attempt, box] : boxes_) {
    for (const Kind kind : {Kind::kReport, Kind::kProgress, Kind::kPoll}) {
      Delivery& it = delivery(box, kind);
      const bool is_due = due_of(box, kind) <= now;
      const auto to = is_due ? leaders_.target(attempt.share.job) : std::nullopt;
      if (is_due && !to) {
        ++it.tries;  // a manager that comes up is asked at once
        it.due = now + kRepeatMax;
      }
      if (!to) {
        wake_ = std::min(wake_, due_of(box, kind));
        continue;
      }
      it.under_way = true;
      it.sent_at = now;
      const SendId id(++sent_);
      under_way_.emplace(id, Under{attempt, kind, *to});
      out.push_back({id, *to, question(attempt, box, kind)});
    }
  }
  return out;
}

}  // namespace hyperscale::worker
