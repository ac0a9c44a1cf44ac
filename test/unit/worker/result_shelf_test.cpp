#include "worker/result_shelf.h"

#include "sample_ids.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hyperscale::worker {
namespace {

using testing::ElementsAre;

ResultShelf::Kept kept_of(const wire::AttemptId& attempt, std::size_t bytes) {
  ResultShelf::Kept kept;
  kept.state.attempt = attempt;
  kept.body = SharedBytes::adopt(std::string(bytes, 'x'));
  return kept;
}

TEST(ResultShelf, IsFullByPlacesOrBytes) {
  ResultShelf shelf(2, 100);
  const wire::AttemptId one = attempt_of(share_of("a")), two = attempt_of(share_of("b"));
  EXPECT_TRUE(shelf.reserve());
  EXPECT_TRUE(shelf.reserve());
  EXPECT_FALSE(shelf.reserve());
  shelf.put(kept_of(one, 100));
  EXPECT_FALSE(shelf.reserve()) << "a result takes the place that was reserved";
  shelf.give_back();
  EXPECT_FALSE(shelf.reserve()) << "100 bytes are kept";
  EXPECT_TRUE(shelf.release(one));
  EXPECT_EQ(shelf.bytes(), 0U);
  EXPECT_TRUE(shelf.reserve());
  shelf.put(kept_of(two, 500));
  EXPECT_NE(shelf.find(two), nullptr) << "a reserved result is taken, whatever its size";
}

TEST(ResultShelf, EndOfAJobDropsItsResultsOnly) {
  ResultShelf shelf;
  const wire::AttemptId mine = attempt_of(share_of("job")), later = attempt_of(share_of("job"), 10, 2),
                        other = attempt_of(share_of("job2"));
  for (const wire::AttemptId& attempt : {mine, later, other}) {
    shelf.reserve();
    shelf.put(kept_of(attempt, 10));
  }
  EXPECT_THAT(shelf.end_job("job"), ElementsAre(mine, later));
  EXPECT_EQ(shelf.bytes(), 10U);
  EXPECT_NE(shelf.find(other), nullptr);
}

TEST(ResultShelf, PartsCoverTheBody) {
  ResultShelf shelf;
  const wire::AttemptId attempt = attempt_of(share_of("job"));
  shelf.reserve();
  shelf.put(kept_of(attempt, 2 * wire::kBlobPartBytes + 1));
  std::uint64_t offset = 0;
  for (const std::size_t expected : {wire::kBlobPartBytes, wire::kBlobPartBytes, std::size_t{1}, std::size_t{0}}) {
    const wire::BytesPart part = shelf.part({attempt, offset});
    EXPECT_TRUE(part.known);
    EXPECT_EQ(part.bytes.size(), expected);
    offset += part.bytes.size();
  }
  EXPECT_FALSE(shelf.part({attempt, offset + 1}).known);
  EXPECT_EQ(shelf.part({attempt_of(share_of("other")), 0}).error, "no result of other/0.steps.0@10.1 is here");
}

}  // namespace
}  // namespace hyperscale::worker
