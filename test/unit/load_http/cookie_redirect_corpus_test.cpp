// The seeds of fuzz/cookie_redirect in every test run.
#include "cookie_redirect_properties.h"

#include <filesystem>
#include <fstream>
#include <iterator>

#include <gtest/gtest.h>

namespace hyperscale::load {
namespace {

TEST(CookieRedirectCorpus, PropertiesHold) {
  CookieRedirectCheck check;
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(COOKIE_REDIRECT_CORPUS_DIR)) {
    std::ifstream file(entry.path(), std::ios::binary);
    check.run(std::string(std::istreambuf_iterator<char>(file), {}));
    ++files;
  }
  EXPECT_GE(files, 6U);
}

}  // namespace
}  // namespace hyperscale::load
