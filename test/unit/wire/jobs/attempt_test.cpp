#include "wire/jobs/attempt.h"

#include "arbitrary_job_message.h"

#include <limits>

#include <gtest/gtest.h>

namespace hyperscale::wire {
namespace {

TEST(Attempt, ASharesTextIsItsName) {
  const ShareId share{.job = "eu-1763535600000-k3v9x2ma-1", .workflow = 0, .part = SharePart::kSteps, .share = 3};
  EXPECT_EQ(to_string(share), "eu-1763535600000-k3v9x2ma-1/0.steps.3");
  EXPECT_EQ(to_string(AttemptId{.share = share, .fence = {.epoch = 8589934593, .attempt = 2}}),
            "eu-1763535600000-k3v9x2ma-1/0.steps.3@8589934593.2");
  EXPECT_EQ(to_string(ShareId{.job = "j", .workflow = 7, .part = SharePart::kTeardown, .share = 0}), "j/7.teardown.0");
}

TEST(Attempt, EveryShareIsReadFromItsText) {
  ArbitraryJobMessage arbitrary(1, false);
  for (int round = 0; round < 500; ++round) {
    const ShareId share = arbitrary.share();
    EXPECT_EQ(parse_share_id(to_string(share)), share);
  }
}

TEST(Attempt, TheLongestTextOfAShareFits) {
  constexpr std::uint32_t kMost = std::numeric_limits<std::uint32_t>::max();
  const ShareId share{
      .job = std::string(kJobIdBytesMax, 'j'), .workflow = kMost, .part = SharePart::kTeardown, .share = kMost};
  EXPECT_LE(to_string(share).size(), kShareTextBytesMax);
  EXPECT_EQ(parse_share_id("j/4294967295.steps.4294967295"),
            (ShareId{.job = "j", .workflow = kMost, .part = SharePart::kSteps, .share = kMost}));
}

TEST(Attempt, OtherTextsAreNoShare) {
  const std::string long_job = std::string(kJobIdBytesMax + 1, 'j') + "/0.steps.0";
  for (const std::string_view text : {std::string_view(long_job),
                                      std::string_view(""),
                                      std::string_view("j"),
                                      std::string_view("/0.steps.0"),
                                      std::string_view("j/0.steps"),
                                      std::string_view("j/0"),
                                      std::string_view("j/.steps.0"),
                                      std::string_view("j/0.steps."),
                                      std::string_view("j/0..0"),
                                      std::string_view("j/0.stop.0"),
                                      std::string_view("j/00.steps.0"),
                                      std::string_view("j/0.steps.01"),
                                      std::string_view("j/-1.steps.0"),
                                      std::string_view("j/0.steps.4294967296"),
                                      std::string_view("j/0.steps.0 "),
                                      std::string_view("j k/0.steps.0"),
                                      std::string_view("j/k/0.steps.0"),
                                      std::string_view("j/0.steps.0.0"),
                                      std::string_view("j/0.setup.1"),
                                      std::string_view("j\n/0.steps.0")}) {
    const auto share = parse_share_id(text);
    ASSERT_FALSE(share) << text;
    EXPECT_EQ(share.error().code, ErrorCode::kInvalidArgument);
  }
}

TEST(Attempt, FencesAreComparedEpochFirst) {
  EXPECT_LT((Fence{.epoch = 1, .attempt = 9}), (Fence{.epoch = 2, .attempt = 1}));
  EXPECT_LT((Fence{.epoch = 2, .attempt = 1}), (Fence{.epoch = 2, .attempt = 2}));
  EXPECT_LT((Fence{}), (Fence{.epoch = 1, .attempt = 0})) << "any attempt is after none";
}

}  // namespace
}  // namespace hyperscale::wire
