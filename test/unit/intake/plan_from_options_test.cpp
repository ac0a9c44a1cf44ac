#include "intake/plan_from_options.h"

#include "intake/load_from_options.h"
#include "temporary_folder.h"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hyperscale::intake {
namespace {

using testing::HasSubstr;

constexpr Machine kMachine{.descriptors_max = 20'000, .cores = 4};

RunOptions options_for(const std::string& url = "http://127.0.0.1:8080/x") {
  RunOptions options;
  options.request.url = url;
  return options;
}

plan::Plan plan_for(const RunOptions& options) {
  const auto run = plan_of(options, kMachine);
  EXPECT_TRUE(run) << (run ? "" : run.error().context);
  return run ? run->plan : plan::Plan();
}

std::string error_for(const RunOptions& options, const Machine& machine = kMachine) {
  const auto run = plan_of(options, machine);
  if (run) return "no error";
  EXPECT_EQ(run.error().context.find('\n'), std::string::npos) << "one line";
  return run.error().context;
}

TEST(PlanFromOptions, AUrlAloneIsTenUsersForTenSeconds) {
  const plan::Plan plan = plan_for(options_for());
  EXPECT_EQ(plan.load.pacing, plan::Pacing::kClosed);
  EXPECT_EQ(plan.load.vus, 10U);
  EXPECT_EQ(plan.load.duration, 10s);
  EXPECT_EQ(plan.load.iterations, 0U);
  ASSERT_EQ(plan.steps.size(), 1U);
  EXPECT_EQ(plan.steps[0].requests[0].url, "http://127.0.0.1:8080/x");
  EXPECT_EQ(plan.steps[0].requests[0].method, "GET");
  EXPECT_EQ(plan.name, "GET http://127.0.0.1:8080/x");
}

TEST(PlanFromOptions, RequestsBoundARunWithoutATime) {
  RunOptions options = options_for();
  options.load.requests = "1000";
  EXPECT_EQ(plan_for(options).load.iterations, 1000U);
  EXPECT_EQ(plan_for(options).load.duration, 0s);
  options.load.duration = "5";
  EXPECT_EQ(plan_for(options).load.duration, 5s) << "a bare number is seconds";
  options.load.requests = "3";
  EXPECT_EQ(plan_for(options).load.vus, 3U) << "no user without a request";
}

TEST(PlanFromOptions, ARateIsAnOpenLoopWithAPoolThatFitsTheMachine) {
  RunOptions options = options_for();
  options.load.rate = "120/m";
  const plan::Load load = plan_for(options).load;
  EXPECT_EQ(load.pacing, plan::Pacing::kOpen);
  EXPECT_DOUBLE_EQ(load.rate_per_s, 2);
  EXPECT_EQ(load.vus, kOpenVusDefaultMax);
  const auto small = plan_of(options, {.descriptors_max = 1024, .cores = 1});
  ASSERT_TRUE(small);
  EXPECT_EQ(small->plan.load.vus, 924U);
}

TEST(PlanFromOptions, StagesAreUsersOrRates) {
  RunOptions options = options_for();
  options.load.stages = {"30s:100", "1m:20"};
  plan::Load load = plan_for(options).load;
  EXPECT_EQ(load.stages, (std::vector<plan::Stage>{{30s, 100}, {60s, 20}}));
  EXPECT_EQ(load.vus, 100U);
  EXPECT_EQ(load.duration, 90s);
  options.load.rate = "10";
  options.load.stages = {"30s:500/s"};
  load = plan_for(options).load;
  EXPECT_EQ(load.pacing, plan::Pacing::kOpen);
  EXPECT_DOUBLE_EQ(load.rate_per_s, 10);
  EXPECT_DOUBLE_EQ(load.stages[0].target, 500);
}

TEST(PlanFromOptions, HeadersBodyAndCredentials) {
  RunOptions options = options_for("http://ann:s%20t@127.0.0.1/");
  options.request.headers = {"X-Key:  7 ", "Accept: */*"};
  options.request.json_body = "{}";
  const plan::Request request = plan_for(options).steps[0].requests[0];
  EXPECT_EQ(request.method, "POST");
  EXPECT_EQ(request.url, "http://127.0.0.1/") << "credentials are not part of what is shown";
  EXPECT_EQ(request.body, "{}");
  EXPECT_EQ(request.headers, (std::vector<plan::Header>{{"X-Key", "7"},
                                                        {"Accept", "*/*"},
                                                        {"Content-Type", "application/json"},
                                                        {"Authorization", "Basic YW5uOnMgdA=="}}));
}

TEST(PlanFromOptions, FormsAreEncodedAndOwnContentTypesStay) {
  RunOptions options = options_for();
  options.request.form = {"a=1 2", "b=x&y"};
  EXPECT_EQ(plan_for(options).steps[0].requests[0].body, "a=1%202&b=x%26y");
  options.request.headers = {"content-type: text/x"};
  EXPECT_EQ(plan_for(options).steps[0].requests[0].headers.size(), 1U);
}

TEST(PlanFromOptions, BearerTokens) {
  RunOptions options = options_for();
  options.request.auth = "bearer:abc";
  EXPECT_EQ(plan_for(options).steps[0].requests[0].headers,
            (std::vector<plan::Header>{{"Authorization", "Bearer abc"}}));
}

TEST(PlanFromOptions, FilesAreInThePlan) {
  const test::TemporaryFolder folder;
  std::ofstream(folder.path() + "/body") << "from a file";
  std::ofstream(folder.path() + "/urls") << "# comment\nhttp://127.0.0.1/a\n\n  http://127.0.0.1/b\r\n";
  RunOptions options = options_for();
  options.request.body_file = folder.path() + "/body";
  options.request.urls_file = folder.path() + "/urls";
  const plan::Step step = plan_for(options).steps[0];
  ASSERT_EQ(step.requests.size(), 3U);
  EXPECT_EQ(step.requests[2].url, "http://127.0.0.1/b");
  EXPECT_EQ(step.requests[2].body, "from a file");
}

TEST(PlanFromOptions, EachFileIsARow) {
  const test::TemporaryFolder folder;
  std::ofstream(folder.path() + "/b.json") << "[2]";
  std::ofstream(folder.path() + "/a.json") << "[1]";
  std::ofstream(folder.path() + "/c.txt") << "text";
  RunOptions options = options_for();
  options.request.body_given = true;
  options.request.body = "@" + folder.path() + "/*.json";
  plan::Step step = plan_for(options).steps[0];
  ASSERT_EQ(step.requests.size(), 2U);
  EXPECT_EQ(step.name, "POST http://127.0.0.1:8080/x with 2 bodies");
  EXPECT_EQ(step.requests[0].method, "POST");
  EXPECT_EQ(step.requests[0].body, "[1]");
  EXPECT_EQ(step.requests[1].body, "[2]");
  EXPECT_EQ(step.requests[1].headers, (std::vector<plan::Header>{{"Content-Type", "application/json"}}));
  options.request.body = "@" + folder.path() + "/";
  step = plan_for(options).steps[0];
  ASSERT_EQ(step.requests.size(), 3U);
  EXPECT_EQ(step.requests[2].headers, (std::vector<plan::Header>{{"Content-Type", "text/plain; charset=utf-8"}}));
  options.request.headers = {"content-type: text/x"};
  EXPECT_EQ(plan_for(options).steps[0].requests[2].headers, (std::vector<plan::Header>{{"content-type", "text/x"}}));
  options.request.body = "@" + folder.path() + "/c.txt";
  EXPECT_EQ(plan_for(options).steps[0].requests[0].body, "text");
  options.request.body = "@@home";
  EXPECT_EQ(plan_for(options).steps[0].requests[0].body, "@home");
}

TEST(PlanFromOptions, SeveralFilesNeedOneUrl) {
  const test::TemporaryFolder folder;
  std::ofstream(folder.path() + "/a") << "1";
  std::ofstream(folder.path() + "/urls") << "http://127.0.0.1/a\n";
  RunOptions options = options_for();
  options.request.urls_file = folder.path() + "/urls";
  options.request.body_given = true;
  options.request.body = "@" + folder.path() + "/a";
  EXPECT_EQ(plan_for(options).steps[0].requests.size(), 2U);
  options.request.body = "@" + folder.path();
  EXPECT_THAT(error_for(options), HasSubstr("--body: 2 files and 2 URLs"));
}

TEST(PlanFromOptions, GraphqlIsCheckedAndPosted) {
  const test::TemporaryFolder folder;
  std::ofstream(folder.path() + "/q.graphql") << "query A { a } # first\nmutation B($id: ID!) { b(id: $id) }\n";
  std::ofstream(folder.path() + "/v.json") << "{ \"id\": 7 }\n";
  RunOptions options = options_for();
  options.request.graphql = "@" + folder.path() + "/q.graphql";
  options.request.variables = "@" + folder.path() + "/v.json";
  options.request.operation = "B";
  const plan::Request request = plan_for(options).steps[0].requests[0];
  EXPECT_EQ(request.method, "POST");
  EXPECT_EQ(request.headers, (std::vector<plan::Header>{{"Content-Type", "application/json"}}));
  EXPECT_EQ(request.body,
            "{\"query\":\"query A{a}mutation B($id:ID!){b(id:$id)}\",\"operationName\":\"B\","
            "\"variables\":{\"id\":7}}");
  options.request.operation.clear();
  EXPECT_THAT(error_for(options), HasSubstr("--graphql: the GraphQL document has 2 operations"));
}

TEST(PlanFromOptions, ExpectedStatuses) {
  RunOptions options = options_for();
  options.request.expect_status = "204, 200,204";
  EXPECT_EQ(plan_for(options).steps[0].expect.statuses, (std::vector<std::uint16_t>{200, 204}));
  options.request.expect_status = "4xx";
  EXPECT_EQ(plan_for(options).steps[0].expect.statuses.size(), 100U);
}

// proves part: LOCAL-3 (the cores of the mask, or as many as are asked for; but never more executors than users)
TEST(PlanFromOptions, OneExecutorPerUsableCoreUnlessToldOtherwise) {
  RunOptions options = options_for();
  EXPECT_EQ(plan_of(options, kMachine)->executors, 4U);
  options.load.vus = "3";
  EXPECT_EQ(plan_of(options, kMachine)->executors, 3U) << "never more than users";
  options.load.vus = "100";
  options.cores = "7";
  EXPECT_EQ(plan_of(options, kMachine)->executors, 7U);
}

TEST(PlanFromOptions, TooFewDescriptorsNamesTheLimitAndTheFix) {
  RunOptions options = options_for();
  options.load.vus = "1000";
  options.cores = "1";
  const std::string error = error_for(options, {.descriptors_max = 1024, .cores = 1});
  EXPECT_THAT(error, HasSubstr("the limit is 1024"));
  EXPECT_THAT(error, HasSubstr("ulimit -n 1050"));
  options.cores = "2";
  EXPECT_TRUE(plan_of(options, {.descriptors_max = 1024, .cores = 2})) << "the limit is one of each process";
}

TEST(PlanFromOptions, APoolThatDescriptorsMakeSmallIsSaid) {
  RunOptions options = options_for();
  options.load.rate = "100";
  EXPECT_THAT(plan_of(options, {.descriptors_max = 20'000, .cores = 1})->warnings, testing::IsEmpty());
  const Machine tight{.descriptors_max = 1024, .cores = 1};
  EXPECT_THAT(plan_of(options, tight)->warnings,
              testing::ElementsAre("the limit of 1024 open files leaves room for 924 users at once instead of 10000; "
                                   "raise it with ulimit -n 10100"));
  options.load.vus = "100";
  EXPECT_THAT(plan_of(options, tight)->warnings, testing::IsEmpty()) << "the user chose the pool";
}

struct Wrong {
  const char* what;
  void (*spoil)(RunOptions&);
  const char* says;
};

class WrongOptions : public testing::TestWithParam<Wrong> {};

TEST_P(WrongOptions, GetOneSentenceThatNamesTheOption) {
  RunOptions options = options_for();
  GetParam().spoil(options);
  EXPECT_THAT(error_for(options), HasSubstr(GetParam().says));
}

const Wrong kWrong[] = {
    {"NoUrl", [](RunOptions& o) { o.request.url.clear(); }, "no URL given"},
    {"BadScheme", [](RunOptions& o) { o.request.url = "ftp://x/"; }, "ftp"},
    {"ZeroUsers", [](RunOptions& o) { o.load.vus = "0"; }, "--vus: \"0\" is out of range"},
    {"WordyUsers", [](RunOptions& o) { o.load.vus = "ten"; }, "--vus: \"ten\" is not a whole number"},
    {"BadDuration", [](RunOptions& o) { o.load.duration = "10 parsecs"; }, "--duration: "},
    {"ZeroDuration", [](RunOptions& o) { o.load.duration = "0s"; }, "--duration: must be above zero"},
    {"BadRate", [](RunOptions& o) { o.load.rate = "fast"; }, "--rate: \"fast\" is not a rate"},
    {"BadRateUnit", [](RunOptions& o) { o.load.rate = "5/week"; }, "unknown unit"},
    {"ZeroRate", [](RunOptions& o) { o.load.rate = "0"; }, "--rate: \"0\" is not above zero"},
    {"CountTwice",
     [](RunOptions& o) {
       o.load.requests = "1";
       o.load.iterations = "1";
     },
     "--requests: "},
    {"StageAndDuration",
     [](RunOptions& o) {
       o.load.stages = {"1s:1"};
       o.load.duration = "1s";
     },
     "--duration: the stages say"},
    {"StageAndUsers",
     [](RunOptions& o) {
       o.load.stages = {"1s:1"};
       o.load.vus = "5";
     },
     "--vus: the stages say"},
    {"StageWithoutTarget", [](RunOptions& o) { o.load.stages = {"30s"}; }, "--stage: \"30s\" is not of the form"},
    {"PoissonClosed", [](RunOptions& o) { o.load.poisson = true; }, "--poisson: needs --rate"},
    {"HeaderWithoutColon", [](RunOptions& o) { o.request.headers = {"nope"}; }, "--header: \"nope\""},
    {"HeaderWithLineFeed", [](RunOptions& o) { o.request.headers = {"A: b\r\nC: d"}; }, "--header: "},
    {"TwoBodies",
     [](RunOptions& o) {
       o.request.body_given = true;
       o.request.json_body = "1";
     },
     "--body: give one of"},
    {"GraphqlAndBody",
     [](RunOptions& o) {
       o.request.graphql = "{ a }";
       o.request.json_body = "1";
     },
     "--body: give one of"},
    {"GraphqlSyntax", [](RunOptions& o) { o.request.graphql = "{\n  a("; },
     "--graphql: GraphQL 2:5: expected an argument"},
    {"GraphqlSubscription", [](RunOptions& o) { o.request.graphql = "subscription { a }"; }, "is a subscription"},
    {"GraphqlMissingFile", [](RunOptions& o) { o.request.graphql = "@/nonexistent/q"; },
     "--graphql: cannot read /nonexistent/q"},
    {"GraphqlVariables",
     [](RunOptions& o) {
       o.request.graphql = "{ a }";
       o.request.variables = "[1]";
     },
     "--graphql: variables: not a JSON object"},
    {"VariablesAlone", [](RunOptions& o) { o.request.variables = "{}"; }, "--variables: needs --graphql"},
    {"OperationAlone", [](RunOptions& o) { o.request.operation = "A"; }, "--operation: needs --graphql"},
    {"NoSuchBodyFile",
     [](RunOptions& o) {
       o.request.body_given = true;
       o.request.body = "@/nonexistent/x";
     },
     "--body: cannot read /nonexistent/x"},
    {"MissingFile", [](RunOptions& o) { o.request.body_file = "/nonexistent/x"; },
     "--body-file: cannot read /nonexistent/x"},
    {"BadMethod", [](RunOptions& o) { o.request.method = "GE T"; }, "--method: "},
    {"BadStatus", [](RunOptions& o) { o.request.expect_status = "200,abc"; }, "--expect-status: \"abc\""},
    {"BadAuth", [](RunOptions& o) { o.request.auth = "secret"; }, "--auth: write user:password"},
    {"BothFamilies",
     [](RunOptions& o) {
       o.network.ipv4 = true;
       o.network.ipv6 = true;
     },
     "-4: contradicts -6"},
    {"BothVersions",
     [](RunOptions& o) {
       o.http.http1 = true;
       o.http.http2 = true;
     },
     "--http1: contradicts --http2"},
    {"PipelineOnHttp2",
     [](RunOptions& o) {
       o.http.http2 = true;
       o.http.pipeline = "10";
     },
     "--pipeline: "},
    {"BadSource", [](RunOptions& o) { o.network.sources = {"eth0"}; }, "--source: \"eth0\" is not an IP address"},
    {"CertWithoutKey", [](RunOptions& o) { o.tls.certificate_file = "/x"; }, "go together"},
    {"BadTag", [](RunOptions& o) { o.tags = {"novalue"}; }, "--tag: "},
    {"BadLoop", [](RunOptions& o) { o.loop = "kqueue"; }, "--loop: "},
    {"ZeroCores", [](RunOptions& o) { o.cores = "0"; }, "--cores: "},
};

INSTANTIATE_TEST_SUITE_P(Each, WrongOptions, testing::ValuesIn(kWrong),
                         [](const auto& wrong) { return std::string(wrong.param.what); });

TEST(PlanFromOptions, CredentialsAreNotRepeatedInErrors) {
  RunOptions options = options_for();
  options.request.auth = "topsecret";
  EXPECT_THAT(error_for(options), testing::Not(HasSubstr("topsecret")));
}

}  // namespace
}  // namespace hyperscale::intake
