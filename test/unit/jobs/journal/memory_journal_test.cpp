#include "jobs/journal/memory_journal.h"

#include "jobs/journal/records.h"

#include <string>
#include <utility>

#include <gtest/gtest.h>

namespace hyperscale::jobs {
namespace {

class OneJournal : public testing::Test {
 protected:
  OneJournal() { journal_.step(MemoryJournal::Won{wire::Term(3)}, MonoTime()); }

  Actions<JournalEvent> append(const std::string& job, std::uint64_t epoch, OpId op, const Record& record,
                               std::optional<KeyClaim> key = {}) {
    return journal_.ask(Append{.ticket = Ticket(++tickets_),
                               .job = job,
                               .op = op,
                               .epoch = epoch,
                               .event = *encode(record),
                               .key = std::move(key)},
                        MonoTime());
  }
  Actions<JournalEvent> lead(const std::string& job, std::uint64_t epoch) {
    return append(job, epoch, {epoch, 0}, JobLed{"m1", epoch});
  }
  // The only answer, of this kind.
  template <typename Kind>
  static Kind only(const Actions<JournalEvent>& events) {
    EXPECT_EQ(events.size(), 1U);
    const auto* kind = std::get_if<Kind>(&events.back());
    EXPECT_NE(kind, nullptr);
    return kind ? *kind : Kind{};
  }

  MemoryJournal journal_{"dc/eu-1"};
  std::uint64_t tickets_ = 0;
};

TEST_F(OneJournal, CommitsThenAnswersAtOnce) {
  const auto events = lead("job", 8);
  ASSERT_EQ(events.size(), 2U);
  const auto& committed = std::get<Committed>(events[0]);
  EXPECT_EQ(committed.job, "job");
  EXPECT_EQ(committed.sequence, Sequence(1));
  EXPECT_EQ(std::get<JobLed>(*decode_record(committed.event.view())).epoch, 8U);
  const auto& appended = std::get<Appended>(events[1]);
  EXPECT_EQ(appended.ticket, Ticket(1));
  EXPECT_EQ(appended.reached, Durability::kNone);
  EXPECT_FALSE(appended.repeated);
}

TEST_F(OneJournal, RepeatedOpChangesNothing) {
  lead("job", 8);
  append("job", 8, {8, 1}, CancelRequested{});
  const auto repeated = only<Appended>(append("job", 8, {8, 1}, CancelRequested{}));
  EXPECT_TRUE(repeated.repeated);
  EXPECT_EQ(repeated.sequence, Sequence(2));
  EXPECT_EQ(std::get<Committed>(append("job", 8, {8, 2}, JobFailed{}).front()).sequence, Sequence(3));
}

TEST_F(OneJournal, RefusesAnotherEpochThanTheLeaders) {
  EXPECT_EQ(only<Refused>(append("job", 0, {0, 1}, CancelRequested{})).error.code, ErrorCode::kConflict);
  EXPECT_EQ(only<Refused>(append("job", 8, {8, 1}, CancelRequested{})).error.code, ErrorCode::kConflict);
  lead("job", 8);
  EXPECT_EQ(only<Refused>(append("job", 7, {7, 1}, CancelRequested{})).error.code, ErrorCode::kConflict);
  EXPECT_EQ(only<Refused>(append("job", 9, {9, 1}, CancelRequested{})).error.code, ErrorCode::kConflict);
  EXPECT_EQ(append("job", 8, {8, 1}, CancelRequested{}).size(), 2U);
}

TEST_F(OneJournal, LeaderChangesToANewerEpochOnly) {
  lead("job", 8);
  EXPECT_EQ(only<Refused>(append("job", 7, {7, 0}, JobLed{"m2", 7})).error.code, ErrorCode::kConflict);
  EXPECT_EQ(only<Refused>(append("job", 8, {8, 9}, JobLed{"m2", 8})).error.code, ErrorCode::kConflict);
  EXPECT_EQ(lead("job", 9).size(), 2U);
  EXPECT_EQ(only<Refused>(append("job", 8, {8, 1}, CancelRequested{})).error.code, ErrorCode::kConflict);
}

TEST_F(OneJournal, RefusesWithoutOwnership) {
  lead("job", 8);
  EXPECT_EQ(only<Loses>(journal_.step(MemoryJournal::Lost{}, MonoTime())).term, wire::Term(3));
  EXPECT_TRUE(journal_.step(MemoryJournal::Lost{}, MonoTime()).empty());
  EXPECT_EQ(only<Refused>(append("job", 8, {8, 1}, CancelRequested{})).error.code, ErrorCode::kUnavailable);
  EXPECT_EQ(only<Owns>(journal_.step(MemoryJournal::Won{wire::Term(4)}, MonoTime())).group, "dc/eu-1");
  EXPECT_EQ(append("job", 8, {8, 1}, CancelRequested{}).size(), 2U);
}

TEST_F(OneJournal, KeyBelongsToOneJobUntilItIsForgotten) {
  const KeyClaim key{"tenant", "nightly", {1}};
  lead("job", 8);
  lead("other", 8);
  EXPECT_EQ(append("job", 8, {8, 1}, JobAccepted{}, key).size(), 2U);
  EXPECT_TRUE(only<Appended>(append("job", 8, {8, 1}, JobAccepted{}, key)).repeated);

  const auto same = only<KeyKnown>(append("other", 8, {8, 1}, JobAccepted{}, key));
  EXPECT_EQ(same.original, "job");
  EXPECT_TRUE(same.same_content);
  EXPECT_FALSE(
      only<KeyKnown>(append("other", 8, {8, 1}, JobAccepted{}, KeyClaim{"tenant", "nightly", {2}})).same_content);
  EXPECT_EQ(append("other", 8, {8, 2}, JobAccepted{}, KeyClaim{"another tenant", "nightly", {2}}).size(), 2U);

  journal_.ask(Forget{"job"}, MonoTime());
  lead("third", 8);
  EXPECT_EQ(append("third", 8, {8, 1}, JobAccepted{}, key).size(), 2U);
}

TEST_F(OneJournal, RefusesWhatIsNoRecord) {
  const auto events = journal_.ask(
      Append{.ticket = Ticket(1), .job = "job", .op = {}, .epoch = 1, .event = SharedBytes::copy_of("?"), .key = {}},
      MonoTime());
  EXPECT_EQ(only<Refused>(events).error.code, ErrorCode::kProtocol);
  EXPECT_EQ(journal_.jobs(), 0U);
}

}  // namespace
}  // namespace hyperscale::jobs
