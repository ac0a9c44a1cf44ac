// The local runner with every edge of it replaced (processes, clock, terminal, control socket), fed the recorded
// scripts: it does what the runner did from which they were recorded. HYPERSCALE_RECORD=1 writes them again.
#include "recording.h"
#include "run_script.h"

#include <cstdlib>
#include <fstream>
#include <string>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hyperscale::node {
namespace {

class RunScripts : public testing::TestWithParam<jobs::RunScript> {};

TEST_P(RunScripts, DoesWhatWasRecorded) {
  const jobs::RunScript& script = GetParam();
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
  // SIGBUS comes while the sanitizer stores to the missing part, under a lock that its loads in the handler wait for.
  if (script.name == "cut_stream_loses_the_share") GTEST_SKIP() << "the thread sanitizer cannot handle SIGBUS";
#endif
#endif
  const std::vector<std::string> lines = record(script);
  if (std::getenv("HYPERSCALE_RECORD") != nullptr) {
    const std::string head = jobs::head_of(script);
    std::ofstream file(script.path);
    file << head;
    for (const std::string& line : lines) file << line << "\n";
    return;
  }
  EXPECT_THAT(lines, testing::ElementsAreArray(script.recorded)) << script.comment;
}

INSTANTIATE_TEST_SUITE_P(Recorded, RunScripts, testing::ValuesIn(jobs::read_run_scripts()),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace hyperscale::node
