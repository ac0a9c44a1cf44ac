#include "report/comparison_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hyperscale::report {
namespace {

TEST(ComparisonTable, NamesWhatBecameBetterOrWorse) {
  results::Figures before{.rate_per_s = 1000, .requests = 1000, .errors = 0, .p50 = 1ms, .p99 = 2ms};
  results::Figures after = before;
  after.rate_per_s = 2000;
  after.p99 = 4ms;
  const std::string table = comparison_table(results::compare(before, after), "old\x1b.json", Glyphs::kUnicode);
  EXPECT_THAT(table, testing::ContainsRegex("rate +1,000/s +2,000/s +.100.0%  better"));
  EXPECT_THAT(table, testing::ContainsRegex("p99 +2.00ms +4.00ms +.100.0%  worse"));
  EXPECT_THAT(table, testing::Not(testing::HasSubstr("\x1b"))) << "a file name cannot move the cursor";
}

}  // namespace
}  // namespace hyperscale::report
