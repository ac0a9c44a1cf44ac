#include "report/html_report.h"

#include "report/html_sections.h"
#include "report/html_text.h"
#include "sample_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hyperscale::report {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(HtmlReport, ForeignTextStaysText) {
  const std::string evil = "<script>alert('x')</script>\"'&";
  results::RunResult run = busy_run();
  run.name = evil;
  run.target = "http://a/?q=" + evil;
  run.protocol = run.load_description = run.run_id = evil;
  run.tags = {{evil, evil}};
  run.steps[0].name = evil;
  run.steps[1].failures[0].body_start = evil;
  run.steps[1].failures[0].message = evil;
  run.executors[1].message = evil;
  run.warnings = {evil};
  const std::vector<results::Verdict> verdicts{{.threshold = evil, .actual = evil, .passed = false}};
  const std::string html =
      html_report(run, verdicts, {.version = evil, .commit = evil, .compiler = evil, .machine = evil});
  EXPECT_THAT(html, Not(HasSubstr("<script")));
  EXPECT_THAT(html, HasSubstr("<pre>&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&quot;&#39;&amp;</pre>"));
  EXPECT_THAT(html, HasSubstr("http://a/?q=&lt;script&gt;"));
  EXPECT_THAT(html, HasSubstr("<li>&lt;script&gt;"));
}

TEST(HtmlReport, NeedsNothingElse) {
  const std::string html = html_report(busy_run(), busy_verdicts(), sample_build());
  for (const char* outside : {"src=", "href=", "url(", "@import", "<script", "<link"})
    EXPECT_THAT(html, Not(HasSubstr(outside)));
  EXPECT_THAT(html, HasSubstr("default-src 'none'"));
  EXPECT_THAT(html, HasSubstr("prefers-color-scheme: dark"));
  EXPECT_THAT(html, HasSubstr("@media print"));
}

TEST(HtmlReport, HasEverySection) {
  const std::string html = html_report(busy_run(), busy_verdicts(), sample_build());
  for (const char* part : {"Throughput</h3>", "Latency over time</h3>", "Latency by percentile</h3>",
                           "Latency distribution</h3>", "Thresholds</h2>", "Latency</h2>", "Steps, by duration</h2>",
                           "Status codes</h2>", "Outcomes</h2>", "First failures</h2>", "Environment</h2>",
                           "Executors</h2>", "99.99%", "time since the start", "237,604", "Failed: 1 of 3 thresholds"})
    EXPECT_THAT(html, HasSubstr(part));
}

TEST(HtmlReport, HasWhatScriptsCounted) {
  results::RunResult run = script_run();
  run.checks[1].example = run.metrics[0].name = "<b>";
  const std::string html = html_report(run, {}, sample_build());
  for (const char* part :
       {"Checks</h2>", "search finds shoes", "96.9%", "Metrics</h2>", "2,326", "&lt;b&gt;", "search{size=large}"})
    EXPECT_THAT(html, HasSubstr(part));
  EXPECT_THAT(html, Not(HasSubstr("prepare"))) << "it measured nothing";
  EXPECT_THAT(html, Not(HasSubstr("<b>")));
}

TEST(HtmlReport, AnEmptyResultIsAPageWithoutChartsAndTables) {
  const std::string html = html_report(results::RunResult(), {}, {});
  EXPECT_THAT(html, Not(HasSubstr("<svg")));
  EXPECT_THAT(html, Not(HasSubstr("Latency</h2>")));
  EXPECT_THAT(html, HasSubstr("No request was made"));
  EXPECT_THAT(html, HasSubstr("</html>"));
}

TEST(HtmlReport, DrawsNoNumberThatIsNone) {
  results::RunResult run = small_run();
  run.windows[1] = {.start = 1s, .length = 0s};
  const std::string html = html_report(run, {}, {});
  EXPECT_THAT(html, Not(HasSubstr("nan")));
  EXPECT_THAT(html, Not(HasSubstr("inf\"")));
}

TEST(HtmlReport, ALongRunStaysSmall) {
  results::RunResult run = small_run();
  for (int second = 3; second < 7200; ++second) {
    run.windows.push_back(run.windows[static_cast<std::size_t>(second % 3)]);
    run.windows.back().start = std::chrono::seconds(second);
  }
  EXPECT_LT(html_report(run, {}, {}).size(), 1u << 20);
}

TEST(HtmlReport, Badge) {
  const std::vector<results::Verdict> passed{{.threshold = "p99<1s", .actual = "1ms", .passed = true}};
  results::RunResult run;
  EXPECT_EQ(badge_of(run, {}).css_class, "plain");
  EXPECT_EQ(badge_of(run, passed).text, "Passed");
  run.interrupted = true;
  EXPECT_EQ(badge_of(run, passed).text, "Interrupted");
  run.partial = true;
  EXPECT_EQ(badge_of(run, passed).css_class, "warn");
  EXPECT_EQ(badge_of(run, busy_verdicts()).css_class, "bad");
}

TEST(HtmlText, EscapesForElementsAndAttributes) {
  EXPECT_EQ(escaped("<a href=\"x\">'&"), "&lt;a href=&quot;x&quot;&gt;&#39;&amp;");
  EXPECT_EQ(escaped("\x1b\xff"), "\\x1b\\xff");
  EXPECT_EQ(element("p", "", "<"), "<p>&lt;</p>");
}

}  // namespace
}  // namespace hyperscale::report
