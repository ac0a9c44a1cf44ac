#include "plan/url.h"

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

namespace hyperscale::plan {
namespace {

using testing::HasSubstr;

std::string resolved(std::string_view base, std::string_view location) {
  const auto url = resolve_reference(*parse_url(base), location);
  return url ? url->text() : url.error().context;
}

// The examples of RFC 3986 5.4 that lead to http, with "/" for an empty path and without fragments.
TEST(ResolveReference, ExamplesOfTheStandard) {
  struct Example {
    std::string_view location;
    std::string_view result;
  };
  for (const auto& [location, result] : {
           Example{"g", "http://a/b/c/g"},
           Example{"./g", "http://a/b/c/g"},
           Example{"g/", "http://a/b/c/g/"},
           Example{"/g", "http://a/g"},
           Example{"//g", "http://g/"},
           Example{"?y", "http://a/b/c/d;p?y"},
           Example{"g?y", "http://a/b/c/g?y"},
           Example{"#s", "http://a/b/c/d;p?q"},
           Example{"g#s", "http://a/b/c/g"},
           Example{"g?y#s", "http://a/b/c/g?y"},
           Example{";x", "http://a/b/c/;x"},
           Example{"g;x?y#s", "http://a/b/c/g;x?y"},
           Example{"", "http://a/b/c/d;p?q"},
           Example{".", "http://a/b/c/"},
           Example{"./", "http://a/b/c/"},
           Example{"..", "http://a/b/"},
           Example{"../", "http://a/b/"},
           Example{"../g", "http://a/b/g"},
           Example{"../..", "http://a/"},
           Example{"../../", "http://a/"},
           Example{"../../g", "http://a/g"},
           Example{"../../../g", "http://a/g"},
           Example{"../../../../g", "http://a/g"},
           Example{"/./g", "http://a/g"},
           Example{"/../g", "http://a/g"},
           Example{"g.", "http://a/b/c/g."},
           Example{".g", "http://a/b/c/.g"},
           Example{"g..", "http://a/b/c/g.."},
           Example{"..g", "http://a/b/c/..g"},
           Example{"./../g", "http://a/b/g"},
           Example{"./g/.", "http://a/b/c/g/"},
           Example{"g/./h", "http://a/b/c/g/h"},
           Example{"g/../h", "http://a/b/c/h"},
           Example{"g;x=1/./y", "http://a/b/c/g;x=1/y"},
           Example{"g;x=1/../y", "http://a/b/c/y"},
           Example{"g?y/./x", "http://a/b/c/g?y/./x"},
           Example{"g?y/../x", "http://a/b/c/g?y/../x"},
       }) {
    EXPECT_EQ(resolved("http://a/b/c/d;p?q", location), result) << location;
  }
}

TEST(ResolveReference, AbsoluteUrlsReplaceEverything) {
  EXPECT_EQ(resolved("http://a:81/x?y", "https://b/z/../w"), "https://b/w");
  EXPECT_EQ(resolved("https://a/x", "//b:8443/z"), "https://b:8443/z");
  EXPECT_EQ(resolved("http://a:81/x", "/z"), "http://a:81/z");
  EXPECT_EQ(resolved("http://a", "b"), "http://a/b");
}

TEST(ResolveReference, WhatServersReallySend) {
  EXPECT_EQ(resolved("http://a/", "/b c"), "http://a/b%20c");
  EXPECT_EQ(resolved("http://a/", " /b "), "http://a/b");
  EXPECT_EQ(resolved("http://a/", "/\xc3\xa4"), "http://a/%C3%A4");
  EXPECT_EQ(resolved("http://a/", "/login?back=http://a/x"), "http://a/login?back=http://a/x");
}

TEST(ResolveReference, CredentialsStayWithTheirHost) {
  const Url base = *parse_url("http://user:pw@a/x");
  EXPECT_EQ(resolve_reference(base, "/y")->user_info, "user:pw");
  EXPECT_EQ(resolve_reference(base, "http://b/y")->user_info, "");
  EXPECT_EQ(resolve_reference(base, "//b/y")->user_info, "");
}

TEST(ResolveReference, RefusesWhatCannotBeFollowed) {
  EXPECT_THAT(resolved("http://a/", "ftp://b/"), HasSubstr("not supported"));
  EXPECT_THAT(resolved("http://a/", "mailto:x"), HasSubstr("\"mailto\" is not supported"));
  EXPECT_THAT(resolved("http://a/", "javascript:x"), HasSubstr("not supported"));
  EXPECT_THAT(resolved("http://a/", "/b\r\nX: y"), HasSubstr("control character"));
  EXPECT_THAT(resolved("http://a/", "/%zz"), HasSubstr("broken escape"));
  EXPECT_THAT(resolved("http://a/", "//"), HasSubstr("host is missing"));
  EXPECT_THAT(resolved("http://a/", "http://"), HasSubstr("host is missing"));
  EXPECT_THAT(resolved("http://a/", "/" + std::string(10'000, 'x')), HasSubstr("longer than"));
}

RC_GTEST_PROP(ResolveReference, LeadsToAUrlOrNowhere, (const std::string& noise)) {
  const Url base = *parse_url("http://a/b/c?d");
  for (const std::string& location : {noise, "/" + noise, "../" + noise, "//" + noise, "?" + noise}) {
    const auto url = resolve_reference(base, location);
    if (!url) continue;
    const auto again = parse_url(url->text());
    RC_ASSERT(again.has_value());
    RC_ASSERT(again->target == url->target);
  }
}

}  // namespace
}  // namespace hyperscale::plan
