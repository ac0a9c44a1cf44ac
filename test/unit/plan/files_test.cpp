#include "plan/arguments/directory.h"
#include "plan/arguments/file.h"
#include "plan/arguments/file_glob.h"
#include "plan/arguments/glob_pattern.h"
#include "plan/arguments/media_type.h"
#include "plan/limits.h"

#include <limits>

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

namespace hyperscale::plan {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string file_error(std::string path, std::string content = "") {
  const auto file = prepare_file({.path = std::move(path), .content = std::move(content)});
  return file ? "accepted" : file.error().context;
}

TEST(File, ContentAndWhatIsKnownOfIt) {
  File file({.path = "data/users.JSON", .content = "123456789"});
  ASSERT_TRUE(file.optimise());
  EXPECT_EQ(file.prepared(), (PreparedFile{.name = "users.JSON",
                                           .content = "123456789",
                                           .bytes = 9,
                                           .media_type = "application/json",
                                           .crc32c = 0xe3069283}))
      << "the checksum of this text is the check value of CRC-32C";
  EXPECT_EQ(prepare_file({.path = "empty", .content = ""})->bytes, 0U);
}

TEST(File, RefusesWhatNoFileIsCalled) {
  for (const std::string& bad :
       {std::string(), std::string("a/"), std::string("."), std::string("a/.."), std::string("a\0b", 3)}) {
    EXPECT_THAT(file_error(bad), HasSubstr("is not the name of a file"));
  }
  EXPECT_EQ(file_error(std::string(kFileNameBytesMax, 'n')), "accepted");
  EXPECT_THAT(file_error(std::string(kFileNameBytesMax + 1, 'n')), HasSubstr("has 256 bytes"));
  EXPECT_THAT(file_error("x", std::string(kBodyBytesMax + 1, 'c')), HasSubstr("x has 67108865 bytes"));
}

TEST(MediaType, ByTheEndOfTheName) {
  EXPECT_EQ(media_type_of("a/b.json"), "application/json");
  EXPECT_EQ(media_type_of("a.tar.GZ"), "application/gzip");
  EXPECT_EQ(media_type_of("page.html"), "text/html; charset=utf-8");
  EXPECT_EQ(media_type_of("x.zip"), "application/zip");
  for (const char* unknown : {"", "json", ".json", "a.b/json", "a.", "a.unknown"}) {
    EXPECT_EQ(media_type_of(unknown), "application/octet-stream") << unknown;
  }
}

std::string directory_error(const std::vector<ListedFile>& listing) {
  const auto directory = prepare_directory(listing);
  return directory ? "accepted" : directory.error().context;
}

TEST(Directory, IsATreeInOrder) {
  Directory directory({{"b", 1}, {"a-b", 2}, {"a/z", 4}, {"a/c/d", 8}, {"\xc3\xa4", 16}, {"a/c/e", 32}});
  ASSERT_TRUE(directory.optimise());
  EXPECT_THAT(directory.prepared().files,
              ElementsAre(ListedFile{"a/c/d", 8}, ListedFile{"a/c/e", 32}, ListedFile{"a/z", 4}, ListedFile{"a-b", 2},
                          ListedFile{"b", 1}, ListedFile{"\xc3\xa4", 16}));
  EXPECT_THAT(directory.prepared().folders, ElementsAre("a", "a/c"));
  EXPECT_EQ(directory.prepared().bytes, 63U);
  EXPECT_TRUE(prepare_directory({})->files.empty());
}

TEST(Directory, RefusesWhatLeavesItOrContradictsItself) {
  const std::pair<std::vector<ListedFile>, const char*> cases[] = {
      {{{"", 0}}, "no name"},
      {{{"/etc/passwd", 0}}, "\"/etc/passwd\" is absolute"},
      {{{"../x", 0}}, "has the part \"..\""},
      {{{"a/../x", 0}}, "has the part \"..\""},
      {{{"a/..", 0}}, "has the part \"..\""},
      {{{"./a", 0}}, "has the part \".\""},
      {{{"a//b", 0}}, "has the part \"\""},
      {{{"a/", 0}}, "has the part \"\""},
      {{{std::string("a\0b", 3), 0}}, "zero byte"},
      {{{std::string(kListedPathBytesMax + 1, 'p'), 0}}, "has 4097 bytes"},
      {{{"a", 0}, {"b", 0}, {"a", 1}}, "\"a\" is listed twice"},
      {{{"a/b", 0}, {"a-", 0}, {"a", 0}}, "\"a\" is listed as a file and as a directory"},
      {{{"a", std::numeric_limits<std::uint64_t>::max()}, {"b", 1}}, "too large"},
      {std::vector<ListedFile>(kListedFilesMax + 1), "100001 listed files"},
  };
  for (const auto& [listing, error] : cases) EXPECT_THAT(directory_error(listing), HasSubstr(error));
  EXPECT_EQ(directory_error({{"..a", 0}, {"a..", 0}, {"...", 0}}), "accepted");
}

RC_GTEST_PROP(Directory, TheOrderOfTheListingDoesNotMatter, ()) {
  const auto names = *rc::gen::unique<std::vector<std::string>>(
      rc::gen::nonEmpty(rc::gen::container<std::string>(rc::gen::element('a', 'b', '-', '/'))));
  std::vector<ListedFile> listing;
  for (const std::string& name : names) listing.push_back({.path = name, .bytes = name.size()});
  const auto forward = prepare_directory(listing);
  std::ranges::reverse(listing);
  const auto backward = prepare_directory(listing);
  RC_ASSERT(forward.has_value() == backward.has_value());
  if (!forward) return;
  RC_ASSERT(forward->files == backward->files);
  RC_ASSERT(forward->folders == backward->folders);
  RC_ASSERT(std::ranges::is_sorted(forward->files, listed_before, &ListedFile::path));
  for (const std::string& folder : forward->folders) {
    RC_ASSERT(std::ranges::count(forward->folders, folder) == 1);
    RC_ASSERT(
        std::ranges::any_of(forward->files, [&](const ListedFile& f) { return f.path.starts_with(folder + "/"); }));
  }
}

bool matches(std::string_view pattern, std::string_view path) {
  const auto parsed = GlobPattern::parse(pattern);
  EXPECT_TRUE(parsed) << pattern;
  return parsed && parsed->matches(path);
}

TEST(GlobPattern, InsideAPart) {
  EXPECT_TRUE(matches("*.json", "a.json"));
  EXPECT_FALSE(matches("*.json", "a.jsonx"));
  EXPECT_FALSE(matches("*.json", "a/b.json"));
  EXPECT_TRUE(matches("a*b*c", "aXbYbZc"));
  EXPECT_FALSE(matches("a*b*c", "aXbY"));
  EXPECT_TRUE(matches("*", "x"));
  EXPECT_TRUE(matches("a***", "a"));
  EXPECT_TRUE(matches("?", "\xc3\xa4")) << "one character, not one byte";
  EXPECT_FALSE(matches("?", "ab"));
  EXPECT_FALSE(matches("a?", "a"));
  EXPECT_TRUE(matches("[abc]x", "bx"));
  EXPECT_FALSE(matches("[abc]x", "dx"));
  EXPECT_TRUE(matches("[a-cx-z]", "y"));
  EXPECT_FALSE(matches("[!a-c]", "b"));
  EXPECT_TRUE(matches("[^a-c]", "d"));
  EXPECT_TRUE(matches("[]]", "]"));
  EXPECT_TRUE(matches("[!]]", "a"));
  EXPECT_TRUE(matches("[a-]", "-"));
  EXPECT_TRUE(matches("[\xc3\xa4-\xc3\xbc]", "\xc3\xb6"));
  EXPECT_TRUE(matches("\\*", "*"));
  EXPECT_FALSE(matches("\\*", "a"));
  EXPECT_TRUE(matches("a\xff*", "a\xff\xfe"));
}

TEST(GlobPattern, AcrossParts) {
  EXPECT_TRUE(matches("a/*/c", "a/b/c"));
  EXPECT_FALSE(matches("a/*/c", "a/c"));
  EXPECT_TRUE(matches("**", "a"));
  EXPECT_TRUE(matches("**", "a/b/c"));
  EXPECT_TRUE(matches("**/c", "c"));
  EXPECT_TRUE(matches("**/c", "a/b/c"));
  EXPECT_TRUE(matches("**/c", "c/c"));
  EXPECT_FALSE(matches("**/c", "a/b"));
  EXPECT_TRUE(matches("a/**/c", "a/c"));
  EXPECT_TRUE(matches("a/**/c", "a/x/y/c"));
  EXPECT_FALSE(matches("a/**/c", "b/x/c"));
  EXPECT_TRUE(matches("a/**", "a/x/y"));
  EXPECT_FALSE(matches("a/**", "a"));
  EXPECT_TRUE(matches("**/x/**/y", "a/x/b/x/c/y"));
  EXPECT_TRUE(matches("**/**/y", "y"));
}

TEST(GlobPattern, HiddenFilesAreNamedWithTheirDot) {
  EXPECT_FALSE(matches("*", ".a"));
  EXPECT_FALSE(matches("?a", ".a"));
  EXPECT_FALSE(matches("[.]a", ".a"));
  EXPECT_TRUE(matches(".*", ".a"));
  EXPECT_TRUE(matches("\\.a", ".a"));
  EXPECT_FALSE(matches("**", "a/.b"));
  EXPECT_FALSE(matches("**", ".git/b"));
  EXPECT_FALSE(matches("**/b", ".git/b"));
  EXPECT_TRUE(matches("**/.b", "a/.b"));
}

TEST(GlobPattern, RefusesWhatMeansNothing) {
  const std::pair<std::string, const char*> cases[] = {
      {"", "it is empty"},
      {"/a", "it is absolute"},
      {"a//b", "the part \"\""},
      {"../a", "the part \"..\""},
      {"a/.", "the part \".\""},
      {"[a", "a [ has no ]"},
      {"[]", "a [ has no ]"},
      {"[!]", "a [ has no ]"},
      {"[z-a]", "a range is reversed"},
      {"a\\", "a \\ stands at the end"},
      {std::string(5000, 'a'), "more than 4096"},
  };
  for (const auto& [pattern, error] : cases) {
    const auto parsed = GlobPattern::parse(pattern);
    ASSERT_FALSE(parsed) << pattern;
    EXPECT_THAT(parsed.error().context, HasSubstr(error));
  }
}

TEST(GlobPattern, KnowsHowDeepToLook) {
  EXPECT_EQ(GlobPattern::parse("*.json")->parts_max(), 1U);
  EXPECT_EQ(GlobPattern::parse("a/*/b")->parts_max(), 3U);
  EXPECT_EQ(GlobPattern::parse("a/**/b")->parts_max(), 0U);
  EXPECT_TRUE(GlobPattern::has_wildcard("a[b]"));
  EXPECT_FALSE(GlobPattern::has_wildcard("a/b.json"));
}

TEST(GlobPattern, ManyStarsAreNotSlow) {
  std::string pattern;
  for (int i = 0; i < 200; ++i) pattern += "a*";
  EXPECT_FALSE(matches(pattern + "b", std::string(4000, 'a')));
}

// The obvious slow way, to hold the fast one against.
bool slowly(std::string_view pattern, std::string_view text) {
  if (pattern.empty()) return text.empty();
  if (pattern[0] == '*') return slowly(pattern.substr(1), text) || (!text.empty() && slowly(pattern, text.substr(1)));
  return !text.empty() && (pattern[0] == '?' || pattern[0] == text[0]) && slowly(pattern.substr(1), text.substr(1));
}

RC_GTEST_PROP(GlobPattern, AgreesWithTheSlowWay, ()) {
  const auto some = [](auto gen) {
    return *rc::gen::resize(9, rc::gen::nonEmpty(rc::gen::container<std::string>(gen)));
  };
  const std::string pattern = some(rc::gen::element('a', 'b', '*', '?'));
  const std::string text = some(rc::gen::element('a', 'b'));
  RC_PRE(pattern != "**");
  RC_ASSERT(GlobPattern::parse(pattern)->matches(text) == slowly(pattern, text));
}

bool slowly_parts(std::vector<std::string> pattern, std::vector<std::string> path) {
  if (pattern.empty()) return path.empty();
  const std::string first = pattern.front();
  const auto tail = [](std::vector<std::string> list) { return std::vector(list.begin() + 1, list.end()); };
  if (first == "**") {
    if (pattern.size() == 1) return !path.empty();
    return slowly_parts(tail(pattern), path) || (!path.empty() && slowly_parts(pattern, tail(path)));
  }
  return !path.empty() && (first == "*" || first == path.front()) && slowly_parts(tail(pattern), tail(path));
}

RC_GTEST_PROP(GlobPattern, FoldersAgreeWithTheSlowWay, ()) {
  const auto list = [](auto... words) {
    return *rc::gen::resize(
        7, rc::gen::nonEmpty(rc::gen::container<std::vector<std::string>>(rc::gen::element<std::string>(words...))));
  };
  const auto joined = [](const std::vector<std::string>& parts) {
    std::string text;
    for (const std::string& part : parts) text += (text.empty() ? "" : "/") + part;
    return text;
  };
  const std::vector<std::string> pattern = list("a", "b", "*", "**");
  const std::vector<std::string> path = list("a", "b");
  RC_ASSERT(GlobPattern::parse(joined(pattern))->matches(joined(path)) == slowly_parts(pattern, path));
}

TEST(FileGlob, NamesFilesInOrder) {
  FileGlob glob({.pattern = "bodies/*.json",
                 .listing = {{"bodies/b.json", 2}, {"bodies/a.json", 1}, {"bodies/a.txt", 4}, {"c.json", 8}}});
  ASSERT_TRUE(glob.optimise());
  EXPECT_THAT(glob.prepared().files, ElementsAre(ListedFile{"bodies/a.json", 1}, ListedFile{"bodies/b.json", 2}));
  EXPECT_EQ(glob.prepared().bytes, 3U);
  const auto error = [](GlobValue value) { return prepare_file_glob(value).error().context; };
  EXPECT_EQ(error({.pattern = "*.xml", .listing = {{"a", 1}}}), "no file matches \"*.xml\" (1 files were looked at)");
  EXPECT_THAT(error({.pattern = "[", .listing = {{"a", 1}}}), HasSubstr("has no ]"));
  EXPECT_THAT(error({.pattern = "*", .listing = {{"../a", 1}}}), HasSubstr("has the part \"..\""));
}

}  // namespace
}  // namespace hyperscale::plan
