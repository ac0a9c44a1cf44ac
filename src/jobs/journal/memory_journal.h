// MemoryJournal: the journal of a datacenter with one manager. Every decision is done at once, in this process: it
// reaches Durability::kNone and is lost with the process. Satisfies Journal.
//
//   MemoryJournal journal("dc/eu-1");
//   deliver(journal.step(MemoryJournal::Won{term}, now));   // Owns
//   deliver(journal.ask(append, now));                      // Committed, Appended
//
// Kept are the epoch of each job's leader, the ops taken and the idempotency keys; not the records, because after a
// restart nothing could read them. A key lives as long as its job: until Forget.
//
// Refused, and certainly not done: no ownership; a record that does not decode or is too large; an epoch that is not
// that of the newest JobLed; a JobLed that is not newer than it; more than the limits below. One thread.
#pragma once

#include "base/result.h"
#include "jobs/journal/journal.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace hyperscale::jobs {

inline constexpr std::size_t kJournalJobsMax = 20'000;
inline constexpr std::size_t kRecordsPerJobMax = 100'000;

class MemoryJournal {
 public:
  struct Won {  // the election: this node leads the group
    wire::Term term;
  };
  struct Lost {};
  using Event = std::variant<Won, Lost>;
  using Action = JournalEvent;

  explicit MemoryJournal(std::string group) : group_(std::move(group)) {}

  Actions<Action> step(const Event& event, MonoTime now);
  Actions<Action> ask(const JournalRequest& request, MonoTime now);

  bool owns() const { return term_.has_value(); }
  std::size_t jobs() const { return jobs_.size(); }

 private:
  struct Job {
    std::uint64_t epoch = 0;  // of the newest JobLed
    std::map<OpId, Sequence> ops;
    std::optional<std::pair<std::string, std::string>> key;  // tenant and key
  };
  struct Key {
    std::string job;
    wire::Sha256 digest{};
  };

  Actions<Action> append(const Append& append);
  void forget(const Forget& forget);
  // Ok: the record may be appended.
  Status check(const Append& append) const;

  const std::string group_;
  std::optional<wire::Term> term_;
  std::map<std::string, Job> jobs_;
  std::map<std::pair<std::string, std::string>, Key> keys_;  // by tenant and key
};

static_assert(Journal<MemoryJournal>);

}  // namespace hyperscale::jobs
