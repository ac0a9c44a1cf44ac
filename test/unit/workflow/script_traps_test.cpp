// What scripts of other tools write and what would do nothing here: each is an error that names the right way.
#include "script_world.h"

#include <gmock/gmock.h>

namespace hyperscale::workflow {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class ScriptTrapsTest : public ScriptWorld {
 protected:
  // How a function that does this ends.
  std::string in_function(const std::string& code) {
    if (const std::string errors = open_shop("a = step(async () => { " + code + " })"); !errors.empty()) return errors;
    return begin(user(), "a");
  }
};

TEST_F(ScriptTrapsTest, ACheckInAFunctionIsRefused) {
  EXPECT_THAT(in_function("check({ status: 200 }, { 'is 200': (r) => r.status === 200 })"),
              AllOf(HasSubstr("check() declares a field of the workflow"), HasSubstr("ok = check('step', ")));
  for (const char* what : {"step", "metric", "action", "state.provide", "state.use", "csv", "jsonl"})
    EXPECT_THAT(in_function(fmt::format("h.{}('x', () => 1)", what)),
                HasSubstr(fmt::format("{}() declares a field of the workflow", what)));
}

TEST_F(ScriptTrapsTest, ExportsOfOtherToolsAreRefused) {
  const std::string errors = open(
      "import { Workflow, step } from 'hyperscale';\n"
      "export const options = { vus: 10 };\n"
      "export function handleSummary() {}\n"
      "const setup = () => 1;\nexport { setup };\n"
      "export default function () {}\n"
      "export class Shop extends Workflow { a = step(() => 1) }\n");
  EXPECT_THAT(errors,
              AllOf(HasSubstr("shop.js:2:1: the export \"options\" does nothing here; the load is set by static"),
                    HasSubstr("shop.js:3:1: the export \"handleSummary\" does nothing here; reports"),
                    HasSubstr("shop.js:5:10: the export \"setup\" does nothing here; write a field"),
                    HasSubstr("shop.js:6:1: the export \"default\" does nothing here; write what it does")));
  // In a file that is imported they are names like others.
  EXPECT_EQ(open("import { Workflow, step } from 'hyperscale';\nimport { options } from './x.js';\n"
                 "export class Shop extends Workflow { static vus = options.vus; a = step(() => 1) }",
                 {{"x.js", "export const options = { vus: 3 };"}}),
            "");
}

TEST_F(ScriptTrapsTest, AStaticFieldThatNothingReadsIsRefused) {
  EXPECT_THAT(
      open_shop("static users = 5;\na = step(() => 1)"),
      AllOf(HasSubstr("shop.js:3:8: "), HasSubstr("no attribute \"users\""), HasSubstr("did you mean \"vus\"?")));
  EXPECT_THAT(open_shop("static load = { vus: 5, duration: '1s' }; a = step(() => 1)"),
              HasSubstr("static vus = ...; static duration = ..."));
  EXPECT_THAT(open_shop("static colour = 'red'; a = step(() => 1)"), HasSubstr("there are vus, duration, "));
  EXPECT_EQ(open_shop("static colour = 'red'; a = step(() => console.log(Shop.colour))"), "");
  EXPECT_EQ(open_shop("static build() { return 1 } a = step(() => 1)"), "");
}

TEST_F(ScriptTrapsTest, JsonTakesNoPath) {
  ASSERT_EQ(open_shop("a = step(http, async ({ client }) => { const r = await client.http.get('http://t/'); "
                      "console.log(r.json().items[0].id); r.json('items.0.the-id'); return r; })"),
            "");
  begin(user(), "a");
  EXPECT_THAT(answer(200, R"({"items":[{"id":7}]})"),
              HasSubstr("json() takes no path: write json().items[0][\"the-id\"]"));
  EXPECT_EQ(host_.log, "7\n");
}

TEST_F(ScriptTrapsTest, TagsOfMetricsAndChecksAreRefused) {
  EXPECT_THAT(
      open_shop("a = step(() => 1); b = check('a', { tags: { x: 1 } }, () => true); c = metric('a', { tags: { y: "
                "2 }, kind: 'gauge' }, () => 1); d = action({ tags: {} }, () => 1)"),
      AllOf(HasSubstr("check() has no tags"), HasSubstr("metric() has no tags"), HasSubstr("action() has no tags"),
            Not(HasSubstr("no option"))));
  EXPECT_THAT(in_function("counter('orders').add(1, { region: 'eu' })"),
              AllOf(HasSubstr("metric \"orders\" has no tags"), HasSubstr("counter(\"orders_eu\")")));
}

TEST_F(ScriptTrapsTest, ASleepNeedsAUnit) {
  EXPECT_THAT(in_function("await sleep(1)"), HasSubstr("sleep(1) has no unit: write sleep('1s') for seconds or "
                                                       "sleep('1ms') for milliseconds"));
  EXPECT_THAT(in_function("await sleep(0.5)"), HasSubstr("sleep('500ms') for seconds"));
  EXPECT_THAT(in_function("await sleep('soon')"), HasSubstr("sleep() takes a duration such as \"1s\""));
  EXPECT_EQ(in_function("await sleep('1s')"), "waiting");
  EXPECT_EQ(host_.timers.at(0).second, 1s);
}

TEST_F(ScriptTrapsTest, AGroupTakesAClient) {
  EXPECT_THAT(in_function("group('pay', () => 1)"), HasSubstr("group() takes a client and returns one"));
}

TEST_F(ScriptTrapsTest, OptionsOfExpectAreCheckedInCalls) {
  EXPECT_THAT(in_function("await http.get('http://t/', { expect: { stauts: 200 } })"),
              HasSubstr("expect has no option \"stauts\"; did you mean \"status\"?"));
}

TEST_F(ScriptTrapsTest, StandardInputIsNoDataFile) {
  EXPECT_THAT(open_shop("static data = { row: csv('-') }; a = step(() => 1)"), HasSubstr("\"-\" is none"));
}

TEST_F(ScriptTrapsTest, NothingOfTheHostIsInAPromise) {
  ASSERT_EQ(open_shop("a = step(http, ({ client }) => { const p = client.http.get('http://t/'); "
                      "console.log(Reflect.ownKeys(p).length, Object.getOwnPropertySymbols(p).length); return p; })"),
            "");
  begin(user(), "a");
  EXPECT_EQ(host_.log, "0 0\n");
}

}  // namespace
}  // namespace hyperscale::workflow
