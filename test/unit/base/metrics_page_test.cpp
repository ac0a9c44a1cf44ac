#include "base/metrics_page.h"

#include <array>

#include <gmock/gmock.h>

namespace hyperscale {
namespace {

TEST(MetricsPage, SamplesOfOneNameAreGrouped) {
  MetricsPage page("x_");
  page.counter("calls_total", "Calls", 1, {{"role", "a"}});
  page.gauge("depth", "Items", 2.5);
  page.counter("calls_total", "another help is not heard", 3, {{"role", "a\"b\n"}});
  EXPECT_EQ(page.text(),
            "# HELP x_calls_total Calls\n# TYPE x_calls_total counter\nx_calls_total{role=\"a\"} 1\n"
            "x_calls_total{role=\"a\\\"b\\n\"} 3\n"
            "# HELP x_depth Items\n# TYPE x_depth gauge\nx_depth 2.5\n");
}

TEST(MetricsPage, HistogramIsCumulativeSummaryHasQuantiles) {
  MetricsPage page;
  const std::array bounds{1.0, 5.0};
  const std::array<std::uint64_t, 3> counts{2, 0, 1};
  page.histogram("wait", "Seconds", {.bounds = bounds, .counts = counts, .sum = 12.5});
  const std::array<MetricsPage::Quantile, 1> quantiles{{{0.5, 0.25}}};
  page.summary("took", "Seconds", {.count = 7, .sum = 2.5, .quantiles = quantiles});
  EXPECT_EQ(page.text(),
            "# HELP wait Seconds\n# TYPE wait histogram\nwait_count 3\nwait_sum 12.5\nwait_bucket{le=\"1\"} 2\n"
            "wait_bucket{le=\"5\"} 2\nwait_bucket{le=\"+Inf\"} 3\n"
            "# HELP took Seconds\n# TYPE took summary\ntook_count 7\ntook_sum 2.5\ntook{quantile=\"0.5\"} 0.25\n");
}

}  // namespace
}  // namespace hyperscale
