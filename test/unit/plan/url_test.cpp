#include "plan/url.h"

#include "plan/limits.h"

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

namespace hyperscale::plan {
namespace {

using testing::HasSubstr;

Url parsed(std::string_view text) {
  const auto url = parse_url(text);
  EXPECT_TRUE(url) << text << ": " << (url ? "" : url.error().context);
  return url.value_or(Url());
}

std::string error_of(std::string_view text) {
  const auto url = parse_url(text);
  if (url) return "accepted";
  EXPECT_EQ(url.error().code, ErrorCode::kInvalidArgument);
  return url.error().context;
}

TEST(Url, TakenApart) {
  EXPECT_EQ(parsed("https://user:pa%40ss@Example.COM:8443/a/b?x=1&y=2#top"), (Url{.scheme = "https",
                                                                                  .user_info = "user:pa%40ss",
                                                                                  .host = "example.com",
                                                                                  .port = 8443,
                                                                                  .port_given = true,
                                                                                  .target = "/a/b?x=1&y=2"}));
  EXPECT_EQ(
      parsed("http://localhost"),
      (Url{.scheme = "http", .user_info = "", .host = "localhost", .port = 80, .port_given = false, .target = "/"}));
}

TEST(Url, PortsOfTheSchemes) {
  EXPECT_EQ(parsed("http://a/").port, 80);
  EXPECT_EQ(parsed("https://a/").port, 443);
  EXPECT_TRUE(parsed("https://a/").secure());
  EXPECT_FALSE(parsed("HTTP://a/").secure());
  EXPECT_EQ(parsed("http://a:65535/").port, 65535);
  EXPECT_EQ(parsed("http://a:080/").port, 80);
  EXPECT_EQ(parsed("http://a:/x"), parsed("http://a/x"));
}

TEST(Url, TheSchemeMayBeLeftOut) {
  EXPECT_EQ(parsed("example.com/x").text(), "http://example.com/x");
  EXPECT_EQ(parsed("localhost:8080/x?y").text(), "http://localhost:8080/x?y");
  EXPECT_EQ(parsed("127.0.0.1:9000").text(), "http://127.0.0.1:9000/");
  EXPECT_EQ(parsed("[::1]:9000/z").text(), "http://[::1]:9000/z");
  EXPECT_EQ(parsed(":8080/x").text(), "http://localhost:8080/x");
  EXPECT_EQ(parsed(":8080").text(), "http://localhost:8080/");
  EXPECT_EQ(parsed("host/to?u=http://other/").host, "host");
}

TEST(Url, TheTargetIsAtLeastASlash) {
  EXPECT_EQ(parsed("http://a?x=1").target, "/?x=1");
  EXPECT_EQ(parsed("http://a#f").target, "/");
  EXPECT_EQ(parsed("http://a/../b/./c").target, "/../b/./c");
  EXPECT_EQ(parsed("http://a/x%2Fy?q=[1]|{2}").target, "/x%2Fy?q=[1]|{2}");
  EXPECT_EQ(parsed("http://a/u@v:1").target, "/u@v:1");
}

TEST(Url, AuthorityIsWhatAHostHeaderSays) {
  EXPECT_EQ(parsed("http://a:80/").authority(), "a");
  EXPECT_EQ(parsed("http://a:443/").authority(), "a:443");
  EXPECT_EQ(parsed("https://a:443/").authority(), "a");
  EXPECT_EQ(parsed("https://a:80/").authority(), "a:80");
  EXPECT_EQ(parsed("http://[2001:DB8::1]:8080/").authority(), "[2001:db8::1]:8080");
  EXPECT_EQ(parsed("http://u:p@[::1]/").authority(), "[::1]");
  EXPECT_EQ(parsed("http://u:p@[::1]/").host, "::1");
}

TEST(Url, EachMistakeHasItsSentence) {
  EXPECT_THAT(error_of(""), HasSubstr("empty"));
  EXPECT_THAT(error_of("http://a/b c"), HasSubstr("space at position 11; write %20"));
  EXPECT_THAT(error_of("http://a/\r\nX: y"), HasSubstr("control character at position 10"));
  EXPECT_THAT(error_of(std::string_view("http://a/\0", 10)), HasSubstr("control character"));
  EXPECT_THAT(error_of("http://a/\x7f"), HasSubstr("control character"));
  EXPECT_THAT(error_of("http://\xc3\xa4@a/"), HasSubstr("percent escape"));
  EXPECT_THAT(error_of("http://a/\xc3\xa4"), HasSubstr("beyond ASCII"));
  EXPECT_THAT(error_of("http://a\\b"), HasSubstr("character \\"));
  EXPECT_THAT(error_of("http://a/%zz"), HasSubstr("broken escape at position 10"));
  EXPECT_THAT(error_of("http://a/%2"), HasSubstr("broken escape"));
  EXPECT_THAT(error_of("ftp://a/"), HasSubstr("\"ftp\" is not supported"));
  EXPECT_THAT(error_of("://a/"), HasSubstr("is not supported"));
  EXPECT_THAT(error_of("http:a"), HasSubstr("no \"//\""));
  EXPECT_THAT(error_of("https:/a"), HasSubstr("write https://"));
  EXPECT_THAT(error_of("http:///x"), HasSubstr("host is missing"));
  EXPECT_THAT(error_of("http://:80/"), HasSubstr("host is missing"));
  EXPECT_THAT(error_of("http://u@/"), HasSubstr("host is missing"));
  EXPECT_THAT(error_of("/path"), HasSubstr("host is missing"));
  EXPECT_THAT(error_of(":/path"), HasSubstr("host is missing"));
  EXPECT_THAT(error_of("//a/b"), HasSubstr("host is missing"));
  EXPECT_THAT(error_of("http://a:0/"), HasSubstr("port 0"));
  EXPECT_THAT(error_of("http://a:65536/"), HasSubstr("above 65535"));
  EXPECT_THAT(error_of("http://a:99999999999999999999/"), HasSubstr("above 65535"));
  EXPECT_THAT(error_of("http://a:8o/"), HasSubstr("\"8o\" is not a number"));
  EXPECT_THAT(error_of("http://a:-1/"), HasSubstr("not a number"));
  EXPECT_THAT(error_of("http://::1/"), HasSubstr("in brackets"));
  EXPECT_THAT(error_of("http://[::1/"), HasSubstr("no \"]\""));
  EXPECT_THAT(error_of("http://[::g]/"), HasSubstr("not an IPv6 address"));
  EXPECT_THAT(error_of("http://[::1]x/"), HasSubstr("not an IPv6 address"));
  EXPECT_THAT(error_of("http://256.0.0.1/"), HasSubstr("not an IPv4 address"));
  EXPECT_THAT(error_of("http://a_b!/"), HasSubstr("may only have letters"));
  EXPECT_THAT(error_of("http://a@b@c/"), HasSubstr("%40"));
  EXPECT_THAT(error_of("http://a/" + std::string(kUrlBytesMax, 'x')), HasSubstr("longer than 8192"));
}

TEST(Url, NoMessageRepeatsAPassword) {
  for (const std::string_view bad : {"http://user:secret@/", "http://user:secret@a:x/", "http://user:secret@b@c/",
                                     "http://user:secret@a/ b", "http://user:secret@[x]/"}) {
    EXPECT_THAT(error_of(bad), testing::Not(HasSubstr("secret"))) << bad;
  }
}

RC_GTEST_PROP(Url, AnyTextIsTakenOrRefused, (const std::string& noise)) {
  for (const std::string& text :
       {noise, "http://" + noise, "http://a/" + noise, "http://[" + noise + "]/", "a:" + noise}) {
    const auto url = parse_url(text);
    if (!url) continue;
    RC_ASSERT(!url->host.empty());
    RC_ASSERT(url->port != 0);
    RC_ASSERT(url->target.starts_with('/'));
    for (const char c : url->text()) RC_ASSERT((c > ' ' && c <= '~'));
    // The absolute form is a form of the same URL.
    Url again = *parse_url(url->text());
    again.user_info = url->user_info;
    again.port_given = url->port_given;
    RC_ASSERT(again == *url);
  }
}

}  // namespace
}  // namespace hyperscale::plan
