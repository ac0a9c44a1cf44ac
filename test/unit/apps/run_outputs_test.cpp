#include "apps/hyperscale/run/run_outputs.h"

#include "intake/file_content.h"
#include "temporary_folder.h"

#include <fstream>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace hyperscale::app {
namespace {

using testing::HasSubstr;

TEST(RunOutputs, AreCheckedBeforeTheRun) {
  const test::TemporaryFolder folder;
  const auto outputs = read_outputs({"json=-", "csv=" + folder.path() + "/a", "html=" + folder.path() + "/b"});
  ASSERT_TRUE(outputs) << outputs.error().context;
  EXPECT_EQ((*outputs)[1].kind, OutputKind::kCsv);
  EXPECT_THAT(read_outputs({"jsn=x"}).error().context, HasSubstr("did you mean json?"));
  EXPECT_THAT(read_outputs({"json=/nonexistent/x"}).error().context, HasSubstr("--out: cannot write /nonexistent/x"));
  EXPECT_THAT(read_outputs({"json=-", "csv=-"}).error().context, HasSubstr("two outputs"));
  EXPECT_FALSE(read_outputs({"json="}));
  EXPECT_FALSE(read_outputs({"json"}));
}

// Reports are replaced, which takes rights in the folder; what grows is opened.
TEST(RunOutputs, FilesThatGrowMustBeWritable) {
  const test::TemporaryFolder folder;
  const std::string path = folder.path() + "/old";
  std::ofstream(path) << "of yesterday";
  ASSERT_EQ(::chmod(path.c_str(), 0444), 0);
  ASSERT_EQ(::chmod(folder.path().c_str(), 0777), 0);
  std::thread([&] {
    (void)::syscall(SYS_setresuid, 65'534, 65'534, 65'534);  // of this thread only, which root needs
    EXPECT_TRUE(read_outputs({"json=" + path}));
    for (const char* kind : {"jsonl=", "samples="}) {
      const auto refused = read_outputs({kind + path});
      ASSERT_FALSE(refused);
      EXPECT_EQ(refused.error().context, "--out: cannot write " + path + ": Permission denied");
    }
    EXPECT_TRUE(read_outputs({"jsonl=" + path + "2"}));
  }).join();
}

TEST(RunOutputs, AllFormsAreWritten) {
  const test::TemporaryFolder folder;
  results::RunResult result;
  result.name = "n";
  result.steps.emplace_back();
  const auto outputs =
      read_outputs({"json=" + folder.path() + "/j", "csv=" + folder.path() + "/c", "html=" + folder.path() + "/h"});
  ASSERT_TRUE(outputs);
  ASSERT_TRUE(write_outputs(*outputs, result, {}, {}));
  EXPECT_THAT(*intake::read_whole_file(folder.path() + "/j", 1 << 20), HasSubstr("hyperscale/results/1"));
  EXPECT_THAT(*intake::read_whole_file(folder.path() + "/c", 1 << 20), HasSubstr("start_s"));
  EXPECT_THAT(*intake::read_whole_file(folder.path() + "/h", 1 << 20), HasSubstr("<html"));
}

}  // namespace
}  // namespace hyperscale::app
