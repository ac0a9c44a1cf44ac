#include "load/protocols/http/cookie_jar.h"

#include "load/protocols/http/public_suffixes.h"

#include <gtest/gtest.h>

namespace hyperscale::load {
namespace {

constexpr WallTime kNow = WallTime() + std::chrono::hours(24 * 20'000);  // in 2024

class CookieJarTest : public testing::Test {
 protected:
  std::string_view store(std::string_view field, std::string_view host, std::string_view path = "/") {
    const auto suffixes = PublicSuffixes::load();
    EXPECT_TRUE(suffixes) << suffixes.error().context;
    return jar.store(field, {.host = host, .path = path, .secure = false}, kNow, *suffixes);
  }
  std::string header(std::string_view host, std::string_view path = "/", bool secure = false, WallTime now = kNow) {
    return jar.header_for({.host = host, .path = path, .secure = secure}, now);
  }

  CookieJar jar;
};

TEST_F(CookieJarTest, SendsBackWhatTheHostSet) {
  store("session=abc; HttpOnly", "a.example");
  store("theme=dark", "a.example");
  EXPECT_EQ(header("a.example", "/x"), "session=abc; theme=dark");
  EXPECT_EQ(header("b.example", "/x"), "");
}

TEST_F(CookieJarTest, ANewValueKeepsTheOldPlace) {
  store("n=1", "a.example");
  store("m=1", "a.example");
  store("n=2", "a.example");
  EXPECT_EQ(header("a.example"), "n=2; m=1");
}

TEST_F(CookieJarTest, PathsAndTheirDefault) {
  store("deep=1; Path=/shop", "a.example");
  store("here=2", "a.example", "/dir/page?q=/x/y");
  EXPECT_EQ(header("a.example", "/shop/cart"), "deep=1");
  EXPECT_EQ(header("a.example", "/shopping"), "");
  EXPECT_EQ(header("a.example", "/dir/other"), "here=2");
  EXPECT_EQ(header("a.example"), "");
}

TEST_F(CookieJarTest, ABadPathFallsBackToTheDefault) {
  store("a=1; Path=relative", "a.example", "/dir/page");
  store("b=1; Path=/; Path=", "a.example", "/dir/page");
  EXPECT_EQ(header("a.example", "/dir/x"), "a=1; b=1");
  EXPECT_EQ(header("a.example"), "");
}

TEST_F(CookieJarTest, LongestPathFirstThenTheOldest) {
  store("root=1; Path=/", "a.example");
  store("other=1; Path=/", "a.example");
  store("deep=1; Path=/a/b", "a.example");
  store("mid=1; Path=/a", "a.example");
  EXPECT_EQ(header("a.example", "/a/b/c"), "deep=1; mid=1; root=1; other=1");
}

TEST_F(CookieJarTest, ADomainCookieReachesSubdomains) {
  store("d=1; Domain=example.com", "www.example.com");
  EXPECT_EQ(store("evil=1; Domain=bank.com", "www.example.com"), "its domain is not the host's");
  EXPECT_EQ(header("api.example.com"), "d=1");
  EXPECT_EQ(header("notexample.com"), "");
  EXPECT_EQ(header("bank.com"), "");
}

TEST_F(CookieJarTest, PublicSuffixesAreRefused) {
  for (const std::string_view domain : {"test", "co.uk", "github.io"}) {
    const std::string host = "www." + std::string(domain);
    EXPECT_EQ(store("a=1; Domain=" + std::string(domain), host), "its domain is a public suffix") << domain;
  }
  EXPECT_TRUE(jar.empty());
  EXPECT_EQ(store("a=1; Domain=localhost", "localhost"), "");
  EXPECT_EQ(header("localhost"), "a=1");
  EXPECT_EQ(header("x.localhost"), "") << "it is the host's own";
}

TEST_F(CookieJarTest, AnAddressIsNoPartOfAnother) {
  EXPECT_NE(store("a=1; Domain=0.0.1", "127.0.0.1"), "");
  EXPECT_EQ(store("b=1; Domain=127.0.0.1", "127.0.0.1"), "");
  EXPECT_EQ(header("127.0.0.1"), "b=1");
}

TEST_F(CookieJarTest, SecureCookiesStayOnTls) {
  store("s=1; Secure", "a.example");
  EXPECT_EQ(header("a.example"), "");
  EXPECT_EQ(header("a.example", "/", true), "s=1");
}

TEST_F(CookieJarTest, DatesDeleteAndEndCookies) {
  store("a=1", "h");
  store("b=1; Expires=Thu, 01 Jan 2026 00:00:00 GMT", "h");
  store("a=; Expires=Fri, 07 Aug 2009 08:04:19 GMT", "h");
  EXPECT_EQ(header("h"), "b=1");
  EXPECT_EQ(header("h", "/", false, kNow + 24h * 3650), "");
}

TEST_F(CookieJarTest, MaxAgeBeatsExpires) {
  store("kept=1; Max-Age=60; Expires=Fri, 07 Aug 2009 08:04:19 GMT", "h");
  store("gone=1; Expires=Thu, 01 Jan 2037 00:00:00 GMT; Max-Age=0", "h");
  store("kept_too=1; Max-Age=soon", "h");
  EXPECT_EQ(header("h"), "kept=1; kept_too=1");
  EXPECT_EQ(header("h", "/", false, kNow + 59s), "kept=1; kept_too=1");
  EXPECT_EQ(header("h", "/", false, kNow + 60s), "kept_too=1");
  store("kept_too=1; Max-Age=-1", "h");
  store("kept=1; Max-Age=99999999999999999999", "h");
  EXPECT_EQ(header("h", "/", false, kNow + 60s), "kept=1");
}

TEST_F(CookieJarTest, NonsenseIsIgnored) {
  EXPECT_NE(store("no equals sign", "h"), "");
  EXPECT_NE(store("=novalue", "h"), "");
  EXPECT_NE(store("a=b\x01", "h"), "");
  EXPECT_NE(store("big=" + std::string(kCookieBytesMax, 'x'), "h"), "");
  EXPECT_TRUE(jar.empty());
  store("a=b\r\nX: y", "h");
  EXPECT_EQ(header("h"), "a=b");
}

TEST_F(CookieJarTest, EscapesOfPlainLettersInPaths) {
  store("a=1; Path=/foo/b%2Fr", "h");
  EXPECT_EQ(header("h", "/f%6Fo/b%2Fr/x"), "a=1");
  EXPECT_EQ(header("h", "/foo/b/r"), "") << "an escaped slash is not a slash";
}

TEST_F(CookieJarTest, TheOldestGoesWhenTheJarIsFull) {
  for (std::size_t i = 0; i <= kCookiesMax; ++i) store("c" + std::to_string(i) + "=1", "h");
  EXPECT_EQ(jar.size(), kCookiesMax);
  EXPECT_EQ(header("h").find("c0="), std::string::npos);
  EXPECT_NE(header("h").find("c128=1"), std::string::npos);
  for (int i = 0; i < 40; ++i) store("big" + std::to_string(i) + "=" + std::string(4000, 'x'), "h");
  EXPECT_LE(jar.bytes(), kJarBytesMax);
  EXPECT_EQ(jar.size(), 16U);
}

TEST_F(CookieJarTest, ClearsAllOrThoseOfAPlace) {
  store("a=1", "a.example");
  store("s=1; Secure", "a.example");
  store("b=1", "b.example");
  jar.clear({.host = "a.example", .path = "/", .secure = false});
  EXPECT_EQ(header("a.example", "/", true), "");
  EXPECT_EQ(header("b.example"), "b=1");
  jar.clear();
  EXPECT_TRUE(jar.empty());
}

}  // namespace
}  // namespace hyperscale::load
