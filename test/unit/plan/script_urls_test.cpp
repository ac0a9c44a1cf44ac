#include "plan/script_urls.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hyperscale::plan {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> urls_of(const std::string& code, const std::string& name = "shop.js") {
  plan::Script script;
  script.files = {plan::make_blob(name, code)};
  return urls_in_script(script);
}

TEST(ScriptUrls, AreFoundInEveryKindOfQuotes) {
  EXPECT_THAT(urls_of("get('http://a.test/x'); get(\"https://b.test:8443/?q\"); get(`http://c.test/${id}`);"),
              ElementsAre("http://a.test", "https://b.test:8443", "http://c.test"));
  EXPECT_THAT(urls_of("get('http://a.test')"), ElementsAre("http://a.test"));
  EXPECT_THAT(urls_of("get('http://[::1]:80/x')"), ElementsAre("http://[::1]:80"));
  EXPECT_THAT(urls_of("get('http://a.test#top')"), ElementsAre("http://a.test"));
}

TEST(ScriptUrls, RawOnesAreFoundToo) {
  EXPECT_THAT(urls_of("tcp('tcp://a.test:6379', {}); 'tls://b.test:1' 'udp://[::1]:53' 'tcp://no-port'"),
              ElementsAre("tcp://a.test:6379", "tls://b.test:1", "udp://[::1]:53"));
}

TEST(ScriptUrls, EachIsGivenOnceInOrder) {
  EXPECT_THAT(urls_of("'http://b.test/1' 'http://a.test/2' 'http://b.test/3'"),
              ElementsAre("http://b.test", "http://a.test"));
}

TEST(ScriptUrls, CommentsAreNotRead) {
  EXPECT_THAT(urls_of("// 'http://a.test/'\n/* 'http://b.test/' \n 'http://c.test/' */ 'http://d.test/'"),
              ElementsAre("http://d.test"));
  EXPECT_THAT(urls_of("/* it's 'http://a.test/'"), IsEmpty()) << "one that does not end";
  EXPECT_THAT(urls_of("// it's\n'http://a.test/'"), ElementsAre("http://a.test"));
}

TEST(ScriptUrls, WhatLooksLikeACommentInsideQuotesIsNone) {
  EXPECT_THAT(urls_of("const a = '/* '; get('http://a.test/');"), ElementsAre("http://a.test"));
  EXPECT_THAT(urls_of("get('http://a.test/' + 'x'); // done"), ElementsAre("http://a.test"));
}

TEST(ScriptUrls, AHostThatIsPutTogetherIsNotGuessed) {
  EXPECT_THAT(urls_of("get(`http://${host}/x`)"), IsEmpty());
  EXPECT_THAT(urls_of("get(`http://api-${n}.test/x`)"), IsEmpty());
  EXPECT_THAT(urls_of("get('http://')"), IsEmpty());
}

TEST(ScriptUrls, AQuoteBehindABackslashDoesNotEndTheText) {
  EXPECT_THAT(urls_of(R"(const s = 'it\'s http://a.test/ here'; get("http://b.test/"))"),
              ElementsAre("http://a.test", "http://b.test"));
  EXPECT_THAT(urls_of("'\\"), IsEmpty()) << "the last byte is a backslash";
  EXPECT_THAT(urls_of("'http://a.test/\\"), ElementsAre("http://a.test"));
}

TEST(ScriptUrls, QuoteInRegexMisleadsOnlyWithinItsLine) {
  EXPECT_THAT(urls_of("const r = /'/;\nget('http://a.test/');"), ElementsAre("http://a.test"));
}

TEST(ScriptUrls, TheTextOfATemplateGoesOnOverLines) {
  EXPECT_THAT(urls_of("const t = `first\nhttp://a.test/x\n`; get('http://b.test/');"),
              ElementsAre("http://a.test", "http://b.test"));
}

TEST(ScriptUrls, TheEnvironmentCountsAndDataDoesNot) {
  plan::Script script;
  script.files = {plan::make_blob("users.csv", "'http://a.test/'"), plan::make_blob("x.mjs", "'http://b.test/'")};
  script.env = {{.name = "TARGET", .value = "http://c.test:81/base"}, {.name = "NAME", .value = "c.test"}};
  script.secrets = {{.name = "KEY", .value = "http://secret.test/"}};
  EXPECT_THAT(urls_in_script(script), ElementsAre("http://b.test", "http://c.test:81"));
}

TEST(ScriptUrls, AnyTextIsSurvived) {
  for (const std::string code : {"", "'", "`", "/", "/*", "/*/", "//", "\\", "'\\", "http://", "'http://", "`${`"})
    EXPECT_THAT(urls_of(code), IsEmpty()) << code;
}

}  // namespace
}  // namespace hyperscale::plan
