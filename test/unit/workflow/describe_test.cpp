#include "script_world.h"

#include <gmock/gmock.h>

namespace hyperscale::workflow {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

using DescribeTest = ScriptWorld;

const char* const kShop =
    R"(import { Workflow, step, action, check, metric, state, http, url, headers } from 'hyperscale';

export class Shop extends Workflow {
  static vus = 1000;
  static duration = '1m';
  static priority = 'high';
  static thinkTime = 250;
  static tags = { team: 'web' };
  static thresholds = { cart: ['p95 < 300ms', { threshold: 'errors < 1%', abortOnFail: true, delay: '10s' }] };
  home   = step(http.get('https://shop.test/', { headers: { accept: 'x' }, params: { a: 1, b: 'ä ' }, expect: 200, timeout: '2s' }));
  login  = step(http.post('https://shop.test/login', { json: { user: 'ada' } }));
  cart   = step(http, ['home', 'login'], async ({ login, client, target = url('https://shop.test/cart') }) =>
             client.http.get(target, { headers: { authorization: login.json().token } }));
  note   = step(['cart'], () => ({ a: 1 }));
  ok     = check('cart', ({ cart }) => cart.status === 200);
  items  = metric('cart', { kind: 'gauge' }, ({ cart }) => cart.json().length);
  prepare = action(async () => {});
}
)";

// proves part: HOOK-1 (all, steps as a list; not: step('a', 'b', ...), nor a check or metric of no step)
TEST_F(DescribeTest, AFileIsReadAsItsWorkflows) {
  ASSERT_EQ(open(kShop), "");
  ASSERT_EQ(description_.workflows.size(), 1U);
  EXPECT_EQ(shop().name, "Shop");
  EXPECT_EQ(place_text(shop().place), "shop.js:3:14");
  EXPECT_EQ(shop().load.vus, 1000U);
  EXPECT_EQ(shop().load.duration, 60s);
  EXPECT_EQ(shop().load.think_time, 250ms);
  EXPECT_EQ(shop().priority, plan::Priority::kHigh);
  EXPECT_THAT(shop().tags, ElementsAre(plan::Tag{"team", "web"}));
  EXPECT_TRUE(shop().is_test);
  EXPECT_THAT(shop().layers, ElementsAre(ElementsAre(0, 1), ElementsAre(2), ElementsAre(3)));

  const Hook& home = shop().hooks[0];
  EXPECT_EQ(home.type, plan::HookType::kTest);
  EXPECT_FALSE(home.scripted);
  EXPECT_EQ(home.request->request.url, "https://shop.test/?a=1&b=%C3%A4%20");
  EXPECT_THAT(home.request->request.headers, ElementsAre(plan::Header{"accept", "x"}));
  EXPECT_THAT(home.request->expect.statuses, ElementsAre(200));
  EXPECT_EQ(home.request->timeout, 2s);
  const Hook& login = shop().hooks[1];
  EXPECT_EQ(login.request->request.method, "POST");
  EXPECT_EQ(login.request->request.body, R"({"user":"ada"})");
  EXPECT_THAT(login.request->request.headers, ElementsAre(plan::Header{"content-type", "application/json"}));

  const Hook& cart = shop().hooks[2];
  EXPECT_TRUE(cart.scripted);
  EXPECT_EQ(cart.result_type, "http");
  EXPECT_EQ(place_text(cart.place), "shop.js:12:3");
  EXPECT_EQ(cart.layer, 1U);
  EXPECT_THAT(cart.depends, ElementsAre("home", "login"));
  ASSERT_EQ(cart.arguments.size(), 1U);
  EXPECT_EQ(cart.arguments[0].name, "target");
  EXPECT_EQ(cart.arguments[0].kind, ArgumentKind::kUrl);
  EXPECT_EQ(cart.arguments[0].text, "https://shop.test/cart");
  EXPECT_EQ(shop().hooks[5].metric, MetricKind::kGauge);
  ASSERT_EQ(shop().thresholds.size(), 2U);
  EXPECT_EQ(shop().thresholds[0].text, "p95 < 300ms");
  EXPECT_EQ(shop().thresholds[1].step, "cart");
  EXPECT_EQ(shop().thresholds[1].delay, 10s);
  EXPECT_TRUE(shop().thresholds[1].abort_on_fail);
}

// proves: HOOK-4
// proves part: HOOK-1 (all, steps as a list; not: step('a', 'b', ...), nor a check or metric of no step)
// proves part: HOOK-2 (http, own classes, the other kinds; not: a built-in class such as Map, which is a test)
// proves part: EXEC-PRIO-2 (the default, and the pool in a plan; a run starts no more executors than users)
TEST_F(DescribeTest, EveryDeclarationIsReadAsItsKind) {
  ASSERT_EQ(
      open(
          "import { Workflow, step, action, check, metric, state } from 'hyperscale';\n"
          "export class First extends Workflow { token = state.provide('Second', () => 1) }\n"
          "export class Second extends Workflow { static depends = ['First']; s = step(() => 1); a = action(() => "
          "1);\n"
          "  c = check('s', () => true); m = metric('s', () => 1); u = state.use('First', ({ token = 0 }) => token) }"),
      "");
  const Workflow& first = description_.workflows.at(0);
  const Workflow& second = description_.workflows.at(1);
  EXPECT_EQ(first.priority, plan::Priority::kAuto);
  EXPECT_THAT(first.depends, ElementsAre());
  EXPECT_THAT(second.depends, ElementsAre("First"));
  EXPECT_EQ(first.hooks.at(0).direction, StateDirection::kProvide);
  EXPECT_THAT(first.hooks[0].depends, ElementsAre("Second"));
  std::vector<plan::HookKind> kinds;
  for (const Hook& hook : second.hooks) kinds.push_back(hook.kind);
  EXPECT_THAT(kinds, ElementsAre(plan::HookKind::kStep, plan::HookKind::kAction, plan::HookKind::kCheck,
                                 plan::HookKind::kMetric, plan::HookKind::kState));
  std::vector<plan::HookType> types;
  for (const Hook& hook : second.hooks) types.push_back(hook.type);
  EXPECT_THAT(types, ElementsAre(plan::HookType::kAction, plan::HookType::kAction, plan::HookType::kCheck,
                                 plan::HookType::kMetric, plan::HookType::kAction));
  EXPECT_FALSE(first.is_test) << "a state hook alone";
  EXPECT_FALSE(second.is_test) << "every kind of hook, and none that tests";
  EXPECT_THAT(second.hooks[2].depends, ElementsAre("s"));
  EXPECT_THAT(second.hooks[3].depends, ElementsAre("s"));
  EXPECT_EQ(second.hooks[4].direction, StateDirection::kUse);
  EXPECT_THAT(second.hooks[4].depends, ElementsAre("First"));
}

// proves part: HOOK-1 (all, steps as a list; not: step('a', 'b', ...), nor a check or metric of no step)
TEST_F(DescribeTest, EveryPriorityAndDurationIsRead) {
  using plan::Priority;
  const std::map<std::string, Priority> priorities{{"low", Priority::kLow},   {"normal", Priority::kNormal},
                                                   {"high", Priority::kHigh}, {"exclusive", Priority::kExclusive},
                                                   {"auto", Priority::kAuto}, {"HIGH", Priority::kHigh}};
  for (const auto& [text, priority] : priorities) {
    ASSERT_EQ(open_shop("static priority = '" + text + "'; a = step(() => 1)"), "");
    EXPECT_EQ(shop().priority, priority) << text;
  }
  const std::map<std::string, Duration> durations{{"30s", 30s}, {"1m", 60s}, {"5m", 300s}, {"1m30s", 90s}};
  for (const auto& [text, duration] : durations) {
    ASSERT_EQ(open_shop("static duration = '" + text + "'; static vus = 10000; a = step(() => 1)"), "");
    EXPECT_EQ(shop().load.duration, duration) << text;
    EXPECT_EQ(shop().load.vus, 10'000U);
  }
}

// proves: HOOK-4, HOOK-5, HOOK-9, HOOK-CLIENT-2
// proves part: HOOK-2 (http, own classes, the other kinds; not: a built-in class such as Map, which is a test)
// proves part: HOOK-3 (a step that declares nothing; one that declares a built-in class such as Map is a test)
TEST_F(DescribeTest, TheDeclaredResultDecidesWhatIsATest) {
  ASSERT_EQ(
      open("import { Workflow, step, action, http } from 'hyperscale'; class Row {}\n"
           "export class Load extends Workflow { s = step(http, async ({ client }) => client.http.get('http://x/')) }\n"
           "export class Setup extends Workflow { a = action(async () => {}) }\n"
           "export class Maps extends Workflow { static vus = 1000; s = step(async () => ({ status: 200 })) }\n"
           "export class After extends Workflow { static depends = ['Setup']; s = step(http.get('http://x/')) }\n"
           "export class Custom extends Workflow { s = step(Row, () => new Row()) }\n"),
      "");
  std::map<std::string, bool> is_test;
  for (const Workflow& workflow : description_.workflows) is_test[workflow.name] = workflow.is_test;
  EXPECT_EQ(is_test, (std::map<std::string, bool>{
                         {"Load", true}, {"Setup", false}, {"Maps", false}, {"After", true}, {"Custom", true}}));
  EXPECT_EQ(description_.workflows[2].hooks[0].type, plan::HookType::kAction);
  EXPECT_EQ(description_.workflows[4].hooks[0].result_type, "Row");
  EXPECT_THAT(description_.layers, ElementsAre(ElementsAre(0, 1, 2, 4), ElementsAre(3)));
}

TEST_F(DescribeTest, BytesOfADeclaredBodyAreThoseOfTheView) {
  ASSERT_EQ(open_shop("a = step(http.post('http://x/', { data: new Uint8Array([1, 65, 66, 2]).subarray(1, 3) }))"), "");
  EXPECT_EQ(shop().hooks[0].request->request.body, "AB");
}

TEST_F(DescribeTest, AMisspeltOptionIsPointedAt) {
  EXPECT_EQ(open("import { Workflow, step, http } from 'hyperscale';\nexport class Shop extends Workflow {\n"
                 "  home = step(http.get('http://x/', { heders: {} }));\n}"),
            "shop.js:3:39: http.get() has no option \"heders\"; did you mean \"headers\"?\n"
            "  3 |   home = step(http.get('http://x/', { heders: {} }));\n"
            "    |                                       ^\n");
}

TEST_F(DescribeTest, EveryMistakeIsReportedWithItsPlace) {
  const std::string errors = open_shop(
      "  static vsu = 5;\n"
      "  static vus = 'ten';\n"
      "  static duration = '1 minute';\n"
      "  static priority = 'hihg';\n"
      "  static thresholds = { hoem: 'p95 < 1s' };\n"
      "  home = step(http.get('http://x/', { timeout: 'soon', json: 1, expect: { stauts: 200 } }));\n"
      "  a = step(http.get('ftp://x/'));\n"
      "  b = step(http.get('/relative'));\n"
      "  c = step(['hoem'], () => 1);\n"
      "  j = step(42);\n"
      "  e = check('hom', () => true);\n"
      "  f = http.get('http://x/');\n"
      "  client = step(() => 1);\n"
      "  g = step(http.get('http://x/', { headers: { 'bad name': 'x' } }));\n"
      "  h = step(http.get('http://x/', { json: 1, data: 'x' }));\n"
      "  d = action('x', 5);\n"
      "  d = step(() => 2);");
  for (const char* part :
       {"shop.js:3:10: a workflow has no attribute \"vsu\"; did you mean \"vus\"?",
        "shop.js:4:10: \"vus\" must be a whole number above 0, not \"ten\"",
        "shop.js:5:10: \"duration\" must be a duration such as \"30s\"", "shop.js:6:10: ", "did you mean \"high\"",
        "shop.js:7:25: a threshold is for step \"hoem\"",
        "shop.js:11:13: step \"c\" depends on \"hoem\", but there is no such step; did you mean \"home\"?",
        "shop.js:8:39: option \"timeout\" of http.get() must be a duration",
        "shop.js:8:75: expect has no option \"stauts\"; did you mean \"status\"?",
        "shop.js:9:", "shop.js:10:21: \"/relative\" is not a whole URL", "shop.js:12:3: step() needs a request",
        "shop.js:13:13: check \"e\" looks at \"hom\"", "shop.js:14:3: \"f\" is a request and not yet a step",
        "shop.js:15:3: \"client\" is what every step is given",
        "shop.js:16:47: ", "shop.js:17:3: a request has one body, but both \"data\" and \"json\" are given",
        "shop.js:19:3: workflow Shop has two fields called \"d\""})
    EXPECT_THAT(errors, HasSubstr(part));
}

// proves: DAG-STEP-5
TEST_F(DescribeTest, ACircleOfStepsIsRefused) {
  EXPECT_THAT(open_shop("  a = step(['b'], () => 1);\n  b = step(['a'], () => 1);"),
              AllOf(HasSubstr("shop.js:3:3: "), HasSubstr("in a circle: \"a\" needs \"b\" needs \"a\"")));
}

// proves part: DAG-STEP-6 (the refusal of the name; not that values cross in no other way)
TEST_F(DescribeTest, AStepOfAnotherWorkflowIsRefused) {
  EXPECT_THAT(
      open("import { Workflow, step } from 'hyperscale';\nexport class A extends Workflow { login = step(() => 1) }\n"
           "export class B extends Workflow { cart = step(['login'], () => 1) }"),
      HasSubstr("shop.js:3:48: step \"cart\" depends on \"login\", which is a step of workflow A; values pass between "
                "workflows"));
}

// proves: DAG-STEP-7
TEST_F(DescribeTest, LayersAreByTheLongestPath) {
  ASSERT_EQ(open_shop("authenticate = step(() => 1); get_users = step('authenticate', () => 1); get_config = "
                      "step(['authenticate'], () => 1);\n"
                      "process_data = step(['get_users', 'get_config'], () => 1)"),
            "");
  EXPECT_THAT(shop().layers, ElementsAre(ElementsAre(0), ElementsAre(1, 2), ElementsAre(3)));
}

// proves: CTX-API-7
TEST_F(DescribeTest, WhoUsesAValueRunsAfterWhoProvidesIt) {
  EXPECT_THAT(open("import { Workflow, step, state } from 'hyperscale';\nexport class A extends Workflow { t = "
                   "state.provide('B', () => 1) }\n"
                   "export class B extends Workflow {\n  get = state.use('A', ({ t = 0 }) => t);\n}"),
              HasSubstr("shop.js:4:19: state \"get\" uses values of \"A\", so the workflow must run after it: add "
                        "static depends = ['A']"));
  EXPECT_THAT(open("import { Workflow, state } from 'hyperscale';\n"
                   "export class A extends Workflow { t = state.provide('C', () => 1) }\n"
                   "export class B extends Workflow { u = state.provide('C', () => 1) }\n"
                   "export class C extends Workflow { static depends = 'A'; get = state.use('A', 'B', ({ t }) => t) }"),
              HasSubstr("state \"get\" uses values of \"B\""))
      << "each of them";
}

// proves: CTX-API-4, CTX-API-5, CTX-API-6, DAG-WF-4
// proves part: HOOK-1 (all, steps as a list; not: step('a', 'b', ...), nor a check or metric of no step)
TEST_F(DescribeTest, ValuesFlowWhereBothSidesNameEachOther) {
  ASSERT_EQ(open("import { Workflow, state } from 'hyperscale';\n"
                 "export class A extends Workflow { token = state.provide('B', 'C', () => 1); only = "
                 "state.provide('C', () => 2); none = state.provide(() => 3) }\n"
                 "export class B extends Workflow { static depends = ['A', 'C']; get = state.use(['A', 'C'], ({ token "
                 "}) => token) }\n"
                 "export class C extends Workflow { static depends = 'A'; none = state.use(() => 1); x = "
                 "state.provide('B', () => 1) }"),
            "");
  EXPECT_THAT(flows_of(description_), ElementsAre(Flow{"A", "B", "token"}, Flow{"C", "B", "x"}));
  EXPECT_THAT(description_.workflows.at(1).depends, ElementsAre("A", "C"));
  EXPECT_THAT(description_.workflows.at(1).hooks.at(0).depends, ElementsAre("A", "C"));
}

// proves: CTX-API-2, CTX-API-6
TEST_F(DescribeTest, AValueFlowsToEachTargetThatUsesIt) {
  ASSERT_EQ(open("import { Workflow, state } from 'hyperscale';\n"
                 "export class A extends Workflow { token = state.provide('B', 'C', () => 1) }\n"
                 "export class B extends Workflow { static depends = 'A'; b = state.use('A', ({ token }) => token) }\n"
                 "export class C extends Workflow { static depends = 'A'; c = state.use('A', ({ token }) => token) }"),
            "");
  EXPECT_THAT(flows_of(description_), ElementsAre(Flow{"A", "B", "token"}, Flow{"A", "C", "token"}));
}

TEST_F(DescribeTest, UnknownWorkflowsAreNamed) {
  EXPECT_THAT(
      open("import { Workflow, step } from 'hyperscale';\nexport class Auth extends Workflow { a = step(() => 1) }\n"
           "export class B extends Workflow { static depends = ['Atuh']; b = step(() => 1) }"),
      HasSubstr(
          "shop.js:3:53: workflow \"B\" depends on \"Atuh\", but there is no such workflow; did you mean \"Auth\"?"));
}

TEST_F(DescribeTest, AFileWithoutAnExportedWorkflowIsToldHow) {
  EXPECT_THAT(open("const x = 1;"), HasSubstr("exports no workflow"));
  EXPECT_THAT(open("import { Workflow } from 'hyperscale';\nclass Shop extends Workflow {}"),
              HasSubstr("shop.js:2:7: workflow Shop is not exported and would not run"));
}

TEST_F(DescribeTest, AnExceptionWhileDescribingHasItsPlace) {
  EXPECT_THAT(open("import { Workflow } from 'hyperscale';\nconst x = undefined;\nx.y;\n"), HasSubstr("shop.js:3:"));
}

TEST_F(DescribeTest, WorkflowsInheritAndComeFromOtherFiles) {
  ASSERT_EQ(open("import { Base } from './base.js';\nexport class Shop extends Base { b = step(['a'], () => 1) "
                 "}\nimport { step } from 'hyperscale';\nexport default class extends Base {}",
                 {{"base.js",
                   "import { Workflow, step } from 'hyperscale';\nexport class Base extends Workflow { static vus = 7; "
                   "a = step(() => 1) }"}}),
            "");
  EXPECT_EQ(shop().load.vus, 7U);
  EXPECT_THAT(shop().layers, ElementsAre(ElementsAre(0), ElementsAre(1)));
  EXPECT_EQ(description_.workflows[1].name, "shop");
}

TEST_F(DescribeTest, EnvironmentDataAndMetricsAreDescribed) {
  RuntimeOptions options;
  options.env = {{"HOST", "http://h"}};
  ASSERT_EQ(open_shop("static baseUrl = env('HOST'); static data = { users: csv('u.csv', { deal: 'once' }) }; static "
                      "rate = 5; static stages = [{ duration: '10s', target: 50 }];\n"
                      "a = step(http.get('/x')); n = counter('n')",
                      options),
            "");
  EXPECT_EQ(shop().hooks[0].request->request.url, "http://h/x");
  EXPECT_EQ(shop().data[0].file, "u.csv");
  EXPECT_EQ(shop().data[0].deal, Deal::kOnce);
  EXPECT_EQ(shop().load.pacing, plan::Pacing::kOpen);
  EXPECT_EQ(shop().load.duration, 10s);
  EXPECT_EQ(description_.metrics[0].name, "n");
  EXPECT_THAT(
      open_shop("static baseUrl = env('HOTS')", options),
      AllOf(HasSubstr("environment variable \"HOTS\" is not given (there is \"HOST\")"), HasSubstr("shop.js:2:8: ")));
}

}  // namespace
}  // namespace hyperscale::workflow
