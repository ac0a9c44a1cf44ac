#include "runtime/sandbox/environment.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace hyperscale::runtime {
namespace {

TEST(EnvironmentTest, KeepsWhatLibrariesNeedAndNoMore) {
  ::setenv("HYPERSCALE_ADMIN_TOKEN", "hunter2", 1);
  ::setenv("LC_TIME", "C", 1);
  const auto kept = kept_environment();
  EXPECT_NE(std::ranges::find(kept, "LC_TIME=C"), kept.end());
  EXPECT_TRUE(std::ranges::none_of(kept, [](const std::string& each) {
    return each.starts_with("HYPERSCALE") || each.starts_with("PATH=") || each.starts_with("HOME=");
  }));
}

TEST(EnvironmentTest, ClearedOneIsGoneFromProcToo) {
  const pid_t child = ::fork();
  if (child == 0) {
    clear_environment();
    std::ifstream file("/proc/self/environ", std::ios::binary);
    const std::string shown(std::istreambuf_iterator<char>(file), {});
    const bool wiped = shown.find("PATH=") == std::string::npos;
    ::_exit(wiped && ::getenv("PATH") == nullptr ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_NE(::getenv("PATH"), nullptr);
}

}  // namespace
}  // namespace hyperscale::runtime
