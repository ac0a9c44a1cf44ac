#include "manager/job_log.h"

#include <gtest/gtest.h>

namespace hyperscale::manager {
namespace {

constexpr std::uint64_t kEpoch = 8;

MonoTime at(Duration since) {
  return MonoTime() + since;
}

JobLog::Entry entry(std::uint64_t number, jobs::Record record) {
  return {.ticket = jobs::Ticket(number), .op = {kEpoch, number}, .record = std::move(record)};
}

jobs::Append append_of(std::optional<JobLog::Request> request) {
  return std::get<jobs::Append>(request.value());
}

class OneLog : public testing::Test {
 protected:
  OneLog() {
    log_.decide(entry(1, jobs::CancelRequested{"me", "why"}));
    log_.decide(entry(2, jobs::JobFailed{"error"}));
  }
  JobLog log_{"job"};
};

TEST_F(OneLog, OneIsInFlight) {
  const jobs::Append first = append_of(log_.next(at(0s), kEpoch));
  EXPECT_EQ(first.ticket, jobs::Ticket(1));
  EXPECT_EQ(first.epoch, kEpoch);
  EXPECT_EQ(first.wanted, jobs::Durability::kGlobal);
  EXPECT_EQ(jobs::decode_record(first.event.view()), jobs::Record(jobs::CancelRequested{"me", "why"}));
  EXPECT_FALSE(log_.next(at(1h), kEpoch));
  EXPECT_TRUE(log_.committed(first.op));
  EXPECT_FALSE(log_.committed(first.op));
  EXPECT_EQ(log_.settle(true).ticket, jobs::Ticket(1));
  EXPECT_EQ(append_of(log_.next(at(0s), kEpoch)).ticket, jobs::Ticket(2));
}

TEST_F(OneLog, UnknownIsRepeatedWithTheSameOp) {
  const jobs::Append first = append_of(log_.next(at(0s), kEpoch));
  log_.unknown(at(0s));
  EXPECT_FALSE(log_.next(at(kUnknownDelay - 1ns), kEpoch));
  const jobs::Append again = append_of(log_.next(at(kUnknownDelay), kEpoch));
  EXPECT_EQ(again.ticket, first.ticket);
  EXPECT_EQ(again.op, first.op);
  log_.committed(first.op);
  log_.settle(true);
  EXPECT_EQ(append_of(log_.next(at(kUnknownDelay), kEpoch)).ticket, jobs::Ticket(2));
}

TEST_F(OneLog, LargeValuesAreStoredFirst) {
  JobLog log("job");
  const wire::BlobName blob{{7}, 9};
  JobLog::Entry large = entry(1, jobs::LayerSync{1, {{}, blob}});
  large.blob_bytes = SharedBytes::copy_of("the values");
  log.decide(std::move(large));
  const auto store = std::get<StoreBlob>(log.next(at(0s), kEpoch).value());
  EXPECT_EQ(store.blob, blob);
  EXPECT_EQ(store.bytes.text(), "the values");
  EXPECT_FALSE(log.next(at(1h), kEpoch));
  log.stored(false, at(1h));
  EXPECT_FALSE(log.next(at(1h), kEpoch));
  EXPECT_TRUE(std::holds_alternative<StoreBlob>(log.next(at(1h + kUnknownDelay), kEpoch).value()));
  log.stored(true, at(2h));
  EXPECT_EQ(append_of(log.next(at(2h), kEpoch)).ticket, jobs::Ticket(1));
  log.unknown(at(2h));  // the blob stays stored
  EXPECT_EQ(append_of(log.next(at(3h), kEpoch)).ticket, jobs::Ticket(1));
}

// A new leader announces itself before anything else, and not twice.
TEST_F(OneLog, NewLeaderGoesFirst) {
  append_of(log_.next(at(0s), kEpoch));
  log_.decide(entry(3, jobs::JobLed{"m", kEpoch + 1}));
  log_.decide(entry(4, jobs::JobLed{"m", kEpoch + 2}));
  EXPECT_EQ(log_.asked_epoch(), kEpoch);
  log_.ask_again();
  // Refused under the old epoch; the journal would refuse it again before it knows the new one.
  EXPECT_EQ(append_of(log_.next(at(0s), kEpoch + 2)).ticket, jobs::Ticket(4));
  EXPECT_TRUE(log_.committed({kEpoch, 4}));
  log_.settle(true);
  EXPECT_EQ(append_of(log_.next(at(0s), kEpoch + 2)).ticket, jobs::Ticket(1));
}

TEST_F(OneLog, AppendedBeforeCommittedIsABug) {
  append_of(log_.next(at(0s), kEpoch));
  EXPECT_DEATH(log_.settle(true), "was appended and not committed");
  EXPECT_DEATH(JobLog("job").settle(true), "without a question");
}

}  // namespace
}  // namespace hyperscale::manager
