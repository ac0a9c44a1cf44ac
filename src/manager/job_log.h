// JobLog: the decisions about one job on their way to the journal, in order, one in flight at a time.
//
//   log.decide({.ticket = ticket, .op = op, .record = record});
//   if (auto next = log.next(now, epoch)) out.push_back(*next);   // StoreBlob or Append, each once
//   log.unknown(now);                                             // asked again after a pause, with the same op
//   if (auto* record = log.committed(op)) apply(*record);         // its state changes now
//   log.settle(true);                                             // appended, or refused: the next one
//
// Values that do not fit a record are stored as a blob first. A JobLed of an epoch that has passed is dropped. Bounded
// by kDecisionsMax (CHECK): a share has one open decision at most. One thread; time is passed in.
#pragma once

#include "base/time.h"
#include "jobs/journal/journal.h"
#include "jobs/journal/records.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace hyperscale::manager {

inline constexpr std::size_t kDecisionsMax = 8'192;
inline constexpr Duration kUnknownDelay = 500ms;  // before an unknown decision is repeated

struct StoreBlob {
  std::string job;
  wire::BlobName blob;
  SharedBytes bytes;
};

class JobLog {
 public:
  struct Entry {
    jobs::Ticket ticket;
    jobs::OpId op;
    jobs::Record record;
    std::optional<jobs::KeyClaim> key = {};
    SharedBytes blob_bytes = {};  // of the blob that the record names; empty: none
    MonoTime since = {};          // when it was decided
  };

  explicit JobLog(std::string job) : job_(std::move(job)) {}

  // JobLed goes before all that is not in flight: a new leader announces itself first.
  void decide(Entry entry);

  using Request = std::variant<StoreBlob, jobs::Append>;
  // What to ask for now, under the epoch of the leader; nullopt: nothing is due, or one is in flight.
  std::optional<Request> next(MonoTime now, std::uint64_t epoch);
  // The blob of the first entry is stored, or is to be tried again.
  void stored(bool is_stored, MonoTime now);
  void unknown(MonoTime now);
  // The record with this op is committed: its state changes now. nullptr: it is not of this log, or has been committed.
  const jobs::Record* committed(const jobs::OpId& op);
  // The epoch that the entry in flight was asked under.
  std::uint64_t asked_epoch() const { return entries_.front().asked_epoch; }
  // The entry in flight was refused, but the decision still stands: it is asked again.
  void ask_again();
  // REQUIRES: not empty().
  const Entry& first() const { return entries_.front().entry; }
  // The entry in flight has its last answer and is removed. REQUIRES: it is in flight; appended only after committed.
  Entry settle(bool appended);

  bool empty() const { return entries_.empty(); }
  // Whether the entry in flight is this one.
  bool waits_for(jobs::Ticket ticket) const;
  std::size_t size() const { return entries_.size(); }

 private:
  enum class Step : std::uint8_t { kStore, kStoring, kAppend, kAppending };
  struct Pending {
    Entry entry;
    Step step = Step::kStore;
    bool committed = false;
    MonoTime not_before = {};
    std::uint64_t asked_epoch = 0;
    bool in_flight() const { return step == Step::kStoring || step == Step::kAppending; }
  };
  void bring_leader_forward(std::uint64_t epoch);

  std::string job_;
  std::deque<Pending> entries_;
};

}  // namespace hyperscale::manager
