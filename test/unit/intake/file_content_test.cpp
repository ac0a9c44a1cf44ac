#include "intake/file_content.h"

#include "temporary_folder.h"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

namespace hyperscale::intake {
namespace {

using testing::HasSubstr;

TEST(FileContent, WritesAllOrNothing) {
  const test::TemporaryFolder folder;
  const std::string path = folder.path() + "/out";
  ASSERT_TRUE(replace_file(path, "first"));
  ASSERT_EQ(::chmod(path.c_str(), 0640), 0);
  ASSERT_TRUE(replace_file(path, "second"));
  EXPECT_EQ(*read_whole_file(path, 100), "second");
  struct stat info{};
  ASSERT_EQ(::stat(path.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0640U) << "the rights of the file stay";
  const auto files = std::filesystem::directory_iterator(folder.path());
  EXPECT_EQ(std::distance(begin(files), end(files)), 1) << "no temporary is left";
}

TEST(FileContent, SaysWhatIsWrongWithThePath) {
  const test::TemporaryFolder folder;
  EXPECT_THAT(check_writable(folder.path()).error().context, HasSubstr("Is a directory"));
  EXPECT_THAT(check_writable(folder.path() + "/no/file").error().context, HasSubstr("No such file"));
  EXPECT_TRUE(check_writable(folder.path() + "/file"));
  EXPECT_FALSE(std::filesystem::exists(folder.path() + "/file")) << "checking leaves no file";
  EXPECT_TRUE(check_writable("/dev/null"));
  EXPECT_TRUE(replace_file("/dev/null", "x"));
}

TEST(FileContent, LargeFilesAreRefused) {
  const test::TemporaryFolder folder;
  std::ofstream(folder.path() + "/f") << std::string(101, 'x');
  EXPECT_EQ(read_whole_file(folder.path() + "/f", 100).error().code, ErrorCode::kTooLarge);
  EXPECT_EQ(read_whole_file(folder.path() + "/f", 101)->size(), 101U);
  EXPECT_FALSE(read_whole_file(folder.path(), 100)) << "a folder";
}

}  // namespace
}  // namespace hyperscale::intake
