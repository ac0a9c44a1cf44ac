#include "script_world.h"

#include <gmock/gmock.h>

namespace hyperscale::workflow {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

using RuntimeTest = ScriptWorld;

RuntimeOptions short_limit() {
  RuntimeOptions options;
  options.limits.cpu_per_resume = 50ms;
  return options;
}

// proves: HOOK-CLIENT-4
// proves part: CTX-VU-3 (good answers, values, own types; not: an answer of a plain request that failed)
// proves part: CTX-VU-4 (by name, else the default; not: that a whole layer is bound before any of it ends)
// proves part: HOOK-CLIENT-3 (post with headers and json; not get with cookies, nor data that was prepared)
// proves part: HOOK-6 (steps and checks; not metrics, and no protocol but http)
TEST_F(RuntimeTest, AStepGetsResultsByNameAndReturnsItsResponse) {
  ASSERT_EQ(open_shop("login = step(http.post('http://t/login'));\n"
                      "cart = step(http, ['login'], async ({ login, client, missing = 'none', context }) => {\n"
                      "  context.set('note', context.get('nothing', missing));\n"
                      "  return client.http.post('http://t/cart', { headers: { token: login.json().token }, params: { "
                      "a: 1 }, cookies: { s: 'x' },\n"
                      "    json: { n: [1] }, timeout: '3s', tags: { k: 'v' }, auth: { user: 'u', password: 'p' }, "
                      "expect: { status: [200, 201] } }) });\n"
                      "ok = check('cart', ({ cart, note }) => cart.status === 201 && cart.ok && note === 'none');\n"
                      "size = metric('cart', ({ cart }) => cart.body.length + cart.duration);"),
            "");
  const UserSlot ada = user();
  ScriptResponse stored;
  stored.status = 200;
  stored.body = R"({"token":"T"})";
  runtime_->store(ada, hook("login"), std::move(stored));
  EXPECT_EQ(begin(ada, "cart"), "waiting");
  ASSERT_EQ(host_.calls.size(), 1U);
  const load::ScriptedRequest& sent = *host_.calls[0].second.what;
  EXPECT_EQ(sent.request.method, "POST");
  EXPECT_EQ(sent.request.url, "http://t/cart?a=1");
  EXPECT_EQ(sent.request.body, R"({"n":[1]})");
  EXPECT_EQ(sent.timeout, 3s);
  EXPECT_EQ(sent.tags, (std::vector<plan::Tag>{{"k", "v"}}));
  EXPECT_EQ(sent.expect.statuses, (std::vector<std::uint16_t>{200, 201}));
  EXPECT_EQ(
      sent.request.headers,
      (std::vector<plan::Header>{
          {"token", "T"}, {"cookie", "s=x"}, {"authorization", "Basic dTpw"}, {"content-type", "application/json"}}));
  EXPECT_EQ(answer(201, "12345"), fmt::format("response {}", host_.calls[0].first));
  EXPECT_EQ(begin(ada, "ok"), "true");
  EXPECT_EQ(begin(ada, "size"), "17");
}

// proves: HOOK-CLIENT-4
TEST_F(RuntimeTest, AnAnswerThatFailedHasItsStatusAndJsonToo) {
  ASSERT_EQ(open_shop("cart = step(http, async ({ client }) => {\n"
                      "  const answer = await client.http.get('http://t/cart');\n"
                      "  console.log(answer.status, answer.json().why);\n"
                      "  return answer });"),
            "");
  EXPECT_EQ(begin(user(), "cart"), "waiting");
  ASSERT_EQ(host_.calls.size(), 1U);
  EXPECT_EQ(answer(404, R"({"why":"gone"})"), fmt::format("response {}", host_.calls[0].first));
  EXPECT_EQ(host_.log, "404 gone\n");
}

// proves: HOOK-7
TEST_F(RuntimeTest, StepMustReturnTheResponseThatCounts) {
  ASSERT_EQ(open_shop("two = step(http, async ({ client }) => { const a = await client.http.get('http://t/1'); await "
                      "client.http.get('http://t/2'); return a });\n"
                      "none = step(http, async ({ client }) => { await client.http.get('http://t/1') });\n"
                      "list = step(http, async ({ client }) => [await client.http.get('http://t/1')]);\n"
                      "early = step(http, async ({ client }) => { const a = await client.http.get('http://t/1'); if "
                      "(a.status === 404) return a; fail('late') });"),
            "");
  const UserSlot ada = user();
  EXPECT_EQ(begin(ada, "two"), "waiting");
  EXPECT_EQ(answer(200), "waiting");
  EXPECT_EQ(answer(500), fmt::format("response {}", host_.calls[0].first));
  begin(ada, "none");
  EXPECT_THAT(
      answer(200),
      HasSubstr("step \"none\" must return the response of a call, but it returned nothing; is a return missing?"));
  begin(ada, "list");
  EXPECT_THAT(answer(200), HasSubstr("a list; return the one that is to be measured"));
  begin(ada, "early");
  EXPECT_THAT(answer(404), StartsWith("response"));
  begin(ada, "early");
  EXPECT_THAT(answer(200), AllOf(StartsWith("shop.js:6:"), HasSubstr("step \"early\": Failed: late")));
}

// A step that nobody reads is ended by the answer without the script.
// proves: HOOK-5
// proves part: HOOK-2 (http, own classes, the other kinds; not: a built-in class such as Map, which is a test)
// proves part: HOOK-3 (a step that declares nothing; one that declares a built-in class such as Map is a test)
TEST_F(RuntimeTest, AStepThatStandsAloneIsWhatItWasDeclared) {
  ASSERT_EQ(open_shop("a = step(({ client }) => client.http.get('http://t/'))"), "");
  EXPECT_FALSE(shop().is_test);
  EXPECT_EQ(begin(user(), "a"), "waiting");
  EXPECT_EQ(answer(200), "plain");
  ASSERT_EQ(open("import { Workflow, step } from 'hyperscale'; class Row {}\nexport class Shop extends Workflow {\n"
                 "a = step(Row, ({ client }) => client.http.get('http://t/')) }"),
            "");
  EXPECT_EQ(begin(user(), "a"), "waiting");
  EXPECT_THAT(answer(200), HasSubstr("step \"a\" must return a Row"));
}

// proves: HOOK-5
// proves part: HOOK-3 (a step that declares nothing; one that declares a built-in class such as Map is a test)
TEST_F(RuntimeTest, APlainStepStaysPlainWhateverItReturns) {
  ASSERT_EQ(open_shop("held = step(async ({ client }) => { const r = await client.http.get('http://t/'); return r });\n"
                      "passed = step(({ client }) => client.http.get('http://t/'));"),
            "");
  EXPECT_FALSE(shop().is_test);
  const UserSlot ada = user();
  for (const char* name : {"held", "passed"}) {
    EXPECT_EQ(begin(ada, name), "waiting");
    EXPECT_EQ(answer(200), "plain") << name;
  }
}

// proves part: CTX-VU-5 (the six kinds that functions can have; not files, mail, GraphQL or Protobuf)
// proves part: HOOK-ARG-8 (the six kinds that functions can have; not files, mail, GraphQL or Protobuf)
TEST_F(RuntimeTest, PreparedBeatsContextBeatsDefault) {
  ASSERT_EQ(
      open("import { Workflow, step, http, url, headers } from 'hyperscale';\nexport class Shop extends Workflow {\n"
           "a = step(http, async ({ target = url('http://t/prepared'), h = headers({ x: 1 }), other = 'default', given "
           "= 'default', client }) =>\n"
           "  client.http.get(target, { headers: h, name: `${other} ${given}` })) }"),
      "");
  ASSERT_TRUE(runtime_->provide(shop(), "", "", R"({"target":"http://t/context","given":"context"})"));
  const UserSlot ada = user();
  begin(ada, "a");
  const ScriptRequest& sent = host_.calls.at(0).second;
  EXPECT_EQ(sent.what->request.url, "http://t/prepared");
  EXPECT_EQ(sent.what->label, "default context");
  EXPECT_EQ(sent.prepared.url, shop().hooks[0].arguments[0].id);
  EXPECT_EQ(sent.prepared.headers, shop().hooks[0].arguments[1].id);
  EXPECT_NE(sent.prepared.headers, 0U);
}

// proves part: CTX-VU-5 (the six kinds that functions can have; not files, mail, GraphQL or Protobuf)
// proves part: HOOK-ARG-8 (the six kinds that functions can have; not files, mail, GraphQL or Protobuf)
TEST_F(RuntimeTest, NoPreparedArgumentYieldsToTheContext) {
  ASSERT_EQ(
      open("import { Workflow, step, http, url, headers, params, cookies, auth, data } from 'hyperscale';\n"
           "export class Shop extends Workflow {\n"
           "a = step(http, async ({ u = url('http://t/a'), h = headers({ x: 1 }), p = params({ q: 1 }), c = cookies({ "
           "s: 1 }), k = auth({ bearer: 'B' }), d = data('D'), client }) =>\n"
           "  client.http.post(u, { headers: h, params: p, cookies: c, auth: k, data: d }));\n"
           "put = step(({ context }) => { for (const key of ['u', 'h', 'p', 'c', 'k', 'd']) context.set(key, 'set') }) "
           "}"),
      "");
  ASSERT_TRUE(runtime_->provide(shop(), "", "", R"({"u":"x","h":"x","p":"x","c":"x","k":"x","d":"x"})"));
  const UserSlot ada = user();
  EXPECT_EQ(begin(ada, "put"), "plain");
  EXPECT_EQ(begin(ada, "a"), "waiting");
  ASSERT_EQ(host_.calls.size(), 1U);
  const ScriptRequest& sent = host_.calls.at(0).second;
  ASSERT_EQ(shop().hooks[0].arguments.size(), 6U);
  EXPECT_EQ(sent.prepared.url, shop().hooks[0].arguments[0].id);
  EXPECT_EQ(sent.prepared.headers, shop().hooks[0].arguments[1].id);
  EXPECT_EQ(sent.prepared.params, shop().hooks[0].arguments[2].id);
  EXPECT_EQ(sent.prepared.cookies, shop().hooks[0].arguments[3].id);
  EXPECT_EQ(sent.prepared.auth, shop().hooks[0].arguments[4].id);
  EXPECT_EQ(sent.prepared.data, shop().hooks[0].arguments[5].id);
  EXPECT_NE(sent.prepared.data, 0U);
  EXPECT_EQ(sent.what->request.url, "http://t/a?q=1");
  EXPECT_EQ(sent.what->request.body, "D");
  EXPECT_EQ(sent.what->request.headers, (std::vector<plan::Header>{{"x", "1"},
                                                                   {"cookie", "s=1"},
                                                                   {"authorization", "Bearer B"},
                                                                   {"content-type", "text/plain; charset=utf-8"}}));
}

// proves: CTX-VU-1
// proves part: CTX-VU-2 (results, module state, files and listed built-ins; not: that nothing else is shared)
// proves part: CTX-VU-3 (good answers, values, own types; not: an answer of a plain request that failed)
TEST_F(RuntimeTest, EachIterationAndEachUserHasItsOwnContext) {
  ASSERT_EQ(open("import { Workflow, step } from 'hyperscale';\nlet top = 0;\nexport class Shop extends Workflow {\n"
                 "a = step(({ context, a = 'fresh' }) => { context.set('seen', a); return `result ${++top}` });\n"
                 "b = step(({ seen, a, shared }) => { console.log(seen, a, top, shared.n); });\n"
                 "c = step(({ shared }) => { shared.n = 2 });\n"
                 "d = step(({ context }) => { context.set('shared', { n: 9 }) }) }"),
            "");
  ASSERT_TRUE(runtime_->provide(shop(), "", "shared", R"({"shared":{"n":1}})"));
  const UserSlot ada = user(0, 2);
  const UserSlot bob = user(1, 2);
  for (const UserSlot slot : {ada, bob}) {
    EXPECT_EQ(begin(slot, "a"), "plain");
    EXPECT_EQ(begin(slot, "b"), "plain");
  }
  ASSERT_TRUE(runtime_->begin_iteration(ada, 1, 1).value());
  begin(ada, "b");
  begin(ada, "a");
  begin(ada, "b");
  EXPECT_EQ(host_.log, "fresh result 1 1 1\nfresh result 1 1 1\nundefined undefined 1 1\nfresh result 2 2 1\n");
  host_.log.clear();
  begin(ada, "d");
  begin(ada, "b");
  begin(bob, "b");
  ASSERT_TRUE(runtime_->begin_iteration(ada, 2, 1).value());
  begin(ada, "b");
  EXPECT_EQ(host_.log, "fresh result 2 2 9\nfresh result 1 1 1\nundefined undefined 2 1\n") << "copies are its own";
  EXPECT_THAT(begin(ada, "c"), HasSubstr("TypeError"));
}

// The host tells the script of a new iteration with the first hook of it, with a stored answer or with the next rows.
// proves: CTX-VU-1
TEST_F(RuntimeTest, EveryBeginningOfAnIterationIsFresh) {
  const std::string rows = "static data = { row: csv('u.csv') };\n";
  for (const std::string& data : {std::string(), rows}) {
    ASSERT_EQ(open_shop(data + "a = step(http.get('http://t/'));\n"
                               "b = step('a', ({ a = 'none', context, mark = 'fresh', base }) => {\n"
                               "  console.log(a.status ?? a, mark, base.n); context.set('mark', 'old') })"),
              "");
    if (!data.empty()) ASSERT_TRUE(runtime_->add_data(shop(), shop().data[0], "name\nada\n"));
    ASSERT_TRUE(runtime_->provide(shop(), "", "base", R"({"base":{"n":7}})"));
    const UserSlot ada = user();
    for (const std::uint16_t status : {200, 201, 202}) {
      ASSERT_TRUE(runtime_->begin_iteration(ada, status, 0).value());
      ScriptResponse stored;
      stored.status = status;
      runtime_->store(ada, hook("a"), std::move(stored));
      EXPECT_EQ(begin(ada, "b"), "plain");
    }
    ASSERT_TRUE(runtime_->begin_iteration(ada, 203, 0).value());
    EXPECT_EQ(begin(ada, "b"), "plain");
    EXPECT_EQ(host_.log, "200 fresh 7\n201 fresh 7\n202 fresh 7\nnone fresh 7\n") << data;
  }
}

// proves: CTX-VU-6
TEST_F(RuntimeTest, FiveThousandUsersSeeOnlyTheirOwnResults) {
  ASSERT_EQ(
      open_shop("authenticate = step(http, ({ client }) => client.http.post('http://t/login'));\nget_users = "
                "step(['authenticate'], async ({ authenticate }) => ({ users: authenticate.json().vu }));\n"
                "get_config = step(['authenticate'], ({ authenticate }) => ({ config: authenticate.json().vu }));\n"
                "process_data = step(['get_users', 'get_config'], ({ get_users, get_config, vu }) => { if "
                "(get_users.users !== vu || get_config.config !== vu) fail('mixed up') })"),
      "");
  std::vector<UserSlot> users;
  for (std::uint32_t vu = 0; vu < 5000; ++vu) users.push_back(user(vu, 5000));
  for (const UserSlot slot : users) ASSERT_EQ(begin(slot, "authenticate"), "waiting");
  ASSERT_EQ(host_.calls.size(), users.size());
  for (std::size_t vu = users.size(); vu-- > 0;) {
    ScriptResponse response;
    response.status = 200;
    response.body = fmt::format(R"({{"vu":{}}})", vu);
    ASSERT_THAT(shown(runtime_->settle(host_.calls[vu].first, std::move(response))), StartsWith("response"));
  }
  for (const char* name : {"get_users", "get_config", "process_data"})
    for (const UserSlot slot : users) ASSERT_EQ(begin(slot, name), "plain");
}

// proves: HOOK-8, CTX-API-2, CTX-API-3, CTX-API-8, CTX-API-11, CTX-API-4
TEST_F(RuntimeTest, AProvidedValueArrivesWhereBothSidesAgree) {
  const char* const kText =
      "import { Workflow, step, state, http } from 'hyperscale';\n"
      "export class AuthWorkflow extends Workflow { login = step(http, async ({ client }) => "
      "client.http.get('http://t/'));\n"
      "  auth_token = state.provide(PROVIDES, ({ login }) => login.json().token) }\n"
      "export class DataWorkflow extends Workflow { static depends = ['AuthWorkflow'];\n"
      "  get_token = state.use(USES, ({ KEY = 'default' }) => KEY);\n"
      "  read = step(({ auth_token = 'default' }) => { console.log(this.get_token(), auth_token) }) }";
  const auto run = [&](std::string provides, std::string uses, std::string key) {
    std::string text = kText;
    for (auto [from, to] : {std::pair{"PROVIDES", provides}, {"USES", uses}, {"KEY", key}, {"KEY", key}})
      text.replace(text.find(from), std::string(from).size(), to);
    EXPECT_EQ(open(text), "");
    const UserSlot provider = user();
    begin(provider, "login");
    answer(200, R"({"token":"T1"})");
    const Turn turn = runtime_->begin(provider, hook("auth_token"));
    EXPECT_EQ(turn.outcome->text, R"("T1")");
    for (const Flow& flow : flows_of(description_))
      EXPECT_TRUE(runtime_->provide(description_.workflows[1], flow.from, flow.key, turn.outcome->text));
    const UserSlot consumer = user(0, 1, 1);
    host_.log.clear();
    EXPECT_TRUE(runtime_->begin(consumer, hook("read", 1)).outcome);
    return host_.log;
  };
  EXPECT_EQ(run("'DataWorkflow'", "'AuthWorkflow'", "auth_token"), "T1 T1\n");
  EXPECT_EQ(run("[]", "'AuthWorkflow'", "auth_token"), "default default\n");
  EXPECT_EQ(run("'DataWorkflow'", "[]", "auth_token"), "default default\n");
  EXPECT_EQ(run("'DataWorkflow'", "'AuthWorkflow'", "token"), "default T1\n");
}

TEST_F(RuntimeTest, ResponseIsInvalidAfterItsIteration) {
  ASSERT_EQ(open_shop("static baseUrl = 'http://t'; a = step(http, async ({ client, kept }) => { const r = await "
                      "client.http.get('/x'); this.old = this.old || r; return r });\n"
                      "b = step(({ a }) => console.log(a.status, a.header('Content-TYPE'), a.headers['x-a'], a.url, "
                      "a.text(), a.duration));\n"
                      "c = step(() => this.old.body)"),
            "");
  const UserSlot ada = user();
  begin(ada, "a");
  EXPECT_EQ(host_.calls[0].second.what->request.url, "http://t/x");
  answer(200, "böd\xffy");
  begin(ada, "b");
  EXPECT_EQ(host_.log, "200 text/x 1, 2 http://t/final böd\xEF\xBF\xBDy 12\n");
  ASSERT_TRUE(runtime_->begin_iteration(ada, 1, 1).value());
  EXPECT_EQ(begin(ada, "c"), "plain");  // it was read in its iteration
  begin(ada, "a");
  answer(200, "second");
  EXPECT_THAT(begin(ada, "c"), "plain");
  const UserSlot bob = user(1, 2);
  begin(bob, "a");
  answer(200, "never read");
  ASSERT_TRUE(runtime_->begin_iteration(bob, 1, 1).value());
  EXPECT_THAT(begin(bob, "c"), HasSubstr("belongs to an earlier iteration"));
}

TEST_F(RuntimeTest, AFailedCallIsAResponseWithoutAStatus) {
  ASSERT_EQ(
      open_shop(
          "a = step(http, async ({ client }) => { const r = await client.http.get('http://t/'); console.log(r.status, "
          "r.ok, r.error); try { r.json() } catch (e) { console.log(e.message) } return r });"),
      "");
  begin(user(), "a");
  EXPECT_THAT(shown(runtime_->settle_error(host_.calls[0].first, "connection refused")), StartsWith("response"));
  EXPECT_EQ(host_.log, "0 false connection refused\nthere is no answer to read: connection refused\n");
}

TEST_F(RuntimeTest, WhatAStepThrowsIsItsResultWithThePlace) {
  ASSERT_EQ(open_shop("a = step(async () => {\n  await 0;\n  null.field;\n});\nb = step(http, ({ client }) => "
                      "client.http.get('http://t/', { heders: {} }));\n"
                      "c = step(http, () => http.get('nonsense://x'));\nd = step(() => { throw { get message() { throw "
                      "1 } } });\ne = metric('a', () => 'many')"),
            "");
  const UserSlot ada = user();
  EXPECT_THAT(begin(ada, "a"),
              AllOf(StartsWith("shop.js:5:3: step \"a\": TypeError: "), HasSubstr("  5 |   null.field;\n    |   ^")));
  EXPECT_THAT(begin(ada, "b"), AllOf(StartsWith("shop.js:7:"),
                                     HasSubstr("http.get() has no option \"heders\"; did you mean \"headers\"?")));
  EXPECT_THAT(begin(ada, "c"), AllOf(StartsWith("shop.js:8:"), HasSubstr("scheme")));
  EXPECT_THAT(begin(ada, "d"), AllOf(StartsWith("shop.js:9:1: step \"d\": "), HasSubstr("without a message")));
  EXPECT_THAT(begin(ada, "e"), HasSubstr("metric \"e\" must return a number, but it returned \"many\""));
  EXPECT_EQ(host_.calls.size(), 0U);
}

TEST_F(RuntimeTest, ALoopEndsItsUsersTurnsAndNobodyElses) {
  ASSERT_EQ(open_shop("wait = step(http, async ({ client }) => client.http.get('http://t/slow'));\nloop = step(http, "
                      "async ({ client }) => {\n  const r = await client.http.get('http://t/');\n  for (let n = 0; ; "
                      "n++) Math.max(n);\n});\n"
                      "fine = step(async () => { await 0; await 1; return 5 });",
                      short_limit()),
            "");
  const UserSlot ada = user(0, 2);
  const UserSlot bob = user(1, 2);
  EXPECT_EQ(begin(bob, "wait"), "waiting");
  const CallId bobs = host_.calls.back().first;
  EXPECT_EQ(begin(ada, "wait"), "waiting");
  const CallId adas = host_.calls.back().first;
  EXPECT_EQ(begin(ada, "loop"), "waiting");
  const std::string ended = answer(200);
  EXPECT_THAT(ended, AllOf(HasSubstr("step \"wait\": "), HasSubstr("step \"loop\": the script ran for more than 50ms"),
                           HasSubstr("shop.js:")));
  EXPECT_EQ(host_.cancelled, std::vector<CallId>{adas});
  EXPECT_EQ(shown(runtime_->settle(adas, {})), "waiting");
  EXPECT_EQ(begin(ada, "fine"), "plain");
  EXPECT_EQ(shown(runtime_->settle(bobs, {})), fmt::format("response {}", bobs));
}

TEST_F(RuntimeTest, ALoopAroundAnAwaitEndsToo) {
  ASSERT_EQ(
      open_shop(
          "a = step(async () => {\n  for (;;) { try { await 0 } catch {} }\n});\nb = step(async () => { async "
          "function* g() { for (;;) yield 1 }\n  for await (const x of g()); });\nfine = step(async () => { await 0 })",
          short_limit()),
      "");
  const UserSlot ada = user();
  EXPECT_THAT(begin(ada, "a"),
              AllOf(HasSubstr("step \"a\": the script ran for more than 50ms"), HasSubstr("shop.js:4")));
  EXPECT_THAT(begin(ada, "b"), HasSubstr("step \"b\": the script ran for more than 50ms"));
  EXPECT_EQ(begin(ada, "fine"), "plain");
}

TEST_F(RuntimeTest, APromiseThatNothingWillSettleIsSaidAtOnce) {
  ASSERT_EQ(open_shop("a = step(() => new Promise(() => {}));\nb = step(async () => { await sleep('1s'); await new "
                      "Promise(() => {}) });"),
            "");
  const UserSlot ada = user();
  EXPECT_THAT(begin(ada, "a"),
              AllOf(StartsWith("shop.js:3:1: step \"a\": waits for a promise that nothing is going to settle"),
                    HasSubstr("^")));
  EXPECT_EQ(begin(ada, "b"), "waiting");
  EXPECT_EQ(host_.timers.back().second, 1s);
  EXPECT_THAT(shown(runtime_->fire(host_.timers.back().first)), HasSubstr("step \"b\": waits for a promise"));
}

TEST_F(RuntimeTest, AllocationBombsAndDeepRecursionEndTheStepOnly) {
  RuntimeOptions options;
  options.limits = {.cpu_per_resume = 60s, .cpu_to_load = 10s, .heap_bytes = 128 << 20};
  ASSERT_EQ(open_shop("a = step(() => { const hold = []; for (;;) hold.push(new Array(1000).fill(1)) });\nb = step(() "
                      "=> { const f = () => f() + 1; f() });\nfine = step(() => 1)",
                      options),
            "");
  const UserSlot ada = user();
  EXPECT_THAT(begin(ada, "a"), HasSubstr("step \"a\": the script uses more memory than it may"));
  runtime_->engine().collect_garbage();
  EXPECT_THAT(begin(ada, "b"), HasSubstr("Maximum call stack size exceeded"));
  EXPECT_EQ(begin(ada, "fine"), "plain");
}

// proves part: CTX-VU-2 (results, module state, files and listed built-ins; not: that nothing else is shared)
TEST_F(RuntimeTest, UsersCannotReachEachOtherThroughWhatTheyShare) {
  ASSERT_EQ(
      open_shop("tamper = step(({ client, context }) => {\n  const tries = { array: () => (Array.prototype.push = "
                "null), global: () => (globalThis.x = 1), http: () => (h.http.get = null),\n"
                "  client: () => (client.http.get = null), url: () => (URL.prototype.toString = null), base: () "
                "=> (Workflow.vus = 3), log: () => (console.log = null),\n"
                "  response: () => (Object.getPrototypeOf(http).constructor.prototype.evil = 1), random: () => "
                "(random.int = null), crypto: () => (crypto.hash = null),\n"
                "  json: () => (JSON.parse = null), map: () => (Map.prototype.mark = 1), promise: () => "
                "(Promise.prototype.then = null), mine: () => (Object.getPrototypeOf(context).get = null),\n"
                "  object: () => (Object.prototype.mark = 1), fn: () => (Function.prototype.call = null), math: () "
                "=> (Math.random = null), date: () => (Date.now = null) };\n"
                "  return Object.entries(tries).filter(([, f]) => { try { f(); return true } catch { return "
                "false } }).map(([n]) => n).forEach((n) => fail(`changed ${n}`)) })"),
      "");
  EXPECT_EQ(begin(user(), "tamper"), "plain");
}

// proves part: CTX-VU-2 (results, module state, files and listed built-ins; not: that nothing else is shared)
TEST_F(RuntimeTest, FilesThatUsersShareCannotBeChanged) {
  ASSERT_EQ(open("import { Workflow, step, csv } from 'hyperscale';\nimport list from './list.json';\n"
                 "export class Shop extends Workflow { static data = { row: csv('u.csv') };\n"
                 "a = step(({ row }) => { const tries = { row: () => (row.name = 'x'), list: () => list.push(1), "
                 "deep: () => (list[0].n = 2) };\n"
                 "  for (const [name, f] of Object.entries(tries)) { try { f(); console.log(name) } catch {} }\n"
                 "  console.log(row.name, list.length, list[0].n) }) }",
                 {{"list.json", R"([{"n":1}])"}}),
            "");
  ASSERT_TRUE(runtime_->add_data(shop(), shop().data[0], "name\nada\n"));
  for (const std::uint32_t vu : {0U, 1U}) EXPECT_EQ(begin(user(vu, 2), "a"), "plain");
  EXPECT_EQ(host_.log, "ada 1 1\nada 1 1\n");
}

// proves: HOOK-CLIENT-2
// proves part: CTX-VU-3 (good answers, values, own types; not: an answer of a plain request that failed)
TEST_F(RuntimeTest, CustomResultsAreMeasuredByTheirType) {
  ASSERT_EQ(open("import { Workflow, step } from 'hyperscale';\nclass Row { constructor(ok) { this.ok = ok } }\nexport "
                 "class Shop extends Workflow {\n"
                 "good = step(Row, () => new Row(true)); bad = step(Row, async () => new Row(false)); wrong = "
                 "step(Row, () => 5);\nread = step(({ good, bad, wrong = 'none' }) => console.log(good.ok, bad.ok, "
                 "wrong)) }"),
            "");
  const UserSlot ada = user();
  EXPECT_EQ(begin(ada, "good"), "custom true");
  EXPECT_EQ(begin(ada, "bad"), "custom false");
  EXPECT_THAT(begin(ada, "wrong"), HasSubstr("step \"wrong\" must return a Row, but it returned 5"));
  EXPECT_EQ(begin(ada, "read"), "plain");
  EXPECT_EQ(host_.log, "true false none\n");
}

TEST_F(RuntimeTest, ChanceFollowsTheSeedAndTheNumberOfTheUser) {
  const std::string body =
      "a = step(() => console.log(Math.random(), random.int(1, 1000), random.pick(['x', 'y', 'z']), random.text(5), "
      "crypto.randomUUID(), sequence(), sequence()))";
  const auto run = [&](std::uint64_t seed, std::uint32_t vu) {
    RuntimeOptions options;
    options.seed = seed;
    EXPECT_EQ(open_shop(body, options), "");
    if (vu == 2) user(1, 3);  // another user in the same process changes nothing
    begin(user(vu, 3), "a");
    return host_.log;
  };
  EXPECT_EQ(run(1, 2), run(1, 2));
  EXPECT_NE(run(1, 1), run(1, 2));
  EXPECT_NE(run(1, 1), run(2, 1));
  EXPECT_THAT(run(1, 2), HasSubstr(" 2 5\n"));
}

// Users 0 and 1 of two, users 2 and 3 that were added, and all of them again in an executor that took over.
TEST_F(RuntimeTest, NoNumberOfASequenceComesTwice) {
  std::map<std::string, int> given;
  for (const std::uint32_t generation : {0U, 1U}) {
    RuntimeOptions options;
    options.generation = generation;
    ASSERT_EQ(open_shop("a = step(() => { for (let i = 0; i < 20; i++) console.log(sequence('orders')); })", options),
              "");
    for (const std::uint32_t vu : {0U, 1U, 2U, 3U}) begin(user(vu, 2), "a");
    std::istringstream lines(host_.log);
    for (std::string line; std::getline(lines, line);) ++given[line];
  }
  EXPECT_EQ(given.size(), 160U);
  for (const auto& [number, times] : given) EXPECT_EQ(times, 1) << number;
}

TEST_F(RuntimeTest, ASuccessorDrawsOtherRandomValues) {
  const auto run = [&](std::uint32_t generation) {
    RuntimeOptions options;
    options.seed = 7;
    options.generation = generation;
    EXPECT_EQ(open_shop("a = step(() => console.log(random(), crypto.randomUUID()))", options), "");
    begin(user(0, 1), "a");
    return host_.log;
  };
  EXPECT_EQ(run(1), run(1));
  EXPECT_NE(run(0), run(1));
}

TEST_F(RuntimeTest, RowsAreDealtOutByTheNumberOfTheUser) {
  ASSERT_EQ(open_shop("static data = { users: csv('u.csv', { deal: 'once' }), items: jsonl('i.jsonl') }; a = step(({ "
                      "users, items }) => console.log(users.name, items.n))"),
            "");
  ASSERT_EQ(runtime_->add_data(shop(), shop().data[0], "name,age\r\n\"a, \"\"q\"\"\",1\nb,2\nc,3\n").value(), 3U);
  ASSERT_EQ(runtime_->add_data(shop(), shop().data[1], "{\"n\":1}\n\n{\"n\":2}\n").value(), 2U);
  const UserSlot ada = user(0, 2);
  const UserSlot bob = user(1, 2);
  begin(ada, "a");
  begin(bob, "a");
  EXPECT_TRUE(runtime_->begin_iteration(ada, 1, 2).value());
  begin(ada, "a");
  EXPECT_FALSE(runtime_->begin_iteration(bob, 1, 3).value());
  EXPECT_EQ(host_.log, "a, \"q\" 1\nb 2\nc 1\n");
  EXPECT_THAT(format_error(runtime_->add_data(shop(), shop().data[0], "a,b\n1\n").error()),
              HasSubstr("u.csv: row 2 has 1 fields, the first row has 2"));
}

TEST_F(RuntimeTest, SecretsNeverAppear) {
  RuntimeOptions options;
  options.secrets = {{"KEY", "hunter2"}};
  ASSERT_EQ(open_shop("a = step(http, async ({ client }) => { console.log('key', secret('KEY')); const r = await "
                      "client.http.get('http://t/', { auth: { bearer: secret('KEY') } }); throw new Error(`bad "
                      "${secret('KEY')}`) })",
                      options),
            "");
  begin(user(), "a");
  EXPECT_EQ(host_.calls[0].second.what->request.headers[0].value, "Bearer hunter2");
  EXPECT_THAT(answer(200), AllOf(HasSubstr("bad ***"), Not(HasSubstr("hunter2\""))));
  EXPECT_EQ(host_.log, "key ***\n");
}

TEST_F(RuntimeTest, MetricsGroupsTimersAndActionsReachTheHost) {
  ASSERT_EQ(open_shop("n = counter('orders'); a = step(http, async ({ client }) => { this.n.add(2); const "
                      "pay = group('pay', client); let ticks = 0;\n"
                      "  const t = setInterval(() => { if (++ticks === 2) clearInterval(t) }, 10); setTimeout((x) => "
                      "console.log(x), 5, 'later'); return pay.http.get('http://t/') });\n"
                      "setup = action(async () => ({ base: 7 })); teardown = action(() => {}); b = step(({ base }) => "
                      "console.log(base))"),
            "");
  const UserSlot ada = user();
  EXPECT_EQ(begin(ada, "a"), "waiting");
  EXPECT_EQ(host_.figures, "orders=2;");
  EXPECT_EQ(host_.calls[0].second.what->label, "pay");
  ASSERT_EQ(host_.timers.size(), 2U);
  runtime_->fire(host_.timers[1].first);
  EXPECT_EQ(host_.log, "later\n");
  runtime_->fire(host_.timers[0].first);
  ASSERT_EQ(host_.timers.size(), 3U);
  runtime_->fire(host_.timers[2].first);
  EXPECT_EQ(host_.disarmed.size(), 1U);
  EXPECT_THAT(answer(200), StartsWith("response"));
  const Turn setup = runtime_->begin(ada, hook("setup"));
  EXPECT_EQ(setup.outcome->text, R"({"base":7})");
  ASSERT_TRUE(runtime_->provide(shop(), "", "setup", setup.outcome->text));
  EXPECT_EQ(begin(ada, "teardown"), "text ");
  begin(user(1, 2), "b");
  EXPECT_THAT(host_.log, HasSubstr("7\n"));
}

TEST_F(RuntimeTest, WhatAnIterationLeftBehindIsCancelled) {
  ASSERT_EQ(open_shop("a = step(({ client }) => { client.http.get('http://t/'); setTimeout(() => console.log('no'), "
                      "5); return 1 })"),
            "");
  const UserSlot ada = user();
  EXPECT_EQ(begin(ada, "a"), "plain");
  ASSERT_TRUE(runtime_->begin_iteration(ada, 1, 1).value());
  EXPECT_EQ(host_.cancelled.size(), 1U);
  EXPECT_EQ(host_.disarmed.size(), 1U);
  runtime_->fire(host_.timers[0].first);
  EXPECT_EQ(host_.log, "");
}

TEST_F(RuntimeTest, MemoryOfAUserIsSmall) {
  ASSERT_EQ(open(R"(import { Workflow, step, check, metric, http } from 'hyperscale';
let visits = 0;
export class Shop extends Workflow {
  static vus = 10000;
  home = step(http.get('https://shop.test/'));
  login = step(http.post('https://shop.test/login', { json: { user: 'ada' } }));
  cart = step(http, ['home', 'login'], async ({ login, client }) => { visits++; return client.http.get('https://shop.test/cart', { headers: { authorization: 'x' } }) });
  ok = check('cart', ({ cart }) => cart.status === 200);
  items = metric('cart', ({ cart }) => cart.json().length);
})"),
            "");
  constexpr std::uint32_t kUsers = 10'000;
  runtime_->engine().collect_garbage();
  const std::uint64_t before = runtime_->engine().heap_bytes();
  std::vector<UserSlot> users;
  for (std::uint32_t vu = 0; vu < kUsers; ++vu) users.push_back(user(vu, kUsers));
  runtime_->engine().collect_garbage();
  const std::uint64_t idle = runtime_->engine().heap_bytes();
  for (const UserSlot slot : users) ASSERT_EQ(begin(slot, "cart"), "waiting");
  runtime_->engine().collect_garbage();
  const std::uint64_t waiting = runtime_->engine().heap_bytes();
  fmt::print("script heap per user at {}: {} bytes idle, {} bytes while a call is under way\n", kUsers,
             (idle - before) / kUsers, (waiting - before) / kUsers);
  EXPECT_LT((waiting - before) / kUsers, 10'000U);
}

}  // namespace
}  // namespace hyperscale::workflow
