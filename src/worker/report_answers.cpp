// ReportQueue: what managers answered to its questions, or did not.
#include "worker/report_queue.h"

#include <algorithm>
#include <utility>
#include <variant>

namespace hyperscale::worker {

Duration ReportQueue::interval(const std::string& job) const {
  const auto found = paces_.find(job);
  if (found == paces_.end()) return kProgressInterval;
  const auto& [pressure, delay] = found->second;
  if (pressure >= wire::Pressure::kReject) return kKeepAlive;
  const Duration plain = std::max(kProgressInterval, kProgressFlush + delay);
  return pressure == wire::Pressure::kBatch ? std::max(plain, kBatchInterval) : plain;
}

void ReportQueue::succeeded(const Under& under, Box& box, MonoTime now) {
  Delivery& it = delivery(box, under.kind);
  it.tries = 0;
  it.due = now;
  if (under.kind == Kind::kProgress) it.due = std::max(now, it.sent_at + interval(under.attempt.share.job));
  if (under.kind == Kind::kPoll) it.due = now + poll_interval(box);
}

void ReportQueue::try_next(const Under& under, Box& box, MonoTime now) {
  const std::string& job = under.attempt.share.job;
  leaders_.failed(job, under.to.address);
  Delivery& it = delivery(box, under.kind);
  if (under.kind == Kind::kProgress) box.is_fresh = true;
  const std::size_t round = leaders_.round(job);
  it.due = now;
  if (++it.tries % round != 0) return;
  if (under.kind == Kind::kPoll) return void(it.due = now + poll_interval(box));
  Duration most = kRepeatFirst;
  for (std::size_t i = it.tries / round; i > 1 && most < kRepeatMax; --i) most *= 2;
  it.due = now + prng_.between(Duration::zero(), std::min(most, kRepeatMax));
}

// True: accepted by the leader, or it is not wanted any more.
bool ReportQueue::believe(const Under& under, bool accepted, const wire::Fence& known,
                          const std::optional<wire::NodeIdentity>& leader, std::uint64_t epoch, Heard& heard,
                          MonoTime now) {
  const std::string& job = under.attempt.share.job;
  if (known > under.attempt.fence) heard.superseded_by = known;
  heard.accepted = accepted && epoch >= leaders_.epoch(job);
  heard.job_known = accepted || leader || heard.superseded_by;
  if (heard.accepted) heard.epoch = epoch;
  if (heard.accepted || heard.superseded_by) {
    if (heard.accepted) named(job, leader.value_or(under.to), epoch, now);
    return true;
  }
  return false;
}

void ReportQueue::hear(const wire::ProgressAck& ack, const Under& under, Box& box, Heard& heard, MonoTime now) {
  if (!believe(under, ack.accepted, ack.known, ack.leader, ack.epoch, heard, now)) {
    try_next(under, box, now);
    if (ack.leader) named(under.attempt.share.job, *ack.leader, ack.epoch, now);
    return;
  }
  if (heard.accepted) {
    paces_[under.attempt.share.job] = {ack.pressure, std::clamp(ack.delay, Duration::zero(), kProgressDelayMax)};
    heard.exact_through = ack.exact_through;
  }
  succeeded(under, box, now);
}

void ReportQueue::hear(const wire::ReportAck& ack, const Under& under, Box& box, Heard& heard, MonoTime now) {
  if (!believe(under, ack.accepted, ack.known, ack.leader, ack.epoch, heard, now)) {
    try_next(under, box, now);
    if (ack.leader) named(under.attempt.share.job, *ack.leader, ack.epoch, now);
    return;
  }
  if (heard.superseded_by) {
    box.events.clear();
    box.result.reset();
    box.lines = 0;
  } else if (!box.events.empty()) {
    if (box.events.front().event == wire::AttemptEvent::kNote) --box.lines;
    box.events.pop_front();
  } else {
    box.result.reset();
  }
  succeeded(under, box, now);
  if (!has_reports(box)) box.poll.due = now + poll_interval(box);
  heard.closed = box.is_refused && box.events.empty();
}

void ReportQueue::hear(const wire::CancelQueryAnswer& answer, const Under& under, Box& box, Heard& heard,
                       MonoTime now) {
  if (!answer.known) return try_next(under, box, now);
  heard.job_known = true;
  heard.cancelled = answer.is_cancelled;
  if (answer.current > under.attempt.fence) heard.superseded_by = answer.current;
  succeeded(under, box, now);
}

std::optional<ReportQueue::Heard> ReportQueue::acked(SendId id, const wire::JobAnswer& answer, MonoTime now) {
  const auto sent = under_way_.find(id);
  if (sent == under_way_.end()) return std::nullopt;
  const Under under = std::move(sent->second);
  under_way_.erase(sent);
  if (!boxes_.contains(under.attempt)) return std::nullopt;
  Box& it = box(under.attempt);
  delivery(it, under.kind).under_way = false;
  wake_ = MonoTime();
  Heard heard{.attempt = under.attempt};
  const auto* progress = std::get_if<wire::ProgressAck>(&answer);
  const auto* report = std::get_if<wire::ReportAck>(&answer);
  const auto* poll = std::get_if<wire::CancelQueryAnswer>(&answer);
  if (progress != nullptr && under.kind == Kind::kProgress) {
    hear(*progress, under, it, heard, now);
  } else if (report != nullptr && under.kind == Kind::kReport) {
    hear(*report, under, it, heard, now);
  } else if (poll != nullptr && under.kind == Kind::kPoll) {
    hear(*poll, under, it, heard, now);
  } else {
    try_next(under, it, now);
  }
  return heard;
}

void ReportQueue::unanswered(SendId id, MonoTime now) {
  const auto sent = under_way_.find(id);
  if (sent == under_way_.end()) return;
  const Under under = std::move(sent->second);
  under_way_.erase(sent);
  if (!boxes_.contains(under.attempt)) return;
  Box& it = box(under.attempt);
  delivery(it, under.kind).under_way = false;
  wake_ = MonoTime();
  try_next(under, it, now);
}

}  // namespace hyperscale::worker
