#include "node/local/live_lines.h"

#include "intake/file_content.h"
#include "temporary_folder.h"

#include <csignal>

#include <gtest/gtest.h>
#include <sys/resource.h>

namespace hyperscale::node {
namespace {

TEST(LiveLines, EmptiesTheFileAndAddsWholeLines) {
  const test::TemporaryFolder folder;
  const std::string path = folder.path() + "/live.jsonl";
  ASSERT_TRUE(intake::replace_file(path, "old\n"));
  auto lines = LiveLines::open(path);
  ASSERT_TRUE(lines);
  EXPECT_TRUE(lines->write("{1}"));
  EXPECT_TRUE(lines->write("{2}"));
  EXPECT_EQ(*intake::read_whole_file(path, 100), "{1}\n{2}\n") << "readable while it is still open";
}

TEST(LiveLines, ALineThatDoesNotFitIsTakenBackAndToldOnce) {
  const test::TemporaryFolder folder;
  const std::string path = folder.path() + "/live.jsonl";
  auto lines = LiveLines::open(path);
  ASSERT_TRUE(lines);
  ASSERT_TRUE(lines->write("first"));
  ::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  ::getrlimit(RLIMIT_FSIZE, &before);
  const rlimit small{.rlim_cur = 10, .rlim_max = before.rlim_max};
  ::setrlimit(RLIMIT_FSIZE, &small);
  const Status refused = lines->write("second and too long");
  ::setrlimit(RLIMIT_FSIZE, &before);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().context.find(path), std::string::npos);
  EXPECT_EQ(*intake::read_whole_file(path, 100), "first\n");
  EXPECT_FALSE(lines->is_open());
  EXPECT_TRUE(lines->write("third")) << "told once";
  EXPECT_EQ(*intake::read_whole_file(path, 100), "first\n");
}

TEST(LiveLines, WhatCannotBeOpenedSaysWhy) {
  const auto lines = LiveLines::open("/nowhere/at/all.jsonl");
  ASSERT_FALSE(lines);
  EXPECT_EQ(lines.error().context, "cannot write /nowhere/at/all.jsonl: No such file or directory");
}

}  // namespace
}  // namespace hyperscale::node
