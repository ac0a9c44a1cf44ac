#include "report/reporters/json_lines.h"

#include "temporary_folder.h"

#include <csignal>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>
#include <sys/resource.h>

namespace hyperscale::report {
namespace {

std::string content_of(const std::string& path) {
  std::ostringstream content;
  content << std::ifstream(path).rdbuf();
  return content.str();
}

TEST(JsonLines, EmptiesTheFileAndAddsWholeLines) {
  const test::TemporaryFolder folder;
  const std::string path = folder.path() + "/live.jsonl";
  const std::string old = "a line of an older run, longer than all that is written\n";
  std::ofstream(path) << old;
  const auto lines = JsonLines::open(path);
  ASSERT_TRUE(lines);
  EXPECT_EQ(content_of(path), old) << "the run has not begun";
  ASSERT_TRUE((*lines)->begin({}));
  EXPECT_TRUE((*lines)->moment({.json = "{1}"}));
  EXPECT_TRUE((*lines)->moment({.json = "{2}"}));
  EXPECT_EQ(content_of(path), "{1}\n{2}\n") << "readable while it is still open";
}

TEST(JsonLines, ALineThatDoesNotFitIsTakenBack) {
  const test::TemporaryFolder folder;
  const std::string path = folder.path() + "/live.jsonl";
  const auto lines = JsonLines::open(path);
  ASSERT_TRUE(lines);
  ASSERT_TRUE((*lines)->moment({.json = "first"}));
  ::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  ::getrlimit(RLIMIT_FSIZE, &before);
  const rlimit small{.rlim_cur = 10, .rlim_max = before.rlim_max};
  ::setrlimit(RLIMIT_FSIZE, &small);
  const Status refused = (*lines)->moment({.json = "second and too long"});
  ::setrlimit(RLIMIT_FSIZE, &before);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().context.find(path), std::string::npos);
  EXPECT_EQ(content_of(path), "first\n");
}

TEST(JsonLines, WhatCannotBeOpenedSaysWhy) {
  const auto lines = JsonLines::open("/nowhere/at/all.jsonl");
  ASSERT_FALSE(lines);
  EXPECT_EQ(lines.error().context, "cannot write /nowhere/at/all.jsonl: No such file or directory");
}

}  // namespace
}  // namespace hyperscale::report
