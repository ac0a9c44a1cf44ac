#include "runtime/http/router.h"

#include <gtest/gtest.h>

namespace hyperscale::runtime {
namespace {

asio::awaitable<Response> nothing(std::shared_ptr<const Request>) {
  co_return Response{};
}

Router sample() {
  Router router;
  router.add({.method = "GET", .path = "/jobs", .handler = nothing});
  router.add({.method = "POST", .path = "/jobs", .handler = nothing});
  router.add({.method = "GET", .path = "/jobs/*", .handler = nothing});
  router.add({.method = "GET", .path = "/jobs/new", .handler = nothing});
  router.add({.method = "GET", .path = "/jobs/old/*", .handler = nothing});
  return router;
}

std::string path_for(const Router& router, std::string_view method, std::string_view path) {
  const Router::Match match = router.match(method, path);
  return match.route ? router.routes()[*match.route].path : "none allow=" + match.allow;
}

TEST(Router, ExactBeatsPrefixAndLongerPrefixBeatsShorter) {
  const Router router = sample();
  EXPECT_EQ(path_for(router, "GET", "/jobs"), "/jobs");
  EXPECT_EQ(path_for(router, "GET", "/jobs/7"), "/jobs/*");
  EXPECT_EQ(path_for(router, "GET", "/jobs/new"), "/jobs/new");
  EXPECT_EQ(path_for(router, "GET", "/jobs/old/7"), "/jobs/old/*");
}

TEST(Router, APrefixDoesNotMatchItsOwnDirectoryOrASibling) {
  const Router router = sample();
  EXPECT_EQ(path_for(router, "GET", "/jobs/"), "none allow=");
  EXPECT_EQ(path_for(router, "GET", "/jobsx"), "none allow=");
}

TEST(Router, WrongMethodNamesTheRightOnes) {
  const Router router = sample();
  EXPECT_EQ(path_for(router, "DELETE", "/jobs"), "none allow=GET, HEAD, POST");
  EXPECT_EQ(path_for(router, "DELETE", "/nowhere"), "none allow=");
}

TEST(Router, HeadIsAnsweredByGet) {
  EXPECT_EQ(path_for(sample(), "HEAD", "/jobs"), "/jobs");
}

TEST(Router, EscapesAreNotDecodedForRouting) {
  EXPECT_EQ(path_for(sample(), "GET", "/%6aobs"), "none allow=");
}

}  // namespace
}  // namespace hyperscale::runtime
