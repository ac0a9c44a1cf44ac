// The slow journal keeps the promises of a journal whatever it does with time.
#include "slow_journal.h"

#include "jobs/journal/records.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace hyperscale::jobs {
namespace {

constexpr std::uint64_t kEpoch = 8;
constexpr std::uint32_t kRecords = 6;

// Authors of some jobs; each has one Append in flight and repeats it until its outcome is known.
class Authors {
 public:
  Authors(std::uint64_t seed, std::uint32_t jobs)
      : journal_("dc/eu-1", {.seed = seed, .unknown_percent = 40}), next_(jobs, 0), committed_(jobs) {
    deliver(journal_.step(MemoryJournal::Won{wire::Term(1)}, now_));
    for (std::uint32_t job = 0; job < jobs; ++job) append(job);
    for (std::uint32_t i = 0; i < 10'000 && journal_.next_due() != MonoTime::max(); ++i) {
      now_ = journal_.next_due();
      deliver(journal_.step(SlowJournal::Due{}, now_));
    }
  }

  std::uint32_t unknowns() const { return journal_.unknowns(); }
  const std::vector<std::uint32_t>& next() const { return next_; }
  const std::vector<std::vector<std::uint64_t>>& committed() const { return committed_; }
  const std::vector<std::uint32_t>& order() const { return order_; }
  bool early() const { return early_; }

 private:
  void append(std::uint32_t job) {
    const std::uint32_t number = next_[job];
    const Record record = number == 0 ? Record(JobLed{"m1", kEpoch}) : Record(JobFailed{fmt::format("{}", number)});
    deliver(journal_.ask(Append{.ticket = Ticket(job),
                                .job = fmt::format("{}", job),
                                .op = {kEpoch, number},
                                .epoch = kEpoch,
                                .event = *encode(record),
                                .key = {}},
                         now_));
  }

  void deliver(const Actions<JournalEvent>& events) {
    for (const JournalEvent& event : events) {
      if (const auto* done = std::get_if<Committed>(&event)) committed_[std::stoul(done->job)].push_back(done->op.low);
      if (const auto* unknown = std::get_if<Unknown>(&event))
        append(static_cast<std::uint32_t>(unknown->ticket.value()));
      if (const auto* appended = std::get_if<Appended>(&event)) {
        const auto job = static_cast<std::uint32_t>(appended->ticket.value());
        if (committed_[job].size() != next_[job] + 1) early_ = true;
        order_.push_back(job);
        if (++next_[job] < kRecords) append(job);
      }
    }
  }

  MonoTime now_;
  SlowJournal journal_;
  std::vector<std::uint32_t> next_;  // number of the record in flight, per job
  std::vector<std::vector<std::uint64_t>> committed_;
  std::vector<std::uint32_t> order_;
  bool early_ = false;
};

TEST(SlowJournalProperty, EveryRecordIsCommittedOnceInOrder) {
  EXPECT_TRUE(rc::check([](std::uint64_t seed) {
    const Authors authors(seed, 4);
    RC_ASSERT(!authors.early());
    for (std::uint32_t job = 0; job < 4; ++job) {
      RC_ASSERT(authors.next()[job] == kRecords);
      RC_ASSERT((authors.committed()[job] == std::vector<std::uint64_t>{0, 1, 2, 3, 4, 5}));
    }
  }));
}

TEST(SlowJournal, IsUnknownAndOutOfOrder) {
  const Authors authors(7, 4);
  EXPECT_GT(authors.unknowns(), 0U);
  EXPECT_FALSE(std::ranges::is_sorted(authors.order()));
  const std::vector<std::uint32_t> first(authors.order().begin(), authors.order().begin() + 4);
  EXPECT_NE(first, (std::vector<std::uint32_t>{0, 1, 2, 3}));
}

}  // namespace
}  // namespace hyperscale::jobs
