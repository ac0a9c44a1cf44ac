// The published cases behind RFC 6265 (abarth/http-state), which lie beside the repository: a conversation of
// Set-Cookie fields, and the Cookie field that follows.
//
// The clock stands at the time when they were written, so that all of them can pass. By a clock of today three cannot,
// because the dates that keep their cookies are over: those in kDated.
#include "load/protocols/http/cookie_jar.h"
#include "load/protocols/http/public_suffixes.h"
#include "plan/url.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace hyperscale::load {
namespace {

constexpr WallTime kThen = WallTime() + std::chrono::hours(24 * 15'000);   // in January 2011
constexpr WallTime kToday = WallTime() + std::chrono::hours(24 * 20'700);  // in September 2026
const std::set<std::string> kDated = {"0002", "comma0006", "comma0007"};   // Expires in August 2019
const std::string kFolder = HTTP_STATE_DIR;

std::string after(const std::string& line, std::string_view name) {
  return line.substr(std::min(line.find_first_not_of(' ', name.size()), line.size()));
}

std::vector<std::string> lines_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

std::set<std::string> names_of_cases() {
  std::set<std::string> names;
  constexpr std::string_view kEnd = "-test";
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(kFolder, error)) {
    const std::string name = entry.path().filename();
    if (name.ends_with(kEnd)) names.insert(name.substr(0, name.size() - kEnd.size()));
  }
  return names;
}

// What the case expects and what the jar sends.
std::pair<std::string, std::string> play(const std::string& name, WallTime now, const PublicSuffixes* suffixes) {
  CookieJar jar;
  auto to = *plan::parse_url("http://home.example.org:8888/cookie-parser-result?" + name);
  const std::string path = "/cookie-parser?" + name;
  for (const std::string& line : lines_of(kFolder + "/" + name + "-test")) {
    constexpr std::string_view kSet = "Set-Cookie:";
    constexpr std::string_view kLocation = "Location:";
    if (line.starts_with(kSet))
      jar.store(after(line, kSet), {.host = "home.example.org", .path = path, .secure = false}, now, suffixes);
    if (line.starts_with(kLocation)) to = *plan::resolve_reference(to, after(line, kLocation));
  }
  std::string expected;
  for (const std::string& line : lines_of(kFolder + "/" + name + "-expected"))
    if (line.starts_with("Cookie: ")) expected = line.substr(8);
  return {expected, jar.header_for({.host = to.host, .path = to.target, .secure = to.secure()}, now)};
}

class HttpState : public testing::Test {
 protected:
  void SetUp() override {
    if (names_of_cases().empty()) GTEST_SKIP() << "no cases at ../shared/data/http-state/parser";
  }
  const PublicSuffixes* suffixes = *PublicSuffixes::load();
};

TEST_F(HttpState, AllPublishedCases) {
  const auto names = names_of_cases();
  EXPECT_GE(names.size(), 200U);
  for (const std::string& name : names) {
    const auto [expected, sent] = play(name, kThen, suffixes);
    EXPECT_EQ(sent, expected) << name;
  }
}

TEST_F(HttpState, ThreeCasesAreOverByNow) {
  std::set<std::string> over;
  for (const std::string& name : names_of_cases()) {
    const auto [expected, sent] = play(name, kToday, suffixes);
    if (sent != expected) over.insert(name);
  }
  EXPECT_EQ(over, kDated);
}

}  // namespace
}  // namespace hyperscale::load
