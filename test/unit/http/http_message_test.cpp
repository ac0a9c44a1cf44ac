#include "runtime/http/http_message.h"

#include "runtime/http/http_target.h"
#include "runtime/http/response_head.h"

#include <gtest/gtest.h>

namespace hyperscale::runtime {
namespace {

TEST(HttpMessage, BusyTellsWhenToComeBack) {
  const Response response = Response::error({ErrorCode::kBusy, "512 in \"flight\""});
  EXPECT_EQ(response.status, 429);
  EXPECT_EQ(response.body, R"({"error":"Busy","message":"512 in \"flight\"","retry":"maybe"})");
  ASSERT_EQ(response.headers.size(), 1u);
  EXPECT_EQ(response.headers[0].name, "retry-after");
  EXPECT_EQ(response.headers[0].value, "1");
  EXPECT_EQ(Response::error({ErrorCode::kUnavailable, ""}).headers.at(0).value, "5");
}

TEST(HttpMessage, InternalErrorsAreForTheLogOnly) {
  const Response response = Response::error({ErrorCode::kInternal, "password file is gone"});
  EXPECT_EQ(response.status, 500);
  EXPECT_EQ(response.body.find("password"), std::string::npos);
  EXPECT_NE(response.log_message.find("password file is gone"), std::string::npos);
}

TEST(HttpMessage, QueryParametersAreDecoded) {
  Request request;
  request.target = "/p?a=1&name=J%c3%b6rg+M&flag&a=2&bad=%zz%4";
  EXPECT_EQ(request.query("a"), "1");
  EXPECT_EQ(request.query("name"), "J\xc3\xb6rg M");
  EXPECT_EQ(request.query("flag"), "");
  EXPECT_EQ(request.query("bad"), "%zz%4");
  EXPECT_EQ(request.query("none"), std::nullopt);
}

TEST(HttpMessage, PathOfEachFormOfTarget) {
  EXPECT_EQ(path_of_target("/a/b?c"), "/a/b");
  EXPECT_EQ(path_of_target("http://host:80/a?c"), "/a");
  EXPECT_EQ(path_of_target("HTTPS://host"), "/");
  EXPECT_EQ(path_of_target("https://host?x"), "/");
  EXPECT_EQ(path_of_target("http:///a"), std::nullopt);
  EXPECT_EQ(path_of_target("*"), std::nullopt);
  EXPECT_EQ(path_of_target(""), std::nullopt);
  EXPECT_EQ(path_of_target("/a#?b"), "/a");
}

TEST(HttpMessage, AHeaderCannotForgeAnother) {
  Response response = Response::text(200, "body");
  response.headers = {{"x-good", "1"}, {"x-bad", "1\r\nset-cookie: a"}, {"bad name", "1"}, {"content-length", "9"}};
  const std::string head = h1_response_head(response, true);
  EXPECT_NE(head.find("x-good: 1\r\n"), std::string::npos);
  EXPECT_EQ(head.find("set-cookie"), std::string::npos);
  EXPECT_EQ(head.find("bad name"), std::string::npos);
  EXPECT_NE(head.find("content-length: 4\r\n"), std::string::npos);
  EXPECT_EQ(head.find("content-length: 9"), std::string::npos);
}

TEST(HttpMessage, TextOfAProblemIsEscaped) {
  EXPECT_NE(Response::error({ErrorCode::kNotFound, "a\"b\\c\n\x01"}).body.find(R"("message":"a\"b\\c\n\u0001")"),
            std::string::npos);
}

}  // namespace
}  // namespace hyperscale::runtime
