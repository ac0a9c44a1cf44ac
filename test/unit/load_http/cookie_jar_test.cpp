#include "load/protocols/http/cookie_jar.h"

#include <gtest/gtest.h>

namespace hyperscale::load {
namespace {

TEST(CookieJar, SendsBackWhatTheHostSet) {
  CookieJar jar;
  jar.store("session=abc; HttpOnly", "a.example", "/");
  jar.store("theme=dark", "a.example", "/");
  EXPECT_EQ(jar.header_for("a.example", "/x", false), "session=abc; theme=dark");
  EXPECT_EQ(jar.header_for("b.example", "/x", false), "");
}

TEST(CookieJar, ANewValueReplacesTheOld) {
  CookieJar jar;
  jar.store("n=1", "a.example", "/");
  jar.store("n=2", "a.example", "/");
  EXPECT_EQ(jar.header_for("a.example", "/", false), "n=2");
}

TEST(CookieJar, PathsAndTheirDefault) {
  CookieJar jar;
  jar.store("deep=1; Path=/shop", "a.example", "/");
  jar.store("here=2", "a.example", "/dir/page?q=1");
  EXPECT_EQ(jar.header_for("a.example", "/shop/cart", false), "deep=1");
  EXPECT_EQ(jar.header_for("a.example", "/shopping", false), "");
  EXPECT_EQ(jar.header_for("a.example", "/dir/other", false), "here=2");
  EXPECT_EQ(jar.header_for("a.example", "/", false), "");
}

TEST(CookieJar, ADomainCookieReachesSubdomainsAndOnlyItsOwnDomainMaySetIt) {
  CookieJar jar;
  jar.store("d=1; Domain=example.com", "www.example.com", "/");
  jar.store("evil=1; Domain=bank.com", "www.example.com", "/");
  EXPECT_EQ(jar.header_for("api.example.com", "/", false), "d=1");
  EXPECT_EQ(jar.header_for("notexample.com", "/", false), "");
  EXPECT_EQ(jar.header_for("bank.com", "/", false), "");
}

TEST(CookieJar, SecureCookiesStayOnTls) {
  CookieJar jar;
  jar.store("s=1; Secure", "a.example", "/");
  EXPECT_EQ(jar.header_for("a.example", "/", false), "");
  EXPECT_EQ(jar.header_for("a.example", "/", true), "s=1");
}

TEST(CookieJar, DeletionByAgeAndByDate) {
  CookieJar jar;
  jar.store("a=1", "h", "/");
  jar.store("b=1", "h", "/");
  jar.store("a=; Max-Age=0", "h", "/");
  jar.store("b=; Expires=Thu, 01 Jan 1970 00:00:00 GMT", "h", "/");
  EXPECT_TRUE(jar.empty());
}

TEST(CookieJar, NonsenseIsIgnoredAndTheJarIsBounded) {
  CookieJar jar;
  jar.store("no equals sign", "h", "/");
  jar.store("=novalue", "h", "/");
  jar.store("big=" + std::string(kCookieBytesMax, 'x'), "h", "/");
  EXPECT_TRUE(jar.empty());
  for (std::size_t i = 0; i <= kCookiesMax; ++i) jar.store("c" + std::to_string(i) + "=1", "h", "/");
  const std::string header = jar.header_for("h", "/", false);
  EXPECT_EQ(header.find("c0="), std::string::npos) << "the oldest went";
  EXPECT_NE(header.find("c64=1"), std::string::npos);
}

}  // namespace
}  // namespace hyperscale::load
