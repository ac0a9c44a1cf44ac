// Every kind of argument that is prepared before the loop, from what a user has to what is used in the loop.
#include "intake/file_arguments.h"
#include "intake/request_from_options.h"
#include "node/executors/host_endpoints.h"
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
#include "temporary_folder.h"
#include "workflow/protobuf_message.h"

#include <fstream>
#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hyperscale::intake {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// The prepared form; a refusal is a failure of the test.
template <typename Argument>
auto prepared(Argument argument) {
  const Status optimised = argument.optimise();
  EXPECT_TRUE(optimised) << (optimised ? "" : optimised.error().context);
  return argument.prepared();
}

template <typename Argument>
bool refused(Argument argument) {
  return !argument.optimise();
}

struct TwoFiles {
  TwoFiles() {
    std::ofstream(folder.path() + "/b.json") << "[]";
    std::ofstream(folder.path() + "/a.txt") << "text";
  }
  test::TemporaryFolder folder;
};

void url() {
  plan::Plan plan;
  const auto step = step_of([] {
    RequestOptions options;
    options.url = "http://127.0.0.1:81/x";
    return options;
  }());
  ASSERT_TRUE(step);
  plan.steps = {*step};
  ASSERT_TRUE(node::fill_endpoints(plan, {}));
  ASSERT_EQ(plan.endpoints.size(), 1U);
  EXPECT_THAT(plan.endpoints[0].addresses, ElementsAre("127.0.0.1"));
  const auto looked_up = node::resolve_host("localhost", plan::AddressFamily::kIpv4);
  ASSERT_TRUE(looked_up);
  EXPECT_THAT(looked_up->addresses, ElementsAre("127.0.0.1"));
}

void headers() {
  const auto wire = prepared(plan::Headers({{.name = "X-Key", .value = "7"}, {.name = "Accept", .value = "*/*"}}));
  EXPECT_EQ(wire.http1, "X-Key: 7\r\nAccept: */*\r\n");
  EXPECT_THAT(wire.list,
              ElementsAre(plan::Header{.name = "x-key", .value = "7"}, plan::Header{.name = "accept", .value = "*/*"}));
}

void data() {
  const auto json =
      prepared(plan::Data(plan::JsonValue{plan::JsonObject{{"a", {plan::JsonArray{{std::int64_t{1}}}}}}}));
  EXPECT_EQ(json.body, "{\"a\":[1]}");
  EXPECT_EQ(json.content_length, "9");
  EXPECT_EQ(json.content_type, "application/json");
}

void params() {
  EXPECT_EQ(prepared(plan::Params({{"page", "1"}, {"limit", "100"}})), "?page=1&limit=100");
}

void cookies() {
  EXPECT_EQ(prepared(plan::Cookies({{"session", "abc"}})), "session=abc");
}

void auth() {
  EXPECT_EQ(prepared(plan::Auth(plan::BasicAuth{.user = "a", .password = "b"})), "Basic YTpi");
  EXPECT_EQ(prepared(plan::Auth(plan::BearerAuth{.token = "abc"})), "Bearer abc");
  EXPECT_EQ(prepared(plan::Auth(plan::SchemeAuth{.scheme = "OAuth", .credentials = "a=\"b\""})), "OAuth a=\"b\"");
}

void query() {
  const auto query =
      prepared(plan::Query({.document = "query Q { a  # c\n }", .operation_name = "", .variables = "{ }"}));
  EXPECT_EQ(query.body, R"({"query":"query Q{a}","operationName":"Q","variables":{}})");
  EXPECT_TRUE(refused(plan::Query({.document = "mutation { a }", .operation_name = "", .variables = ""})));
  EXPECT_TRUE(refused(plan::Query({.document = "{ a", .operation_name = "", .variables = ""})));
}

void mutation() {
  const auto mutation = prepared(plan::Mutation({.document = "mutation { a }", .operation_name = "", .variables = ""}));
  EXPECT_EQ(mutation.body, R"({"query":"mutation{a}"})");
  EXPECT_TRUE(refused(plan::Mutation({.document = "{ a }", .operation_name = "", .variables = ""})));
}

void file() {
  const TwoFiles two;
  const auto files = read_named_files(two.folder.path() + "/b.json", 1);
  ASSERT_TRUE(files);
  EXPECT_THAT(*files, ElementsAre(plan::PreparedFile{.name = "b.json",
                                                     .content = "[]",
                                                     .bytes = 2,
                                                     .media_type = "application/json",
                                                     .crc32c = files->front().crc32c}));
  EXPECT_EQ(prepared(plan::File({.path = "check", .content = "123456789"})).crc32c, 0xe3069283U);
}

void directory() {
  const TwoFiles two;
  const auto listing = scan_directory(two.folder.path(), {});
  ASSERT_TRUE(listing);
  const auto directory = prepared(plan::Directory(*listing));
  EXPECT_THAT(directory.files, ElementsAre(plan::ListedFile{"a.txt", 4}, plan::ListedFile{"b.json", 2}));
  EXPECT_EQ(directory.bytes, 6U);
}

void file_glob() {
  const TwoFiles two;
  const auto listing = scan_directory(two.folder.path(), {});
  ASSERT_TRUE(listing);
  const auto glob = prepared(plan::FileGlob({.pattern = "*.json", .listing = *listing}));
  EXPECT_THAT(glob.files, ElementsAre(plan::ListedFile{"b.json", 2}));
  EXPECT_TRUE(refused(plan::FileGlob({.pattern = "*.xml", .listing = *listing})));
}

void protobuf() {
  const std::vector<workflow::ProtoSource> sources{{"a.proto", "syntax = \"proto3\"; message A { int32 id = 1; }"}};
  EXPECT_EQ(prepared(workflow::Protobuf({.sources = sources, .type = "A", .json = "{\"id\": 150}"})).bytes,
            "\x08\x96\x01");
  EXPECT_TRUE(refused(workflow::Protobuf({.sources = sources, .type = "A", .json = "{\"ID\": 150}"})));
}

void email() {
  plan::EmailValue mail;
  mail.from.address = "a@example.org";
  mail.to = {{.name = "", .address = "b@example.org"}};
  mail.subject = "\xc3\xa4";
  mail.text = "Hi";
  mail.attachments = {{.path = "x.json", .content = "{}"}};
  const auto email = prepared(plan::Email(mail));
  EXPECT_THAT(email.recipients, ElementsAre("b@example.org"));
  EXPECT_THAT(email.message,
              HasSubstr("Subject: =?UTF-8?B?w6Q=?=\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed;"));
  EXPECT_THAT(email.message, HasSubstr("filename=\"x.json\"\r\n\r\ne30=\r\n"));
}

struct Kind {
  const char* name;
  std::function<void()> check;
};

class EveryArgument : public testing::TestWithParam<Kind> {};

// proves part: HOOK-ARG-5 (what each type prepares; not that each may be an argument of a step, nor every kind of URL)
TEST_P(EveryArgument, IsPrepared) {
  GetParam().check();
}

INSTANTIATE_TEST_SUITE_P(All, EveryArgument,
                         testing::Values(Kind{"Url", url}, Kind{"Headers", headers}, Kind{"Data", data},
                                         Kind{"Params", params}, Kind{"Cookies", cookies}, Kind{"Auth", auth},
                                         Kind{"Query", query}, Kind{"Mutation", mutation}, Kind{"File", file},
                                         Kind{"Directory", directory}, Kind{"FileGlob", file_glob},
                                         Kind{"Protobuf", protobuf}, Kind{"Email", email}),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace hyperscale::intake
