#include "apps/hyperscale/run/run_arguments.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hyperscale::app {
namespace {

intake::RunOptions parsed(const std::vector<const char*>& words) {
  Program program("run", "", "", "");
  intake::RunOptions options;
  add_run_arguments(program.root(), options);
  std::vector<const char*> argv = {"run"};
  argv.insert(argv.end(), words.begin(), words.end());
  EXPECT_EQ(program.parse(static_cast<int>(argv.size()), argv.data()), std::nullopt);
  return options;
}

TEST(RunArguments, TheFormsThatPeopleKnow) {
  const intake::RunOptions options =
      parsed({"-c", "50", "-d", "30s", "-r2000", "-H", "A: b", "-H", "C: d", "-m", "PUT", "-k", "http://x/"});
  EXPECT_EQ(options.load.vus, "50");
  EXPECT_EQ(options.load.duration, "30s");
  EXPECT_EQ(options.load.rate, "2000");
  EXPECT_EQ(options.request.headers, (std::vector<std::string>{"A: b", "C: d"}));
  EXPECT_EQ(options.request.method, "PUT");
  EXPECT_TRUE(options.tls.insecure);
  EXPECT_EQ(options.request.url, "http://x/") << "a list does not swallow the URL";
}

TEST(RunArguments, AnEmptyBodyIsABody) {
  EXPECT_TRUE(parsed({"-b", "", "http://x/"}).request.body_given);
  EXPECT_FALSE(parsed({"http://x/"}).request.body_given);
}

TEST(RunArguments, JsonListsStayText) {
  EXPECT_EQ(parsed({"--json-body", "[1,2]", "http://x/"}).request.json_body, "[1,2]");
}

TEST(RunArguments, HelpIsGroupedAndTellsTheExitCodes) {
  Program program("run", "", "", "");
  intake::RunOptions options;
  add_run_arguments(program.root(), options);
  const std::string help = program.help();
  for (const char* group : {"Load:", "Request:", "Network:", "HTTP:", "TLS:", "Results:", "This machine:"}) {
    EXPECT_THAT(help, testing::HasSubstr(group));
  }
  for (const char* option : {"--graphql TEXT|@FILE", "--variables JSON|@FILE", "--operation NAME", "TEXT|@FILES"}) {
    EXPECT_THAT(help, testing::HasSubstr(option));
  }
  EXPECT_THAT(help, testing::HasSubstr("99 a threshold failed"));
  EXPECT_THAT(help, testing::HasSubstr("Examples:"));
}

}  // namespace
}  // namespace hyperscale::app
