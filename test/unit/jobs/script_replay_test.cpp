// JobMachine takes the actions that were recorded from the runner which decided on real clocks.
#include "script_replay.h"

#include "run_script.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hyperscale::jobs {
namespace {

class ScriptReplays : public testing::TestWithParam<RunScript> {};

// proves: DAG-WF-2, DAG-WF-4
TEST_P(ScriptReplays, DoesWhatWasRecorded) {
  const RunScript& script = GetParam();
  EXPECT_THAT(ScriptReplay(script).run(), testing::ElementsAreArray(script.recorded)) << script.comment;
}

INSTANTIATE_TEST_SUITE_P(Recorded, ScriptReplays, testing::ValuesIn(read_run_scripts()),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace hyperscale::jobs
