#include "jobs/journal/records.h"

#include "base/prng.h"

#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace hyperscale::jobs {
namespace {

wire::Sha256 some_digest(Prng& prng) {
  wire::Sha256 digest;
  for (std::uint8_t& byte : digest) byte = static_cast<std::uint8_t>(prng.next());
  return digest;
}

wire::BlobName some_blob(Prng& prng) {
  return {some_digest(prng), prng.next()};
}

std::string some_text(Prng& prng) {
  return std::string(prng.below(5), static_cast<char>('a' + prng.below(26)));
}

ShareNumber some_share(Prng& prng) {
  return {static_cast<std::uint32_t>(prng.next()), static_cast<wire::SharePart>(1 + prng.below(3)),
          static_cast<std::uint32_t>(prng.next())};
}

wire::Fence some_fence(Prng& prng) {
  return {prng.next(), static_cast<std::uint32_t>(prng.next())};
}

RecordedValues some_values(Prng& prng) {
  RecordedValues recorded;
  for (auto n = prng.below(3); n > 0; --n)
    recorded.values.push_back({some_text(prng), some_text(prng), some_text(prng), prng.next()});
  if (prng.below(2) == 0) recorded.blob = some_blob(prng);
  return recorded;
}

std::vector<Record> one_of_each(Prng& prng) {
  const auto number = [&] { return static_cast<std::uint32_t>(prng.next()); };
  const auto duration = [&] { return prng.between(0ns, 100h); };
  return {
      JobCreated{some_text(prng),
                 some_text(prng),
                 some_blob(prng),
                 some_digest(prng),
                 some_text(prng),
                 {"eu-1", some_text(prng)},
                 prng.next()},
      DatacenterResult{some_text(prng), prng.next(), some_blob(prng)},
      OwnerChanged{some_text(prng), prng.next()},
      JobLed{some_text(prng), prng.next()},
      JobAccepted{some_text(prng),
                  some_text(prng),
                  some_blob(prng),
                  some_digest(prng),
                  some_text(prng),
                  {},
                  prng.next(),
                  duration()},
      Provisioned{
          {{some_share(prng), some_text(prng), wire::BootId(prng.next()), some_fence(prng), some_digest(prng)},
           {some_share(prng), some_text(prng), wire::BootId(prng.next()), some_fence(prng), some_digest(prng)}}},
      AttemptEnded{some_share(prng), some_fence(prng), some_text(prng), some_text(prng), duration()},
      SetupDone{number(), some_values(prng)},
      LoadChanged{number(), {number(), duration(), some_text(prng)}},
      UsageReported{some_share(prng), number(), some_fence(prng), prng.next(), prng.next(), prng.next(), prng.next(),
                    prng.below(2) == 0},
      WorkflowMerged{number(),
                     static_cast<WorkflowEnd>(1 + prng.below(4)),
                     some_text(prng),
                     some_blob(prng),
                     {{some_share(prng), some_fence(prng)}}},
      LayerSync{number(), some_values(prng)},
      CancelRequested{some_text(prng), some_text(prng)},
      JobTimedOut{duration()},
      JobFailed{some_text(prng)},
      JobCompleted{static_cast<JobEnd>(1 + prng.below(3)), some_blob(prng)},
  };
}

TEST(JournalRecords, DecodeToTheSameRecord) {
  EXPECT_TRUE(rc::check([](std::uint64_t seed) {
    Prng prng(seed);
    std::set<std::size_t> kinds;
    for (const Record& record : one_of_each(prng)) {
      kinds.insert(record.index());
      const auto bytes = encode(record);
      RC_ASSERT(bytes.has_value());
      const auto again = decode_record(bytes->view());
      RC_ASSERT(again.has_value());
      RC_ASSERT((*again == record));
      RC_ASSERT((encode(*again)->text() == bytes->text()));
    }
    RC_ASSERT(kinds.size() == std::variant_size_v<Record>);
  }));
}

TEST(JournalRecords, ValuesBeyondARecordAreABlob) {
  const std::vector<wire::ContextValue> values(3,
                                               {"Login", "token", std::string(wire::kSharedValueTextBytesMax, 'x'), 9});
  EXPECT_FALSE(fit_record(values));
  const auto bytes = encode_values(values);
  ASSERT_TRUE(bytes);
  EXPECT_EQ(decode_values(bytes->view()), values);
  EXPECT_FALSE(decode_values(bytes->view().first(bytes->size() - 1)));
  EXPECT_EQ(encode_values(std::vector<wire::ContextValue>(1'100, values.front())).error().code, ErrorCode::kTooLarge);
}

// Logs outlive a build: the number of a kind and the bytes of a record stay.
TEST(JournalRecords, KeepTheirBytes) {
  const auto bytes = encode(JobLed{"m1", 5});
  ASSERT_TRUE(bytes);
  const std::vector<std::uint8_t> content(bytes->view().begin(), bytes->view().end() - 4);
  EXPECT_THAT(content, testing::ElementsAre('H', 'S', 'J', 'R', 1, 3, 2, 'm', '1', 5));
  EXPECT_EQ(name(Record(JobLed{})), "job led");
  EXPECT_EQ(name(Record(JobCompleted{})), "job completed");
}

TEST(JournalRecords, RefuseDamagedBytes) {
  EXPECT_TRUE(rc::check([](std::uint64_t seed) {
    Prng prng(seed);
    for (const Record& record : one_of_each(prng)) {
      const SharedBytes whole = *encode(record);
      std::vector<std::uint8_t> damaged(whole.view().begin(), whole.view().end());
      damaged[prng.below(damaged.size())] ^= static_cast<std::uint8_t>(1 + prng.below(255));
      RC_ASSERT(!decode_record(damaged).has_value());
      damaged.pop_back();
      RC_ASSERT(!decode_record(damaged).has_value());
    }
  }));
}

TEST(JournalRecords, RefuseAFieldBeyondItsLimit) {
  const auto long_name = encode(JobLed{std::string(wire::kNodeNameBytesMax + 1, 'm'), 5});
  ASSERT_FALSE(long_name);
  EXPECT_EQ(long_name.error().code, ErrorCode::kInvalidArgument);
  EXPECT_THAT(long_name.error().context, testing::HasSubstr("manager"));
  WorkflowMerged no_end;
  no_end.end = WorkflowEnd{};
  EXPECT_FALSE(encode(no_end));
}

// A full provisioning fits, and so do values for which fit_record() says so.
TEST(JournalRecords, FitTheirLimit) {
  Provisioned full;
  for (std::size_t i = 0; i < kProvisionsPerRecordMax; ++i)
    full.shares.push_back({{UINT32_MAX, wire::SharePart::kSteps, UINT32_MAX},
                           std::string(wire::kNodeNameBytesMax, 'w'),
                           wire::BootId(UINT64_MAX),
                           {UINT64_MAX, UINT32_MAX},
                           {}});
  for (Provision& each : full.shares) each.digest.fill(0xff);
  EXPECT_TRUE(encode(full));

  WorkflowMerged merged{
      .end = WorkflowEnd::kFailed, .error = std::string(wire::kSentenceBytesMax, 'e'), .result = {{}}, .shares = {}};
  merged.shares.assign(kSharesPerWorkflowMax,
                       {{UINT32_MAX, wire::SharePart::kSteps, UINT32_MAX}, {UINT64_MAX, UINT32_MAX}});
  EXPECT_TRUE(encode(merged));

  std::vector<wire::ContextValue> values{{"Login", "token", std::string(kRecordBytesMax - 400, 'x'), 1}};
  EXPECT_TRUE(fit_record(values));
  EXPECT_TRUE(encode(LayerSync{1, {values, {}}}));
  values.front().json += std::string(200, 'x');
  EXPECT_FALSE(fit_record(values));
  values.assign(20'000, {"W", "k", "1", UINT64_MAX});
  EXPECT_FALSE(fit_record(values));
  EXPECT_EQ(encode(LayerSync{1, {{{"Login", "token", std::string(wire::kSharedValueTextBytesMax, 'x'), 1}}, {}}})
                .error()
                .code,
            ErrorCode::kTooLarge);
}

TEST(JournalOps, DifferByRequestAndKind) {
  const std::set<OpId> ops{op_of_request("t", "job-1", "accept"), op_of_request("t", "job-1", "cancel"),
                           op_of_request("t", "job-2", "accept"), op_of_request("tj", "ob-1", "accept")};
  EXPECT_EQ(ops.size(), 4U);
  EXPECT_EQ(op_of_request("t", "job-1", "accept"), op_of_request("t", "job-1", "accept"));
}

}  // namespace
}  // namespace hyperscale::jobs
