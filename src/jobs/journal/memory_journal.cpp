#include "jobs/journal/memory_journal.h"

#include "jobs/journal/records.h"

#include <fmt/format.h>

namespace hyperscale::jobs {

Actions<MemoryJournal::Action> MemoryJournal::step(const Event& event, MonoTime) {
  if (const auto* won = std::get_if<Won>(&event)) {
    term_ = won->term;
    return {Owns{group_, won->term}};
  }
  if (!term_) return {};
  const wire::Term lost = *term_;
  term_.reset();
  return {Loses{group_, lost}};
}

Actions<MemoryJournal::Action> MemoryJournal::ask(const JournalRequest& request, MonoTime) {
  if (const auto* what = std::get_if<Append>(&request)) return append(*what);
  forget(std::get<Forget>(request));
  return {};
}

Actions<MemoryJournal::Action> MemoryJournal::append(const Append& append) {
  if (!owns()) return {Refused{append.ticket, {ErrorCode::kUnavailable, group_ + ": this node does not lead"}}};
  if (const auto known = jobs_.find(append.job); known != jobs_.end()) {
    if (const auto done = known->second.ops.find(append.op); done != known->second.ops.end())
      return {Appended{.ticket = append.ticket, .sequence = done->second, .repeated = true}};
  }
  if (append.key) {
    if (const auto taken = keys_.find({append.key->tenant, append.key->key}); taken != keys_.end())
      return {KeyKnown{append.ticket, taken->second.job, taken->second.digest == append.key->digest}};
  }
  if (const Status fits = check(append); !fits) return {Refused{append.ticket, fits.error()}};

  Job& job = jobs_[append.job];
  job.epoch = append.epoch;
  const Sequence sequence(job.ops.size() + 1);
  job.ops.emplace(append.op, sequence);
  if (append.key) {
    job.key.emplace(append.key->tenant, append.key->key);
    keys_.emplace(*job.key, Key{append.job, append.key->digest});
  }
  return {Committed{append.job, sequence, append.op, append.event},
          Appended{.ticket = append.ticket, .sequence = sequence}};
}

Status MemoryJournal::check(const Append& append) const {
  const Result<Record> record = decode_record(append.event.view());
  if (!record) return fail(record.error());
  const auto known = jobs_.find(append.job);
  if (known == jobs_.end() && jobs_.size() >= kJournalJobsMax)
    return fail(ErrorCode::kBusy, fmt::format("the journal holds {} jobs, no more fit", jobs_.size()));
  if (known != jobs_.end() && known->second.ops.size() >= kRecordsPerJobMax)
    return fail(ErrorCode::kBusy, fmt::format("job {} has {} records, no more fit", append.job, kRecordsPerJobMax));
  if (append.key && known != jobs_.end() && known->second.key)
    return fail(ErrorCode::kConflict, fmt::format("job {} has a key already", append.job));

  const std::uint64_t newest = known == jobs_.end() ? 0 : known->second.epoch;
  const auto* led = std::get_if<JobLed>(&*record);
  const bool may_write = led ? led->epoch == append.epoch && led->epoch > newest : append.epoch == newest && newest > 0;
  if (!may_write)
    return fail(ErrorCode::kConflict,
                fmt::format("job {} is led under epoch {}, not {}", append.job, newest, append.epoch));
  return {};
}

void MemoryJournal::forget(const Forget& forget) {
  const auto known = jobs_.find(forget.job);
  if (known == jobs_.end()) return;
  if (known->second.key) keys_.erase(*known->second.key);
  jobs_.erase(known);
}

}  // namespace hyperscale::jobs
