#include "report/change_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hyperscale::report {
namespace {

using results::ChangeRecord;
using testing::ElementsAre;

TEST(ChangeText, AFewChangesHaveALineEach) {
  const std::vector<ChangeRecord> changes{{1s, "vus=2", ""}, {1500ms, "vus=3", ""}, {2s, "rate=50", "Shop"}};
  EXPECT_THAT(change_lines(changes, 3), ElementsAre("1.0 s: vus=2", "1.5 s: vus=3", "2.0 s: Shop: rate=50"));
  EXPECT_THAT(change_lines({}, 3), ElementsAre());
}

TEST(ChangeText, ManyOfOneKindAreOneLineAndNoPauseIsHidden) {
  std::vector<ChangeRecord> changes;
  for (int i = 0; i < 25; ++i) changes.push_back({i * 100ms, "vus=" + std::to_string(10 + i), ""});
  changes.push_back({3s, "pause", ""});
  changes.push_back({4s, "resume", ""});
  changes.push_back({5s, "vus=1", ""});
  EXPECT_THAT(change_lines(changes, 20), ElementsAre("0.0 s to 2.4 s: 25 changes from vus=10 to vus=34", "3.0 s: pause",
                                                     "4.0 s: resume", "5.0 s: vus=1"));
}

TEST(ChangeText, WorkflowsAndKindsAreKeptApart) {
  const std::vector<ChangeRecord> changes{{1s, "vus=2", "A"},  {2s, "vus=3", "A"},  {3s, "vus=4", "B"},
                                          {4s, "rate=5", "B"}, {5s, "rate=6", "B"}, {6s, "pause", "A"},
                                          {6s, "pause", "B"},  {7s, "resume", "A"}, {7s, "resume", "B"}};
  EXPECT_THAT(change_lines(changes, 2),
              ElementsAre("1.0 s to 2.0 s: A: 2 changes from vus=2 to vus=3", "3.0 s: B: vus=4",
                          "4.0 s to 5.0 s: B: 2 changes from rate=5 to rate=6", "6.0 s: A: pause", "6.0 s: B: pause",
                          "7.0 s: A: resume", "7.0 s: B: resume"));
}

}  // namespace
}  // namespace hyperscale::report
