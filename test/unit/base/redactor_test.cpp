#include "base/redactor.h"

#include <string>

#include <gtest/gtest.h>

namespace hyperscale {
namespace {

TEST(Redactor, ReplacesEachFormOfASecret) {
  const Redactor redactor({"p/ss w\"rd!"});
  EXPECT_EQ(redactor("a p/ss w\"rd! b p/ss w\"rd!"), "a *** b ***");
  EXPECT_EQ(redactor("?k=p%2Fss%20w%22rd%21&x"), "?k=***&x");
  EXPECT_EQ(redactor("?k=p%2fss+w%22rd%21"), "?k=***");
  EXPECT_EQ(redactor("encodeURIComponent p%2Fss%20w%22rd!"), "encodeURIComponent ***");
  EXPECT_EQ(redactor(R"({"k":"p/ss w\"rd!"})"), R"({"k":"***"})");
}

TEST(Redactor, FindsBase64AtEachOffset) {
  const Redactor redactor({"hunter2-long"});
  // base64 of "hunter2-long", "u:hunter2-long", "user:hunter2-long", "ab:hunter2-long"
  for (const char* text :
       {"aHVudGVyMi1sb25n", "dTpodW50ZXIyLWxvbmc=", "dXNlcjpodW50ZXIyLWxvbmc=", "YWI6aHVudGVyMi1sb25n"}) {
    const std::string out = redactor(text);
    EXPECT_NE(out.find("***"), std::string::npos) << text;
    EXPECT_LE(out.size(), 12U) << out;
  }
}

TEST(Redactor, CutSecretIsGoneToo) {
  const Redactor redactor({"hunter2-long"});
  EXPECT_EQ(redactor("body: hunter2-lo"), "body: ***");
  EXPECT_EQ(redactor("body: hun"), "body: hun");
}

TEST(Redactor, EndsForEverySecret) {
  EXPECT_EQ(Redactor({"*"})("a * b"), "a * b");  // too short to look for
  EXPECT_EQ(Redactor({"****"})("a ******** b"), "a ****** b");
  EXPECT_EQ(Redactor({""})("text"), "text");
  EXPECT_TRUE(Redactor({"abc"}).empty());
}

TEST(Redactor, LongerSecretWins) {
  EXPECT_EQ(Redactor({"secret", "secret-of-many"})("secret-of-many secret"), "*** ***");
}

}  // namespace
}  // namespace hyperscale
