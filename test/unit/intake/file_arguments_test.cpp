#include "intake/file_arguments.h"

#include "plan/limits.h"
#include "temporary_folder.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

namespace hyperscale::intake {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class FileArguments : public testing::Test {
 protected:
  std::string write(const std::string& name, const std::string& content) {
    const std::filesystem::path path = folder_.path() + "/" + name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << content;
    return path.string();
  }
  std::string at(const std::string& name) const { return folder_.path() + "/" + name; }

  std::vector<std::string> scanned(const ScanOptions& options = {}) const {
    const auto files = scan_directory(folder_.path(), options);
    EXPECT_TRUE(files) << (files ? "" : files.error().context);
    std::vector<std::string> lines;
    if (files) {
      for (const plan::ListedFile& file : *files) lines.push_back(file.path + " " + std::to_string(file.bytes));
    }
    std::ranges::sort(lines);
    return lines;
  }
  std::string read(const std::string& named, std::size_t files_max = 100) const {
    const auto files = read_named_files(named, files_max);
    if (!files) return files.error().context;
    std::string text;
    for (const plan::PreparedFile& file : *files) text += file.name + "=" + file.content + ";";
    return text;
  }

  test::TemporaryFolder folder_;
};

TEST_F(FileArguments, AScanListsFilesWithTheirSizes) {
  write("b.json", "12");
  write("a/x.txt", "123");
  write("a/b/y", "");
  write(".hidden/z", "1");
  write("a/.z", "1");
  EXPECT_THAT(scanned(), ElementsAre("a/b/y 0", "a/x.txt 3", "b.json 2"));
  EXPECT_THAT(scanned({.depth_max = 1}), ElementsAre("b.json 2"));
  EXPECT_THAT(scanned({.depth_max = 2}), ElementsAre("a/x.txt 3", "b.json 2"));
  EXPECT_THAT(scanned({.hidden = true}), ElementsAre(".hidden/z 1", "a/.z 1", "a/b/y 0", "a/x.txt 3", "b.json 2"));
}

TEST_F(FileArguments, AScanEndsInSpiteOfLinks) {
  write("a/x", "1");
  std::filesystem::create_directory_symlink(folder_.path(), at("a/loop"));
  std::filesystem::create_symlink(at("a/x"), at("link"));
  std::filesystem::create_symlink(at("nowhere"), at("dangling"));
  ASSERT_EQ(::mkfifo(at("pipe").c_str(), 0600), 0);
  EXPECT_THAT(scanned(), ElementsAre("a/x 1", "link 1"));
}

TEST_F(FileArguments, AScanIsBounded) {
  for (int i = 0; i < 5; ++i) write("f" + std::to_string(i), "");
  EXPECT_EQ(scanned({.entries_max = 5}).size(), 5U);
  const auto more = scan_directory(folder_.path(), {.entries_max = 4});
  ASSERT_FALSE(more);
  EXPECT_EQ(more.error().code, ErrorCode::kTooLarge);
  EXPECT_THAT(more.error().context, HasSubstr("has more than 4 entries"));
  std::string deep;
  for (std::size_t i = 0; i < kScanDepthMax; ++i) deep += "d/";
  write(deep + "x", "");
  EXPECT_THAT(scan_directory(folder_.path(), {}).error().context, HasSubstr("more than 64 levels"));
  EXPECT_THAT(scan_directory(at("none"), {}).error().context,
              HasSubstr("cannot read " + at("none") + ": No such file"));
}

TEST_F(FileArguments, AFileADirectoryOrAPattern) {
  write("2.json", "two");
  write("1.json", "one");
  write("3.txt", "three");
  write("sub/4.json", "four");
  write(".5.json", "five");
  EXPECT_EQ(read(at("1.json")), "1.json=one;");
  EXPECT_EQ(read(folder_.path()), "1.json=one;2.json=two;3.txt=three;4.json=four;");
  EXPECT_EQ(read(folder_.path() + "//"), "1.json=one;2.json=two;3.txt=three;4.json=four;");
  EXPECT_EQ(read(at("*.json")), "1.json=one;2.json=two;");
  EXPECT_EQ(read(at("**/*.json")), "1.json=one;2.json=two;4.json=four;");
  EXPECT_EQ(read(at("s?b/[0-9].json")), "4.json=four;");
  EXPECT_EQ(read(at(".*.json")), ".5.json=five;");
}

TEST_F(FileArguments, ANameWithABracketIsThatFile) {
  write("[x]", "bracket");
  write("x", "plain");
  EXPECT_EQ(read(at("[x]")), "[x]=bracket;");
  EXPECT_EQ(read(at("[xy]")), "x=plain;");
}

TEST_F(FileArguments, SaysWhatIsMissing) {
  EXPECT_THAT(read(at("none.json")), HasSubstr("cannot read " + at("none.json")));
  EXPECT_THAT(read(at("*.json")),
              HasSubstr("no file matches \"*.json\" (0 files were looked at) in " + folder_.path()));
  EXPECT_THAT(read(at("none/*.json")), HasSubstr("cannot read " + at("none")));
  EXPECT_THAT(read(at("[x")), HasSubstr("a [ has no ]"));
  EXPECT_EQ(read(folder_.path()), folder_.path() + " has no file");
  write("a", "");
  write("b", "");
  EXPECT_THAT(read(folder_.path(), 1), HasSubstr("has 2 files, at most 1 fit"));
  EXPECT_THAT(read(at("?"), 1), HasSubstr("has 2 files, at most 1 fit"));
}

// The sizes are those of files without content, which take no room on the disk.
TEST_F(FileArguments, TheBytesAreBounded) {
  for (const char* name : {"a", "b", "c", "d"}) {
    write(name, "");
    std::filesystem::resize_file(at(name), plan::kBodyBytesMax);
  }
  EXPECT_THAT(read(folder_.path()), HasSubstr("has 268435456 bytes, at most 201326592 fit"));
  std::filesystem::resize_file(at("a"), plan::kBodyBytesMax + 1);
  EXPECT_THAT(read(at("a")), HasSubstr("is larger than 67108864 bytes"));
}

}  // namespace
}  // namespace hyperscale::intake
