#include "results/moment.h"

#include "base/crc32c.h"
#include "base/endian.h"
#include "results/moment_codec.h"
#include "some_result.h"

#include <algorithm>
#include <vector>

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

namespace hyperscale::results {
namespace {

constexpr std::size_t kSteps = 2;

Moment some_moment(std::uint64_t seed, bool exact = true) {
  Prng prng(seed);
  Moment moment;
  moment.sequence = seed;
  ShareMoment& share = moment.fast.share;
  share = {.users = some_count(prng),
           .iterations = some_count(prng),
           .iterations_failed = some_count(prng),
           .dropped = some_count(prng),
           .overdue = some_count(prng),
           .http1 = some_count(prng),
           .http2 = some_count(prng),
           .activity = some_count(prng)};
  share.lag[prng.below(share.lag.size())] = some_count(prng);
  moment.fast.steps.resize(kSteps);
  for (StepMoment& step : moment.fast.steps) {
    for (std::uint64_t& count : step.outcomes) count = some_count(prng);
    step.bytes_sent = some_count(prng);
    step.bytes_received = prng.next();
    step.duration_sum_ns = some_count(prng);
    step.duration_min_ns_plus_1 = prng.below(3);
    step.duration_max_ns = some_count(prng);
    step.durations[prng.below(step.durations.size())] = some_count(prng);
  }
  if (exact) moment.exact = some_result(seed);
  return moment;
}

Moment sum(Moment into, const Moment& share) {
  EXPECT_TRUE(add(into, share));
  return into;
}

RC_GTEST_PROP(Moment, SharesAddUpInAnyOrderAndGrouping, (std::uint16_t seed)) {
  const Moment a = some_moment(seed), b = some_moment(seed + 1), c = some_moment(seed + 2, false);
  RC_ASSERT(sum(a, b) == sum(b, a));
  RC_ASSERT(sum(sum(a, b), c) == sum(a, sum(c, b)));
}

TEST(Moment, SharesOfAnotherPlanAreRefused) {
  Moment a = some_moment(1);
  const Moment before = a;
  Moment other = some_moment(2);
  other.fast.steps.resize(kSteps + 1);
  EXPECT_FALSE(add(a, other));
  other = some_moment(2);
  other.exact->steps[0].name = "another";
  EXPECT_FALSE(add(a, other));
  EXPECT_EQ(a, before);
}

TEST(Moment, ExtremesAreThoseOfAllShares) {
  StepMoment none, one, two;
  one.duration_min_ns_plus_1 = 6;
  one.duration_max_ns = 9;
  two.duration_min_ns_plus_1 = 4;
  two.duration_max_ns = 7;
  none += one;
  EXPECT_EQ(none, one);
  one += two;
  EXPECT_EQ(one.duration_min_ns_plus_1, 4U);
  EXPECT_EQ(one.max(), 9ns);
}

TEST(Moment, NoPercentileIsAboveTheMaximum) {
  StepMoment step;
  step.durations[display_bucket(histogram_buckets::index_of(10ms))] = 5;
  EXPECT_GT(step.percentile(99), 10ms) << "the end of the bucket, while no maximum is known";
  step.duration_max_ns = 10'000'000;
  EXPECT_EQ(step.percentile(99), 10ms);
}

RC_GTEST_PROP(Moment, AreTheSameAfterWords, (std::uint16_t seed)) {
  const FastMoment fast = some_moment(seed).fast;
  std::vector<std::uint64_t> words(FastMoment::words_of(kSteps));
  fast.to_words(words);
  FastMoment back;
  back.steps.resize(kSteps);
  back.from_words(words);
  RC_ASSERT(back == fast);
}

// Messages are lost, repeated and come late; once the last of each share has come, the sum is what it would be if all
// had come in order.
RC_GTEST_PROP(ShareMoments, LostRepeatedAndLateMessagesCostNothing, ()) {
  constexpr std::uint64_t kShares = 3, kMessages = 6;
  ShareMoments orderly, disorderly;
  std::vector<std::pair<std::uint64_t, Moment>> sent;
  for (std::uint64_t share = 0; share < kShares; ++share) {
    for (std::uint64_t n = 1; n <= kMessages; ++n) {
      Moment moment = some_moment(share * 100 + n);
      moment.sequence = n;
      orderly.take(share, moment);
      const auto copies = n == kMessages ? 1 : *rc::gen::inRange(0, 3);
      for (int i = 0; i < copies; ++i) sent.emplace_back(share, moment);
    }
  }
  while (!sent.empty()) {
    const auto next = sent.begin() + static_cast<std::ptrdiff_t>(*rc::gen::inRange<std::size_t>(0, sent.size()));
    disorderly.take(next->first, std::move(next->second));
    sent.erase(next);
  }
  RC_ASSERT(*orderly.sum() == *disorderly.sum());
}

TEST(ShareMoments, AFastMomentKeepsTheExactPartOfBefore) {
  ShareMoments moments;
  Moment first = some_moment(1), second = some_moment(2, false);
  EXPECT_TRUE(moments.take(7, first));
  EXPECT_TRUE(moments.take(7, second));
  EXPECT_FALSE(moments.take(7, first)) << "it is older";
  const Moment sum = *moments.sum();
  EXPECT_EQ(sum.fast, second.fast);
  EXPECT_EQ(sum.exact, first.exact);
  moments.drop(7);
  EXPECT_EQ(*moments.sum(), Moment());
}

RC_GTEST_PROP(MomentCodec, RoundTrip, (std::uint16_t seed, bool exact)) {
  const Moment moment = some_moment(seed, exact);
  const auto bytes = encode(moment);
  RC_ASSERT(bytes.has_value());
  const auto back = decode_moment(*bytes);
  RC_ASSERT(back.has_value());
  RC_ASSERT(*back == moment);
}

// With a right checksum over wrong bytes: what passes is what encode() would have written.
RC_GTEST_PROP(MomentCodec, HostileBytesFailOrAreSound, (std::uint16_t seed, bool exact)) {
  std::vector<std::uint8_t> bytes = *encode(some_moment(seed, exact));
  bytes.resize(bytes.size() - 4);
  const auto at = *rc::gen::inRange<std::size_t>(5, bytes.size());
  switch (*rc::gen::inRange(0, 3)) {
    case 0:
      bytes[at] = *rc::gen::arbitrary<std::uint8_t>();
      break;
    case 1:
      bytes.resize(at);
      break;
    default:
      bytes.insert(bytes.begin() + static_cast<std::ptrdiff_t>(at), *rc::gen::arbitrary<std::uint8_t>());
      break;
  }
  bytes.resize(bytes.size() + 4);
  store_le32(bytes.data() + bytes.size() - 4, crc32c(ByteView(bytes).first(bytes.size() - 4)));
  const auto decoded = decode_moment(bytes);
  if (!decoded) {
    RC_ASSERT(decoded.error().code == ErrorCode::kProtocol);
    return;
  }
  RC_ASSERT(*encode(*decoded) == bytes);
}

// As docs/formats/moment.md shows it.
TEST(MomentCodec, KnownBytes) {
  Moment moment;
  moment.sequence = 7;
  moment.fast.share.users = 2;
  moment.fast.share.iterations = 5;
  const std::vector<std::uint8_t> bytes{'H', 'S', 'M', 'O', 1, 7, 2,    5,    0,    0,   0,
                                        0,   0,   0,   0,   0, 0, 0x72, 0x17, 0x2b, 0xbe};
  EXPECT_EQ(*encode(moment), bytes);
  EXPECT_EQ(*decode_moment(bytes), moment);
}

TEST(MomentCodec, AnotherKindOrVersionIsRefused) {
  EXPECT_FALSE(decode_moment({}));
  std::vector<std::uint8_t> bytes = *encode(some_moment(1));
  bytes[4] = kMomentFormatVersion + 1;
  EXPECT_FALSE(decode_moment(bytes));
}

}  // namespace
}  // namespace hyperscale::results
