#include "node/cluster/vote_file.h"

#include "base/sealed_record.h"

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

  const cluster::DurableState kState{.incarnation = wire::Incarnation(7),
                                     .term = wire::Term(12),
                                     .voted_for = "dc1-manager-2",
                                     .heard_until = WallTime::from_ns(1'800'000'000'123'000'000)};
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

// The file of a node of 0.1.0, which is upgraded.
TEST_F(VoteFileTest, TheFirstVersionIsStillRead) {
  struct First {
    std::uint64_t incarnation = 7;
    std::uint64_t term = 12;
    std::string voted_for = "dc1-manager-2";
  };
  constexpr Seal kSeal{.what = "vote file", .magic = {'H', 'S', 'V', 'T'}, .version = 1, .bytes_max = 256};
  const auto bytes = seal_record(kSeal, First(), [](auto& fields, auto& record) {
    fields.number("incarnation", record.incarnation, UINT64_MAX);
    fields.number("term", record.term, UINT64_MAX);
    fields.text("voted for", record.voted_for, 64);
  });
  ASSERT_TRUE(bytes);
  std::filesystem::create_directories(folder());
  std::ofstream(folder() + "/vote", std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes->data()), static_cast<std::streamsize>(bytes->size()));
  const auto file = VoteFile::open(folder());
  ASSERT_TRUE(file) << file.error().context;
  cluster::DurableState expected = kState;
  expected.heard_until = {};
  EXPECT_EQ((*file)->state(), expected);
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
