#include "target/routes.h"

#include "target/limits.h"

#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace hyperscale::target {
namespace {

class Routes : public ::testing::Test {
 protected:
  const Answer& get(std::string_view target, std::vector<Field> fields = {}) { return call("GET", target, fields); }
  const Answer& call(std::string_view method, std::string_view target, std::vector<Field> fields = {},
                     std::string_view body = {}) {
    answer_route({.method = method, .target = target, .fields = fields, .body = body}, state_, answer_);
    return answer_;
  }
  std::string extra(std::string_view name) const {
    for (const ExtraField& field : answer_.extra) {
      if (field.name == name) return field.value;
    }
    return "";
  }

  Turns turns_;
  CounterBoard board_{1};
  RouteState state_{.prng = Prng(7), .turns = turns_, .counters = board_, .gzip = {}};
  Answer answer_;
};

TEST_F(Routes, TheSmallPage) {
  EXPECT_EQ(get("/").status, 200);
  EXPECT_EQ(get("/").body, "hello\n");
  EXPECT_EQ(get("/?q=1").body, "hello\n");
  EXPECT_EQ(get("http://example.org").body, "hello\n");
  EXPECT_EQ(get("http://example.org/status/204").status, 204);
}

TEST_F(Routes, Delays) {
  EXPECT_EQ(get("/delay/200ms").delay, 200ms);
  EXPECT_EQ(get("/delay/1m30s").delay, 90s);
  Duration shortest = 1h;
  Duration longest = 0s;
  for (int i = 0; i < 2000; ++i) {
    const Duration delay = get("/delay/10ms-50ms").delay;
    ASSERT_GE(delay, 10ms);
    ASSERT_LE(delay, 50ms);
    shortest = std::min(shortest, delay);
    longest = std::max(longest, delay);
  }
  EXPECT_LT(shortest, 11ms);
  EXPECT_GT(longest, 49ms);
}

TEST_F(Routes, RandomDelaysRepeatWithTheSeed) {
  RouteState other{.prng = Prng(7), .turns = turns_, .counters = board_, .gzip = {}};
  Answer again;
  for (int i = 0; i < 20; ++i) {
    answer_route({.method = "GET", .target = "/delay/1ms-9s", .fields = {}, .body = {}}, other, again);
    EXPECT_EQ(get("/delay/1ms-9s").delay, again.delay);
  }
}

TEST_F(Routes, Stalls) {
  EXPECT_EQ(get("/stall/200ms/2s").stall, (Stall{200ms, 2s}));
  EXPECT_EQ(get("/").stall, std::nullopt);
}

TEST_F(Routes, Statuses) {
  EXPECT_EQ(get("/status/503").status, 503);
  EXPECT_EQ(get("/status/503").body, "503\n");
  EXPECT_EQ(get("/status/204").body, "");
  EXPECT_EQ(get("/status/299").status, 299);
}

TEST_F(Routes, EveryTenthStatusIsTheOtherOne) {
  for (int i = 1; i <= 100; ++i) EXPECT_EQ(get("/status/200,500@10").status, i % 10 == 0 ? 500 : 200) << i;
}

TEST_F(Routes, TargetsTakeTurnsOnTheirOwn) {
  std::map<int, int> seen;
  for (int i = 0; i < 100; ++i) {
    ++seen[get("/status/200,500@10").status];
    ++seen[get("/status/201,501@50").status];
  }
  EXPECT_EQ(seen, (std::map<int, int>{{200, 90}, {500, 10}, {201, 50}, {501, 50}}));
}

TEST_F(Routes, ResettingTheCountsRestartsTheTurns) {
  for (int i = 0; i < 5; ++i) get("/status/200,500@10");
  call("POST", "/reset-count");
  for (int i = 1; i <= 10; ++i) EXPECT_EQ(get("/status/200,500@10").status, i == 10 ? 500 : 200) << i;
}

TEST_F(Routes, Sizes) {
  EXPECT_EQ(get("/size/64KiB").body_bytes(), 65536u);
  EXPECT_EQ(get("/size/0").body_bytes(), 0u);
  EXPECT_EQ(get("/chunked/64KiB/1KiB").body_bytes(), 65536u);
  EXPECT_EQ(get("/chunked/64KiB/1KiB").chunk_bytes, 1024u);
  EXPECT_EQ(get("/drip/1KiB/10ms").body_bytes(), 1024u);
  EXPECT_EQ(get("/drip/1KiB/10ms").drip_every, 10ms);
}

TEST_F(Routes, GzipOnlyWhenAsked) {
  EXPECT_EQ(get("/gzip/64KiB").body_bytes(), 65536u);
  EXPECT_EQ(extra("content-encoding"), "");
  EXPECT_LT(get("/gzip/64KiB", {{"Accept-Encoding", "br, GZIP;q=0.5"}}).body_bytes(), 4096u);
  EXPECT_EQ(extra("content-encoding"), "gzip");
  EXPECT_EQ(get("/gzip/64KiB", {{"Accept-Encoding", "gzippy"}}).body_bytes(), 65536u);
}

TEST_F(Routes, EchoGivesTheRequestBack) {
  EXPECT_EQ(call("PUT", "/echo?a=b", {{"Host", "x"}}, "text").body,
            "{\"method\":\"PUT\",\"target\":\"/echo?a=b\",\"headers\":{\"host\":\"x\"},\"body\":\"text\"}\n");
  EXPECT_EQ(answer_.content_type, kJsonType);
  EXPECT_EQ(get("/headers", {{"A", "1"}}).body, "{\"headers\":{\"a\":\"1\"}}\n");
  answer_route({.method = "PUT", .target = "/echo", .fields = {}, .body = {}, .body_cut = true}, state_, answer_);
  EXPECT_EQ(answer_.status, 413);
}

TEST_F(Routes, RedirectsCountDown) {
  EXPECT_EQ(get("/redirect/3").status, 302);
  EXPECT_EQ(extra("location"), "/redirect/2");
  EXPECT_EQ(get("/redirect/1").status, 302);
  EXPECT_EQ(extra("location"), "/redirect/0");
  EXPECT_EQ(get("/redirect/0").status, 200);
  EXPECT_EQ(extra("location"), "");
}

TEST_F(Routes, Cookies) {
  get("/cookie/set?a=1&b=2");
  ASSERT_EQ(answer_.extra.size(), 2u);
  EXPECT_EQ(answer_.extra[0].value, "a=1; Path=/");
  EXPECT_EQ(answer_.extra[1].value, "b=2; Path=/");
  EXPECT_EQ(get("/cookie", {{"Cookie", "a=1"}}).body, "{\"cookies\":{\"a\":\"1\"}}\n");
}

TEST_F(Routes, Endings) {
  EXPECT_TRUE(get("/close").close);
  EXPECT_EQ(get("/reset").ending, Ending::kReset);
  EXPECT_EQ(get("/never").ending, Ending::kNever);
  EXPECT_EQ(get("/garbage").ending, Ending::kGarbage);
  EXPECT_EQ(get("/half").ending, Ending::kHalf);
  EXPECT_LT(answer_.sent_body_bytes(), answer_.body_bytes());
  EXPECT_EQ(get("/").ending, Ending::kNormal);
}

TEST_F(Routes, CountsAreShownAndReset) {
  ConnectionMark mark;
  board_.core(0).count_request(CoreCounters::Protocol::kHttp1, 0, mark);
  EXPECT_TRUE(get("/count").body.starts_with(R"({"requests":1,)"));
  EXPECT_EQ(get("/reset-count").status, 405);
  EXPECT_EQ(extra("allow"), "POST");
  EXPECT_TRUE(call("POST", "/reset-count").body.starts_with(R"({"requests":1,)"));
  EXPECT_TRUE(get("/count").body.starts_with(R"({"requests":0,)"));
  EXPECT_TRUE(is_count_route("/count?x"));
  EXPECT_TRUE(is_count_route("/reset-count"));
  EXPECT_FALSE(is_count_route("/counting"));
}

TEST_F(Routes, MistakesAreExplained) {
  const std::map<std::string, int> mistakes{
      {"/nowhere", 404},
      {"*", 404},
      {"example.org:443", 404},
      {"//", 404},
      {"/delay", 400},
      {"/delay/", 400},
      {"/delay/5", 400},
      {"/delay/2h", 400},
      {"/delay/50ms-10ms", 400},
      {"/delay/10ms-", 400},
      {"/status/abc", 400},
      {"/status/100", 400},
      {"/status/600", 400},
      {"/status/200,500", 400},
      {"/status/200,500@", 400},
      {"/status/200,500@101", 400},
      {"/status/200,999@10", 400},
      {"/size/x", 400},
      {"/size/-1", 400},
      {"/size/65GiB", 400},
      {"/chunked/64KiB", 400},
      {"/chunked/64KiB/0", 400},
      {"/chunked/64KiB/1GiB", 400},
      {"/gzip/1GiB", 400},
      {"/stall/2s/1s", 400},
      {"/stall/1s", 400},
      {"/drip/1KiB", 400},
      {"/redirect/-1", 400},
      {"/redirect/1001", 400},
      {"/cookie/set", 400},
      {"/cookie/eat", 404},
      {"/size/1/2", 404},
      {"/echo/x", 404},
  };
  for (const auto& [target, status] : mistakes) {
    EXPECT_EQ(get(target).status, status) << target;
    EXPECT_NE(answer_.body.find("/delay/200ms"), std::string::npos) << target;
    EXPECT_EQ(answer_.delay, 0s) << target;
  }
}

}  // namespace
}  // namespace hyperscale::target
