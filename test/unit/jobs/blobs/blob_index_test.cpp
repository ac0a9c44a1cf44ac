#include "jobs/blobs/blob_index.h"

#include "base/prng.h"

#include <algorithm>
#include <iterator>

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

namespace hyperscale::jobs {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using wire::BlobName;
using wire::kBlobPartBytes;
using wire::Sha256;

Sha256 hash(std::uint8_t number) {
  return Sha256{number};
}

BlobName blob(std::uint8_t number, std::uint64_t bytes = 100) {
  return {.sha256 = hash(number), .bytes = bytes};
}

std::vector<Sha256> reserved(BlobIndex& index, const std::string& job, const std::vector<BlobName>& names) {
  auto evicted = index.reserve(job, names);
  EXPECT_TRUE(evicted) << (evicted ? "" : evicted.error().context);
  return evicted ? *evicted : std::vector<Sha256>();
}

Error refused(BlobIndex& index, const std::string& job, const std::vector<BlobName>& names) {
  auto evicted = index.reserve(job, names);
  EXPECT_FALSE(evicted);
  return evicted ? Error{} : evicted.error();
}

void receive(BlobIndex& index, std::uint8_t number, std::size_t bytes = 100) {
  EXPECT_EQ(index.add_part(hash(number), 0, bytes), AddedPart::kLast);
  EXPECT_TRUE(index.checked(hash(number), hash(number)));
}

// Present, and not reserved by a job.
void store(BlobIndex& index, std::uint8_t number, std::size_t bytes = 100) {
  reserved(index, "earlier", {blob(number, bytes)});
  receive(index, number, bytes);
  EXPECT_THAT(index.release("earlier"), IsEmpty());
}

TEST(BlobIndex, PartsArriveInAnyOrder) {
  BlobIndex index({});
  const std::uint64_t bytes = 2 * kBlobPartBytes + 7;
  reserved(index, "job", {blob(1, bytes)});
  EXPECT_THAT(index.missing(hash(1)), ElementsAre(0, kBlobPartBytes, 2 * kBlobPartBytes));
  EXPECT_EQ(index.add_part(hash(1), 2 * kBlobPartBytes, 7), AddedPart::kStored);
  EXPECT_EQ(index.add_part(hash(1), 0, kBlobPartBytes), AddedPart::kStored);
  EXPECT_EQ(index.add_part(hash(1), 0, kBlobPartBytes), AddedPart::kRepeated);
  EXPECT_THAT(index.missing(hash(1)), ElementsAre(kBlobPartBytes));
  EXPECT_EQ(index.add_part(hash(1), kBlobPartBytes, kBlobPartBytes), AddedPart::kLast);
  EXPECT_THAT(index.missing(hash(1)), IsEmpty());
  EXPECT_FALSE(index.present(hash(1))) << "its hash was not checked";
  EXPECT_EQ(index.add_part(hash(1), 0, kBlobPartBytes), AddedPart::kRepeated);
  EXPECT_TRUE(index.checked(hash(1), hash(1)));
  EXPECT_TRUE(index.present(hash(1)));
}

TEST(BlobIndex, LargestBlobHasAllItsParts) {
  BlobIndex index({});
  reserved(index, "job", {blob(1, plan::kBlobBytesMax)});
  const auto offsets = index.missing(hash(1));
  ASSERT_EQ(offsets.size(), kBlobPartsMax);
  for (const std::uint64_t offset : offsets)
    EXPECT_EQ(index.add_part(hash(1), offset, kBlobPartBytes),
              offset == offsets.back() ? AddedPart::kLast : AddedPart::kStored);
}

TEST(BlobIndex, OtherPartsAreNotStored) {
  BlobIndex index({});
  reserved(index, "job", {blob(1, kBlobPartBytes + 7)});
  EXPECT_EQ(index.add_part(hash(2), 0, kBlobPartBytes), AddedPart::kUnwanted);
  EXPECT_EQ(index.add_part(hash(1), 1, kBlobPartBytes), AddedPart::kMisfit);
  EXPECT_EQ(index.add_part(hash(1), 0, kBlobPartBytes - 1), AddedPart::kMisfit);
  EXPECT_EQ(index.add_part(hash(1), kBlobPartBytes, 8), AddedPart::kMisfit);
  EXPECT_EQ(index.add_part(hash(1), 2 * kBlobPartBytes, 7), AddedPart::kMisfit);
  EXPECT_EQ(index.missing(hash(1)).size(), 2U);
}

TEST(BlobIndex, WrongHashMakesAllPartsMissingAgain) {
  BlobIndex index({});
  reserved(index, "job", {blob(1)});
  index.add_part(hash(1), 0, 100);
  EXPECT_FALSE(index.checked(hash(1), hash(9)));
  EXPECT_FALSE(index.present(hash(1)));
  EXPECT_EQ(index.failures(hash(1)), 1U);
  EXPECT_EQ(index.counts().damaged, 1U);
  EXPECT_THAT(index.missing(hash(1)), ElementsAre(0));
  receive(index, 1);
  EXPECT_FALSE(index.checked(hash(1), hash(9))) << "an answer that comes twice";
  EXPECT_TRUE(index.present(hash(1)));
}

TEST(BlobIndex, LostOneIsMissingAgainOrGone) {
  BlobIndex index({});
  reserved(index, "job", {blob(1), blob(2)});
  receive(index, 1);
  receive(index, 2);
  index.lost(hash(1));
  EXPECT_THAT(index.absent("job"), ElementsAre(blob(1)));
  EXPECT_THAT(index.missing(hash(1)), ElementsAre(0));
  receive(index, 1);
  index.release("job");
  index.lost(hash(2));
  EXPECT_EQ(index.bytes(), 100U);
  EXPECT_EQ(index.add_part(hash(2), 0, 100), AddedPart::kUnwanted);
}

TEST(BlobIndex, EvictsTheLeastRecentlyUsed) {
  BlobIndex index({.bytes_max = 300});
  for (const std::uint8_t number : {1, 2, 3}) store(index, number);
  index.used(hash(1));
  EXPECT_THAT(reserved(index, "job", {blob(4), blob(5)}), ElementsAre(hash(2), hash(3)));
  EXPECT_TRUE(index.present(hash(1)));
  EXPECT_EQ(index.counts().evicted, 2U);
  EXPECT_EQ(index.bytes(), 300U);
}

TEST(BlobIndex, ReleasedBlobsCountAsUsed) {
  BlobIndex index({.bytes_max = 200});
  store(index, 1);
  store(index, 2);
  reserved(index, "job", {blob(1)});
  index.release("job");
  EXPECT_THAT(reserved(index, "next", {blob(3)}), ElementsAre(hash(2)));
}

TEST(BlobIndex, NeverEvictsWhatAJobReserved) {
  BlobIndex index({.bytes_max = 300});
  store(index, 1);
  store(index, 2);
  reserved(index, "job", {blob(1)});
  EXPECT_THAT(reserved(index, "next", {blob(3), blob(4)}), ElementsAre(hash(2)));
  EXPECT_TRUE(index.present(hash(1)));
}

TEST(BlobIndex, BlobsOfTheSameReservationAreNotEvicted) {
  BlobIndex index({.bytes_max = 300});
  for (const std::uint8_t number : {1, 2, 3}) store(index, number);
  EXPECT_THAT(reserved(index, "job", {blob(4), blob(1)}), ElementsAre(hash(2)));
}

TEST(BlobIndex, RefusalSaysWhatWasNeeded) {
  BlobIndex index({.bytes_max = 300});
  store(index, 1);
  reserved(index, "job", {blob(2, 200)});
  const Error full = refused(index, "next", {blob(1), blob(3, 150)});
  EXPECT_EQ(full.code, ErrorCode::kBusy);
  EXPECT_EQ(full.context,
            "150 bytes are needed for blobs that are not here; other jobs keep 1 blobs and 200 bytes of 300");
  EXPECT_TRUE(index.present(hash(1))) << "a refusal changes nothing";
  EXPECT_EQ(index.reserved_bytes(), 200U);
  EXPECT_EQ(index.counts(), (BlobCounts{.evicted = 0, .refused = 1, .damaged = 0}));
  const Error never = refused(index, "next", {blob(3, 150), blob(4, 151)});
  EXPECT_EQ(never.code, ErrorCode::kTooLarge);
  EXPECT_THAT(never.context, HasSubstr("2 blobs have 301 bytes"));
}

TEST(BlobIndex, NumberOfBlobsIsBounded) {
  BlobIndex index({.bytes_max = 1'000, .blobs_max = 2});
  store(index, 1);
  reserved(index, "job", {blob(2)});
  EXPECT_THAT(reserved(index, "next", {blob(3)}), ElementsAre(hash(1)));
  EXPECT_EQ(refused(index, "third", {blob(4)}).code, ErrorCode::kBusy);
  EXPECT_EQ(refused(index, "third", {blob(4), blob(5), blob(6)}).code, ErrorCode::kTooLarge);
}

TEST(BlobIndex, SizesAreChecked) {
  BlobIndex index({});
  reserved(index, "job", {blob(1, 100)});
  EXPECT_EQ(refused(index, "next", {blob(1, 101)}).code, ErrorCode::kConflict);
  EXPECT_EQ(refused(index, "next", {blob(2, 100), blob(2, 101)}).context,
            "a blob of 101 bytes is known with 100 bytes");
  EXPECT_EQ(refused(index, "next", {blob(2, 0)}).code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(refused(index, "next", {blob(2, plan::kBlobBytesMax + 1)}).code, ErrorCode::kInvalidArgument);
}

TEST(BlobIndex, SharedByJobsUntilTheLastEnds) {
  BlobIndex index({.bytes_max = 100});
  reserved(index, "a", {blob(1), blob(1)});
  reserved(index, "a", {blob(1)});
  reserved(index, "b", {blob(1)});
  EXPECT_EQ(index.bytes(), 100U);
  EXPECT_THAT(index.release("a"), IsEmpty());
  EXPECT_EQ(index.reserved_bytes(), 100U);
  EXPECT_THAT(index.release("a"), IsEmpty());
  EXPECT_THAT(index.absent("b"), ElementsAre(blob(1)));
  EXPECT_THAT(index.release("b"), ElementsAre(hash(1))) << "incomplete, and no job wants it";
  EXPECT_EQ(index.bytes(), 0U);
}

TEST(BlobIndex, AdoptsWhatFits) {
  BlobIndex index({.bytes_max = 250});
  EXPECT_TRUE(index.adopt(blob(1)));
  EXPECT_TRUE(index.adopt(blob(2)));
  EXPECT_FALSE(index.adopt(blob(3)));
  EXPECT_FALSE(index.adopt(blob(1)));
  EXPECT_TRUE(index.present(hash(1)));
  EXPECT_THAT(reserved(index, "job", {blob(4)}), ElementsAre(hash(1)));
}

// Any calls: the budget holds, what a job reserved stays, and the sums are those of the blobs.
RC_GTEST_PROP(BlobIndex, HoldsItsPromises, (std::uint64_t seed)) {
  Prng prng(seed);
  constexpr std::uint64_t kBudget = 3'000;
  BlobIndex index({.bytes_max = kBudget, .blobs_max = 12});
  std::map<std::string, std::set<Sha256>> jobs;
  std::map<Sha256, std::uint64_t> present;
  const auto size_of = [](const Sha256& each) { return std::uint64_t{100} + each[0] * 37; };
  const auto remove = [&](const std::vector<Sha256>& gone) {
    for (const Sha256& each : gone) {
      for (const auto& [job, own] : jobs) RC_ASSERT(!own.contains(each));
      present.erase(each);
    }
  };
  for (int step = 0; step < 200; ++step) {
    const std::string job = std::to_string(prng.below(4));
    const Sha256 one = hash(static_cast<std::uint8_t>(prng.below(30)));
    switch (prng.below(6)) {
      case 0: {
        std::vector<BlobName> names;
        for (auto n = prng.below(5); n > 0; --n) {
          const Sha256 each = hash(static_cast<std::uint8_t>(prng.below(30)));
          names.push_back({.sha256 = each, .bytes = size_of(each)});
        }
        const std::uint64_t before = index.bytes();
        const auto evicted = index.reserve(job, names);
        if (!evicted) {
          RC_ASSERT(index.bytes() == before);
          break;
        }
        for (const BlobName& name : names) jobs[job].insert(name.sha256);
        remove(*evicted);
        break;
      }
      case 1: {
        const auto dropped = index.release(job);
        jobs.erase(job);
        for (const Sha256& each : dropped) RC_ASSERT(!present.contains(each));
        remove(dropped);
        break;
      }
      case 2:
        index.used(one);
        break;
      case 3:
        index.lost(one);
        present.erase(one);
        break;
      default:
        if (index.add_part(one, 0, size_of(one)) == AddedPart::kLast &&
            index.checked(one, prng.below(4) == 0 ? hash(200) : one))
          present[one] = size_of(one);
    }
    RC_ASSERT((index.bytes() <= kBudget && index.blobs() <= 12));
    std::map<Sha256, std::uint64_t> reserved_ones;
    for (const auto& [name, own] : jobs)
      for (const Sha256& each : own) reserved_ones[each] = size_of(each);
    std::uint64_t reserved_sum = 0;
    for (const auto& [each, bytes] : reserved_ones) reserved_sum += bytes;
    RC_ASSERT(index.reserved_bytes() == reserved_sum);
    std::uint64_t sum = reserved_sum;
    for (const auto& [each, bytes] : present) {
      RC_ASSERT(index.present(each));
      if (!reserved_ones.contains(each)) sum += bytes;
    }
    RC_ASSERT(index.bytes() == sum);
    for (const auto& [name, own] : jobs) {
      const auto absent = index.absent(name);
      const auto missing = std::ranges::count_if(own, [&](const Sha256& each) { return !present.contains(each); });
      RC_ASSERT(absent.size() == static_cast<std::size_t>(missing));
    }
  }
}

}  // namespace
}  // namespace hyperscale::jobs
