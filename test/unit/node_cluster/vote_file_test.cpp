#include "node/cluster/vote_file.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

namespace hyperscale::node {
namespace {

class VoteFileTest : public testing::Test {
 protected:
  VoteFileTest() { root_ = ::mkdtemp(root_.data()); }
  ~VoteFileTest() override { std::filesystem::remove_all(root_); }
  std::string folder() const { return root_ + "/state"; }

  const cluster::DurableState kState{
      .incarnation = wire::Incarnation(7), .term = wire::Term(12), .voted_for = "dc1-manager-2"};
  std::string root_ = testing::TempDir() + "hs-votes-XXXXXX";
};

TEST_F(VoteFileTest, KeepsWhatWasSaved) {
  {
    auto file = VoteFile::open(folder());
    ASSERT_TRUE(file) << file.error().context;
    EXPECT_EQ((*file)->state(), cluster::DurableState());
    ASSERT_TRUE((*file)->save(kState));
  }
  auto again = VoteFile::open(folder());
  ASSERT_TRUE(again);
  EXPECT_EQ((*again)->state(), kState);
  EXPECT_EQ(std::filesystem::status(folder()).permissions(), std::filesystem::perms::owner_all);
}

TEST_F(VoteFileTest, ATornOrChangedFileIsNeverAFreshStart) {
  ASSERT_TRUE((*VoteFile::open(folder()))->save(kState));
  const std::string path = folder() + "/vote";
  const auto size = std::filesystem::file_size(path);
  std::filesystem::resize_file(path, size - 1);
  EXPECT_FALSE(VoteFile::open(folder()));
  std::filesystem::resize_file(path, 0);
  EXPECT_FALSE(VoteFile::open(folder()));
}

TEST_F(VoteFileTest, ACrashBetweenWriteAndRenameLeavesTheOldVote) {
  ASSERT_TRUE((*VoteFile::open(folder()))->save(kState));
  std::ofstream(folder() + "/vote.new") << "half";
  auto file = VoteFile::open(folder());
  ASSERT_TRUE(file);
  EXPECT_EQ((*file)->state(), kState);
}

TEST_F(VoteFileTest, TwoCannotShareAFolder) {
  const auto first = VoteFile::open(folder());
  ASSERT_TRUE(first);
  const auto second = VoteFile::open(folder());
  ASSERT_FALSE(second);
  EXPECT_NE(second.error().context.find("another node uses"), std::string::npos);
}

TEST_F(VoteFileTest, AVoteThatCannotBeWrittenIsAnError) {
  auto file = VoteFile::open(folder());
  ASSERT_TRUE(file);
  std::filesystem::create_directory(folder() + "/vote.new");  // root may write anywhere, but not into a folder
  EXPECT_FALSE((*file)->save(kState));
  EXPECT_EQ((*file)->state(), cluster::DurableState());
}

}  // namespace
}  // namespace hyperscale::node
