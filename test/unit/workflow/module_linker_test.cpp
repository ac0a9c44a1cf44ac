#include "workflow/script/module_linker.h"

#include "workflow/script/jsc.h"

#include <map>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hyperscale::workflow {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class Files : public SourceProvider {
 public:
  explicit Files(std::map<std::string, std::string> files) : files_(std::move(files)) {}
  std::optional<std::string> read(const std::string& path) override {
    const auto found = files_.find(path);
    return found == files_.end() ? std::nullopt : std::optional(found->second);
  }

 private:
  std::map<std::string, std::string> files_;
};

class ModuleLinkerTest : public testing::Test {
 protected:
  void SetUp() override {
    auto engine = Engine::create();
    ASSERT_TRUE(engine) << engine.error().to_string();
    engine_ = std::move(*engine);
  }

  // Runs the linked functions as the runtime does, in as few words. The value of the entry's export "result".
  std::string run(std::map<std::string, std::string> files) {
    Files provider(std::move(files));
    auto program = link_modules(*engine_, provider, "main.js", {"step", "http", "url"});
    if (!program) return format_errors(program.error());
    program_ = *program;
    (void)engine_->evaluate(
        "", "globalThis.spaces = []; globalThis.$h = { step: (...a) => a, http: 'H', url: (u) => 'url ' + u }");
    (void)engine_->evaluate(
        "", "globalThis.fill = (i) => (e) => Object.defineProperties(spaces[i], Object.getOwnPropertyDescriptors(e))");
    for (std::size_t i = 0; i < program->modules.size(); ++i) (void)engine_->evaluate("", "spaces.push({})");
    for (std::size_t i = 0; i < program->modules.size(); ++i) {
      const LinkedModule& module = program->modules[i];
      if (module.json) {
        (void)engine_->evaluate("", fmt::format("spaces[{}].default = {}", i, module.code));
        continue;
      }
      const auto function = engine_->evaluate(module.file, module.code);
      if (!function) return format_error(function.error());
      std::vector<ValueRef> arguments{*engine_->evaluate("", fmt::format("fill({})", i)),
                                      *engine_->evaluate("", "(x) => x"),
                                      *engine_->evaluate("", "(thunks, f) => (f.thunks = thunks, f)"),
                                      *engine_->evaluate("", "({ n: 1e9, begin() {} })")};
      for (const std::int32_t use : module.uses)
        arguments.push_back(*engine_->evaluate("", use < 0 ? "$h" : fmt::format("spaces[{}]", use)));
      const auto done = engine_->call(const_cast<ObjectRef>(*function), arguments);
      if (!done) return format_error(done.error());
      for (const std::int32_t star : module.stars)
        (void)engine_->evaluate(
            "", fmt::format("for (const k in spaces[{0}]) if (!(k in spaces[{1}]) && k !== 'default') "
                            "Object.defineProperty(spaces[{1}], k, {{ get: () => spaces[{0}][k], enumerable: true }})",
                            star, i));
    }
    const auto value = engine_->evaluate("", fmt::format("String(spaces[{}].result)", program->modules.size() - 1));
    return value ? jsc::text_of(engine_->context(), *value) : format_error(value.error());
  }

  std::unique_ptr<Engine> engine_;
  LinkedProgram program_;
};

TEST_F(ModuleLinkerTest, EveryFormOfImportAndExportWorks) {
  EXPECT_EQ(
      run({{"lib/a.js",
            "export const one = 1; export let two = 2, [three] = [3]; export function f() { return 'f' }\n"
            "export class C { static n = 'C' }\nconst hidden = 4; export { hidden as four, hidden as 'odd name' };\n"
            "export default function () { return 'default' }"},
           {"lib/b.js",
            "import d from './a.js'; export default d() + '!'; export * from './a.js'; export * as all from "
            "'../lib/a.js'"},
           {"c.js", "export { one as uno, default as fallback } from './lib/a.js'; export default class Named {}"},
           {"data.json", "{\"rows\": [7, 8]}"},
           {"main.js",
            "import 'hyperscale';\nimport b, { one, four as vier, f, all } from './lib/b.js';\nimport * as c from "
            "'./c.js';\n"
            "import data from './data.json'; import { 'odd name' as odd } from './lib/a.js'; import { http as h } from "
            "'hyperscale';\n"
            "export const result = [b, one, vier, f(), all.three, c.uno, c.fallback(), c.default.name, data.rows[1], "
            "odd, h].join();"}}),
      "default!,1,4,f,3,1,default,Named,8,4,H");
}

TEST_F(ModuleLinkerTest, BindingsAreLive) {
  EXPECT_EQ(run({{"count.js", "export let n = 0; export const up = () => { n++ };"},
                 {"main.js",
                  "import { n, up } from './count.js'; up(); up(); const seen = { n }; export const result = "
                  "`${n}${seen.n}`"}}),
            "22");
}

TEST_F(ModuleLinkerTest, NamesThatMeanSomethingElseAreLeftAlone) {
  EXPECT_EQ(
      run({{"x.js", "export const x = 'import'; export const y = 'Y'"},
           {"main.js",
            "import { x, y } from './x.js';\nfunction a(x) { return x } const b = (p, { x } = { x: 'inner' }) => x;\n"
            "function c() { for (const x of ['loop']) { if (x) { var r = x } } return r } const d = { x: 'key' }.x;\n"
            "function e() { try { throw 'caught' } catch (x) { return x } } class K { x = 'field'; m() { return this.x "
            "+ x } }\n"
            "function v() { if (true) { var x = 'hoisted' } return x } x: for (;;) break x;\n"
            "const g = (z = x) => z; const t = ((s) => s[0])`tag`; function s(v) { switch (v) { case 1: let x = "
            "'case'; return x } }\n"
            "export const result = [a('arg'), b(), c(), d, e(), new K().m(), v(), g(), typeof x, `${x}${y}`, s(1), { "
            "x, y }.y, { [x]: 1 }.import].join()"}}),
      "arg,inner,loop,key,caught,fieldimport,hoisted,import,string,importY,case,Y,1");
}

TEST_F(ModuleLinkerTest, AnImportedFunctionIsCalledWithoutAThis) {
  EXPECT_EQ(run({{"f.js",
                  "export function f() { return this === undefined } export const t = function () { return this === "
                  "undefined }"},
                 {"main.js", "import { f, t } from './f.js'; export const result = [f(), t`x`].join()"}}),
            "true,true");
}

TEST_F(ModuleLinkerTest, CirclesWorkAsFarAsTheLanguageLetsThem) {
  EXPECT_EQ(
      run({{"even.js", "import { odd } from './odd.js'; export function even(n) { return n === 0 || odd(n - 1) }"},
           {"odd.js", "import { even } from './even.js'; export function odd(n) { return n !== 0 && even(n - 1) }"},
           {"main.js", "import { even } from './even.js'; export const result = even(10)"}}),
      "true");
}

TEST_F(ModuleLinkerTest, PlacesInErrorsArePlacesInTheFiles) {
  const std::string shown = run(
      {{"lib.js", "export const boom = () => {\n  throw new Error('bang');\n};\nexport const deep = { call: boom };"},
       {"main.js",
        "import { boom, deep } from './lib.js'; import { step } from 'hyperscale'; const q = boom; boom();\nexport "
        "const result = 1"}});
  EXPECT_EQ(shown,
            "lib.js:2:13: bang\n"
            "  2 |   throw new Error('bang');\n"
            "    |             ^");
  // The call stands on a line with rewritten names before it, behind the text that the linker put first.
  const auto error = run(
      {{"x.js", "export const fine = 1, name = {}"},
       {"main.js",
        "import { fine, name } from './x.js'; const a = fine + fine + name.x; missing(a);\nexport const result = a"}});
  EXPECT_THAT(error, HasSubstr("main.js:1:70: "));
}

TEST_F(ModuleLinkerTest, MistakesAreNamedWithTheirPlace) {
  EXPECT_EQ(run({{"main.js", "const a = 1;\n  let b = ;"}}),
            "main.js:2:11: SyntaxError: Unexpected token\n"
            "  2 |   let b = ;\n"
            "    |           ^\n");
  EXPECT_THAT(run({{"main.js", "import './nope.js'"}}),
              AllOf(HasSubstr("main.js:1:8: there is no module \"./nope.js\""), HasSubstr("^")));
  EXPECT_THAT(run({{"a.js", ""}, {"main.js", "import './a'"}}), HasSubstr("did you mean \"./a.js\"?"));
  EXPECT_THAT(run({{"main.js", "import { x } from 'hyperscael'"}}), HasSubstr("did you mean \"hyperscale\"?"));
  EXPECT_THAT(run({{"main.js", "import _ from 'lodash'"}}),
              HasSubstr("cannot import \"lodash\"; a file is imported as \"./lodash\""));
  EXPECT_THAT(run({{"main.js", "import {\n  stpe } from 'hyperscale'"}}),
              HasSubstr("main.js:2:3: \"hyperscale\" has no export \"stpe\"; did you mean \"step\"?"));
  EXPECT_THAT(run({{"a.js", "export const token = 1"}, {"main.js", "import token from './a.js'"}}),
              HasSubstr("\"./a.js\" has no export \"default\"; it exports \"token\": import { token }"));
  EXPECT_THAT(run({{"main.js", "const x = await 5"}}),
              HasSubstr("main.js:1:11: await at the top level of a file is not supported"));
  EXPECT_THAT(run({{"main.js", "for await (const x of []) {}"}}), HasSubstr("await at the top level"));
  EXPECT_THAT(run({{"main.js", "const m = () => import('./x.js')"}}), HasSubstr("import() is not supported"));
  EXPECT_THAT(run({{"a.js", "export let n = 1"}, {"main.js", "import { n } from './a.js';\nfunction f() { n = 2 }"}}),
              HasSubstr("main.js:2:16: \"n\" is an import and cannot be assigned to"));
  EXPECT_THAT(run({{"bad.json", "{ nope"}, {"main.js", "import x from './bad.json'"}}),
              HasSubstr("bad.json:1:1: not valid JSON"));
  EXPECT_THAT(run({}), HasSubstr("main.js: the file cannot be read"));
}

TEST_F(ModuleLinkerTest, AllFilesAreReadForMistakes) {
  EXPECT_THAT(
      run({{"a.js", "let ="}, {"main.js", "import './a.js'; import './nope.js'; import { stpe } from 'hyperscale'"}}),
      AllOf(HasSubstr("a.js:1:"), HasSubstr("nope.js"), HasSubstr("stpe")));
}

TEST_F(ModuleLinkerTest, DefaultsOfPreparedTypesCanBeHadWithoutTheHook) {
  EXPECT_EQ(run({{"base.js", "export const base = 'http://x'"},
                 {"main.js",
                  "import { step, http, url } from 'hyperscale'; import { base } from './base.js';\n"
                  "const [, fn] = step(http, async ({ other = 1, target = url(base + // why\n `/a\n`), page: p = "
                  "url('/p') }) => 1);\n"
                  "export const result = Object.entries(fn.thunks).map(([k, v]) => `${k}=${v()}`).join()"}}),
            "target=url http://x/a\n,page=url /p");
}

TEST_F(ModuleLinkerTest, ClassesAreDescribedWithWhatIsInThem) {
  ASSERT_EQ(run({{"main.js",
                  "import { Workflow } from './w.js';\nexport class Shop extends Workflow {\n  static vus = 3;\n  home "
                  "= [{ heders: 'x' }];\n}\nexport const result = 1"},
                 {"w.js", "export class Workflow {}"}}),
            "1");
  ASSERT_EQ(program_.classes.size(), 2U);
  const ClassSource& shop = program_.classes[1];
  EXPECT_EQ(shop.name, "Shop");
  EXPECT_EQ(place_text(shop.place), "main.js:2:14");
  ASSERT_EQ(shop.members.size(), 2U);
  EXPECT_TRUE(shop.members[0].is_static);
  EXPECT_EQ(place_text(shop.members[1].place), "main.js:4:3");
  EXPECT_EQ(shop.members[1].marks[0].text, "heders");
  EXPECT_EQ(place_text(shop.members[1].marks[0].place), "main.js:4:13");
}

}  // namespace
}  // namespace hyperscale::workflow
