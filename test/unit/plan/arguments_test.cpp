#include "plan/arguments/auth.h"
#include "plan/arguments/cookies.h"
#include "plan/arguments/data.h"
#include "plan/arguments/directory.h"
#include "plan/arguments/email.h"
#include "plan/arguments/file.h"
#include "plan/arguments/file_glob.h"
#include "plan/arguments/graphql.h"
#include "plan/arguments/headers.h"
#include "plan/arguments/params.h"
#include "plan/arguments/utf8.h"
#include "plan/limits.h"

#include <limits>

#include <gmock/gmock.h>

namespace hyperscale::plan {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

template <typename Argument>
std::string error_of(Argument argument) {
  const Status optimised = argument.optimise();
  return optimised ? "accepted" : optimised.error().context;
}

// Long enough to live on the heap, so that the address tells whether it was made again.
const std::string kLong(100, 'x');

// proves part: HOOK-ARG-6 (all but URL)
TEST(Arguments, ASecondOptimisationDoesNothing) {
  const auto twice = [](auto argument, auto address) {
    ASSERT_TRUE(argument.optimise());
    const void* first = address(argument.prepared());
    ASSERT_TRUE(argument.optimise());
    EXPECT_EQ(address(argument.prepared()), first);
  };
  const auto of_text = [](const std::string& text) { return static_cast<const void*>(text.data()); };
  twice(Headers({{.name = "x", .value = kLong}}), [&](const WireHeaders& wire) { return of_text(wire.http1); });
  twice(Data(kLong), [&](const PreparedData& data) { return of_text(data.body); });
  twice(Data(JsonValue{kLong}), [&](const PreparedData& data) { return of_text(data.body); });
  twice(Params({{"x", kLong}}), of_text);
  twice(Cookies({{"x", kLong}}), of_text);
  twice(Auth(BasicAuth{.user = "x", .password = kLong}), of_text);
  const auto of_body = [&](const PreparedGraphql& graphql) { return of_text(graphql.body); };
  twice(Query({.document = "{" + kLong + "}", .operation_name = "", .variables = ""}), of_body);
  twice(Mutation({.document = "mutation{" + kLong + "}", .operation_name = "", .variables = ""}), of_body);
  twice(File({.path = "x", .content = kLong}), [&](const PreparedFile& file) { return of_text(file.content); });
  twice(Directory({{kLong, 1}}), [&](const PreparedDirectory& directory) { return of_text(directory.files[0].path); });
  twice(FileGlob({.pattern = "*", .listing = {{kLong, 1}}}),
        [&](const PreparedGlob& glob) { return of_text(glob.files[0].path); });
  EmailValue mail;
  mail.from.address = "a@example.org";
  mail.to = {{.name = "", .address = "b@example.org"}};
  mail.text = kLong;
  twice(Email(mail), [&](const PreparedEmail& email) { return of_text(email.message); });
}

TEST(Arguments, UsedBeforeOptimisedIsABug) {
  const Params params({{"a", "1"}});
  EXPECT_FALSE(params.optimised());
  EXPECT_DEATH(params.prepared(), "before it was optimised");
}

TEST(Headers, TextForHttp1AndListForHttp2) {
  Headers headers(
      {{.name = "Accept", .value = "*/*"}, {.name = "X-Tag", .value = " a b\t"}, {.name = "X-Tag", .value = ""}});
  ASSERT_TRUE(headers.optimise());
  EXPECT_EQ(headers.prepared().http1, "Accept: */*\r\nX-Tag: a b\r\nX-Tag: \r\n");
  EXPECT_THAT(headers.prepared().list,
              ElementsAre(Header{.name = "accept", .value = "*/*"}, Header{.name = "x-tag", .value = "a b"},
                          Header{.name = "x-tag", .value = ""}));
}

TEST(Headers, NothingGetsOutOfItsLine) {
  const auto with = [](std::string name, std::string value) {
    return error_of(Headers({{.name = std::move(name), .value = std::move(value)}}));
  };
  EXPECT_THAT(with("X", "a\r\nEvil: 1"), HasSubstr("header X has a line break"));
  EXPECT_THAT(with("X", "a\nb"), HasSubstr("line break"));
  EXPECT_THAT(with("X", std::string("a\0b", 3)), HasSubstr("control character"));
  EXPECT_THAT(with("", "a"), HasSubstr("no name"));
  EXPECT_THAT(with("X Y", "a"), HasSubstr("\"X Y\""));
  EXPECT_THAT(with("X:", "a"), HasSubstr("header name"));
  EXPECT_THAT(with("X\r\nY", "a"), HasSubstr("\\r\\n"));
  EXPECT_THAT(with(std::string("X\0", 2), "a"), HasSubstr("header name"));
  EXPECT_THAT(with("\xc3\xa4", "a"), HasSubstr("header name"));
  EXPECT_THAT(with(std::string(kHeaderNameBytesMax + 1, 'n'), "a"), HasSubstr("too long"));
  EXPECT_THAT(with("X", std::string(kHeaderValueBytesMax + 1, 'v')), HasSubstr("too long"));
  EXPECT_EQ(with("X", "caf\xc3\xa9\tau lait"), "accepted");
}

TEST(Data, TextStaysAsItIs) {
  Data data(std::string("a\r\nb\0c", 6));
  ASSERT_TRUE(data.optimise());
  EXPECT_EQ(data.prepared().body, std::string("a\r\nb\0c", 6));
  EXPECT_EQ(data.prepared().content_length, "6");
  EXPECT_EQ(data.prepared().content_type, "text/plain; charset=utf-8");
}

TEST(Data, AValueBecomesCompactJson) {
  const JsonValue value{JsonObject{
      {"name", {std::string("J\"o\\e\n\x01\xc3\xa4")}},
      {"age", {std::int64_t{-42}}},
      {"ratio", {0.1}},
      {"tags", {JsonArray{{true}, {false}, {nullptr}, {JsonArray{}}, {JsonObject{}}}}},
  }};
  Data data(value);
  ASSERT_TRUE(data.optimise());
  EXPECT_EQ(data.prepared().body,
            "{\"name\":\"J\\\"o\\\\e\\n\\u0001\xc3\xa4\",\"age\":-42,\"ratio\":0.1,\"tags\":[true,false,null,[],{}]}");
  EXPECT_EQ(data.prepared().content_type, "application/json");
  EXPECT_EQ(data.prepared().content_length, std::to_string(data.prepared().body.size()));
}

TEST(Data, RefusesWhatJsonCannotSay) {
  EXPECT_THAT(error_of(Data(JsonValue{std::numeric_limits<double>::infinity()})), HasSubstr("not finite"));
  EXPECT_THAT(error_of(Data(JsonValue{std::nan("")})), HasSubstr("not finite"));
  EXPECT_THAT(error_of(Data(JsonValue{std::string("\xff")})), HasSubstr("not UTF-8"));
  EXPECT_THAT(error_of(Data(JsonValue{JsonObject{{"\xc3", {nullptr}}}})), HasSubstr("not UTF-8"));
  JsonValue deep;
  for (std::size_t i = 1; i < kJsonDepthMax; ++i) deep = JsonValue{JsonArray{deep}};
  EXPECT_EQ(error_of(Data(deep)), "accepted");
  EXPECT_THAT(error_of(Data(JsonValue{JsonArray{deep}})), HasSubstr("more than 64 levels"));
}

TEST(Utf8, KnownForms) {
  for (const std::string_view good : {"", "a", "\xc2\x80", "\xdf\xbf", "\xe0\xa0\x80", "\xed\x9f\xbf", "\xef\xbf\xbf",
                                      "\xf0\x90\x80\x80", "\xf4\x8f\xbf\xbf"}) {
    EXPECT_TRUE(is_utf8(good));
  }
  for (const std::string_view bad : {"\x80", "\xc0\x80", "\xc1\xbf", "\xc2", "\xe0\x9f\xbf", "\xed\xa0\x80", "\xe2\x82",
                                     "\xf0\x8f\xbf\xbf", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xc2\x41", "\xff"}) {
    EXPECT_FALSE(is_utf8(bad));
  }
}

TEST(Params, BecomeAQuery) {
  Params params({{"page", "1"}, {"limit", "100"}});
  ASSERT_TRUE(params.optimise());
  EXPECT_EQ(params.prepared(), "?page=1&limit=100");
  EXPECT_EQ(prepare_params({}), "");
  EXPECT_EQ(prepare_params({{"a b", "c&d=e#f"}, {"g", ""}}), "?a%20b=c%26d%3De%23f&g=");
  EXPECT_THAT(error_of(Params({{"", "x"}})), HasSubstr("no name"));
  EXPECT_THAT(error_of(Params({{"x", std::string(kUrlBytesMax, 'y')}})), HasSubstr("at most 8192"));
}

TEST(Cookies, BecomeOneHeaderValue) {
  EXPECT_EQ(prepare_cookies({{"session", "abc"}}), "session=abc");
  EXPECT_EQ(prepare_cookies({{"session", "abc"}, {"theme", "dark"}}), "session=abc; theme=dark");
  EXPECT_EQ(prepare_cookies({}), "");
  for (const std::string& bad : {std::string("a b"), std::string("a;b"), std::string("a,b"), std::string("a\"b"),
                                 std::string("a\\b"), std::string("a\r\nb"), std::string("\xc3\xa4")}) {
    EXPECT_THAT(error_of(Cookies({{"c", bad}})), HasSubstr("cookie c has a character")) << bad;
  }
  EXPECT_THAT(error_of(Cookies({{"a=b", "c"}})), HasSubstr("not the name of a cookie"));
  EXPECT_THAT(error_of(Cookies({{"", "c"}})), HasSubstr("not the name of a cookie"));
}

// The examples of RFC 4648 10.
TEST(Auth, Base64) {
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64("f"), "Zg==");
  EXPECT_EQ(base64("fo"), "Zm8=");
  EXPECT_EQ(base64("foo"), "Zm9v");
  EXPECT_EQ(base64("foob"), "Zm9vYg==");
  EXPECT_EQ(base64("fooba"), "Zm9vYmE=");
  EXPECT_EQ(base64("foobar"), "Zm9vYmFy");
  EXPECT_EQ(base64("\xfb\xff\xfe"), "+//+");
}

TEST(Auth, BasicAndBearer) {
  // The example of RFC 7617 2.
  EXPECT_EQ(prepare_auth(BasicAuth{.user = "Aladdin", .password = "open sesame"}),
            "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==");
  EXPECT_EQ(prepare_auth(BearerAuth{.token = "mF_9.B5f-4.1JqM=="}), "Bearer mF_9.B5f-4.1JqM==");
  EXPECT_THAT(error_of(Auth(BasicAuth{.user = "a:b", .password = "c"})), HasSubstr("colon"));
  EXPECT_THAT(error_of(Auth(BasicAuth{.user = "a", .password = "c\n"})), HasSubstr("control character"));
  EXPECT_THAT(error_of(Auth(BearerAuth{.token = ""})), HasSubstr("empty"));
  EXPECT_THAT(error_of(Auth(BearerAuth{.token = "=="})), HasSubstr("empty"));
  for (const std::string& bad :
       {std::string("a b"), std::string("a=b"), std::string("a\r\nb"), std::string("a\0b", 3)}) {
    EXPECT_THAT(error_of(Auth(BearerAuth{.token = bad})), HasSubstr("bearer token has a character"));
  }
}

TEST(Auth, AnyOtherScheme) {
  EXPECT_EQ(prepare_auth(SchemeAuth{.scheme = "OAuth", .credentials = "realm=\"x\", oauth_token=\"y\""}),
            "OAuth realm=\"x\", oauth_token=\"y\"");
  EXPECT_THAT(error_of(Auth(SchemeAuth{.scheme = "a b", .credentials = "c"})), HasSubstr("not one word"));
  EXPECT_THAT(error_of(Auth(SchemeAuth{.scheme = "Token", .credentials = ""})), HasSubstr("credentials are empty"));
  EXPECT_THAT(error_of(Auth(SchemeAuth{.scheme = "Token", .credentials = "a\r\nB: c"})), HasSubstr("visible ASCII"));
}

TEST(Auth, FromTheUserPartOfAUrl) {
  const auto auth = auth_from_user_info("us%3Aer:p%40ss:word");
  ASSERT_TRUE(auth);
  EXPECT_EQ(auth->user, "us:er");
  EXPECT_EQ(auth->password, "p@ss:word");
  EXPECT_EQ(auth_from_user_info("just-a-name")->password, "");
  EXPECT_FALSE(auth_from_user_info("a:%z"));
}

}  // namespace
}  // namespace hyperscale::plan
