#include "manager/job_log.h"

#include "base/check.h"

#include <algorithm>
#include <utility>

namespace hyperscale::manager {

void JobLog::decide(Entry entry) {
  CHECK(entries_.size() < kDecisionsMax, "{} decisions about job {} wait for the journal", entries_.size(), job_);
  entries_.push_back({.entry = std::move(entry)});
}

// Without it the journal refuses everything else; those of former epochs are of no use to anybody.
void JobLog::bring_leader_forward(std::uint64_t epoch) {
  const auto led = [](const Pending& each) { return std::get_if<jobs::JobLed>(&each.entry.record); };
  std::erase_if(entries_,
                [&](const Pending& each) { return led(each) && led(each)->epoch != epoch && !each.committed; });
  const auto newest = std::ranges::find_if(entries_, led);
  if (newest != entries_.end()) std::rotate(entries_.begin(), newest, newest + 1);
}

std::optional<JobLog::Request> JobLog::next(MonoTime now, std::uint64_t epoch) {
  if (empty() || entries_.front().in_flight()) return std::nullopt;
  bring_leader_forward(epoch);
  if (empty() || now < entries_.front().not_before) return std::nullopt;
  Pending& pending = entries_.front();
  const Entry& entry = pending.entry;
  if (pending.step == Step::kStore && !entry.blob_bytes.empty()) {
    pending.step = Step::kStoring;
    const auto* setup = std::get_if<jobs::SetupDone>(&entry.record);
    const auto* layer = std::get_if<jobs::LayerSync>(&entry.record);
    CHECK(setup || layer, "record {} names no blob", jobs::name(entry.record));
    return StoreBlob{job_, *(setup ? setup->values.blob : layer->context.blob), entry.blob_bytes};
  }
  pending.step = Step::kAppending;
  pending.asked_epoch = epoch;
  const auto event = jobs::encode(entry.record);
  CHECK(event, "{}", event.error().context);
  return jobs::Append{.ticket = entry.ticket,
                      .job = job_,
                      .op = entry.op,
                      .epoch = epoch,
                      .wanted = jobs::wanted_for(entry.record),
                      .event = *event,
                      .key = entry.key};
}

void JobLog::stored(bool is_stored, MonoTime now) {
  if (empty() || entries_.front().step != Step::kStoring) return;
  entries_.front().step = is_stored ? Step::kAppend : Step::kStore;
  if (!is_stored) entries_.front().not_before = now + kUnknownDelay;
}

void JobLog::unknown(MonoTime now) {
  ask_again();
  if (!empty()) entries_.front().not_before = now + kUnknownDelay;
}

const jobs::Record* JobLog::committed(const jobs::OpId& op) {
  for (Pending& each : entries_)
    if (each.entry.op == op && !std::exchange(each.committed, true)) return &each.entry.record;
  return nullptr;
}

void JobLog::ask_again() {
  if (!empty() && entries_.front().step == Step::kAppending) entries_.front().step = Step::kAppend;
}

bool JobLog::waits_for(jobs::Ticket ticket) const {
  return !empty() && entries_.front().step == Step::kAppending && first().ticket == ticket;
}

JobLog::Entry JobLog::settle(bool appended) {
  CHECK(!empty() && entries_.front().step == Step::kAppending, "job {}: an answer of the journal without a question",
        job_);
  CHECK(entries_.front().committed == appended, "job {}: a record was {}appended and {}committed", job_,
        appended ? "" : "not ", appended ? "not " : "");
  Entry entry = std::move(entries_.front().entry);
  entries_.pop_front();
  return entry;
}

}  // namespace hyperscale::manager
