#include "workflow/script/engine.h"

#include "workflow/script/jsc.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hyperscale::workflow {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

class EngineTest : public testing::Test {
 protected:
  void SetUp() override { start({}); }
  void start(EngineLimits limits) {
    engine_.reset();
    auto engine = Engine::create(limits);
    ASSERT_TRUE(engine) << engine.error().to_string();
    engine_ = std::move(*engine);
  }
  void lock_down() {
    const Status locked = engine_->lock_down();
    ASSERT_TRUE(locked) << locked.error().to_string();
  }

  // As a user's file would be: the text of an error is what the user sees.
  std::string run(const std::string& code, const std::string& file = "shop.js", Budget budget = Budget::kResume) {
    engine_->sources().add({.file = file, .text = code, .edits = {}});
    const ScriptResult<ValueRef> value = engine_->evaluate(file, code, budget);
    if (!value) {
      last_ = value.error();
      return format_error(value.error());
    }
    return jsc::text_of(engine_->context(), *value);
  }

  std::unique_ptr<Engine> engine_;
  ScriptError last_;
};

TEST_F(EngineTest, AnExceptionNamesItsPlaceAndShowsTheLine) {
  EXPECT_EQ(run("const a = 1;\nfunction f() {\n  return missing.field;\n}\nf();"),
            "shop.js:3:10: ReferenceError: Can't find variable: missing\n"
            "  3 |   return missing.field;\n"
            "    |          ^");
  EXPECT_EQ(last_.stack, "f (shop.js:3:10)\nglobal code (shop.js:5:1)");
}

TEST_F(EngineTest, CaretIsUnderTheFaultAfterTabsAndUmlauts) {
  EXPECT_EQ(run("\t'größer'; nope();"),
            "shop.js:1:14: ReferenceError: Can't find variable: nope\n"
            "  1 | \t'größer'; nope();\n"
            "    | \t          ^");
}

TEST_F(EngineTest, AnythingCanBeThrown) {
  EXPECT_EQ(run("throw 'plain text'"), "threw plain text");
  EXPECT_EQ(run("throw null"), "threw null");
  EXPECT_THAT(run("throw { get message() { throw 1 }, toString() { throw 2 } }"), HasSubstr("without a message"));
  EXPECT_THAT(run("throw Symbol('s')"), StartsWith("threw"));
}

TEST_F(EngineTest, EndlessLoopIsEndedAndRealmGoesOn) {
  start({.cpu_per_resume = 50ms});
  EXPECT_THAT(run("let n = 0;\nwhile (true) {\n  n++;\n}"),
              AllOf(StartsWith("shop.js:"), HasSubstr("more than 50ms"), HasSubstr("endless loop")));
  EXPECT_EQ(last_.fault, ScriptFault::kCpuLimit);
  EXPECT_GE(last_.place.line, 1U);
  EXPECT_EQ(run("6 * 7"), "42");
}

TEST_F(EngineTest, ALoopAfterAnAwaitIsEndedTooAndCannotBeCaught) {
  start({.cpu_per_resume = 50ms});
  EXPECT_THAT(
      run("globalThis.seen = '';\n(async () => {\n  await 0;\n  try { while (true); } finally { seen += 'finally' }\n"
          "})().then(() => seen += 'then', () => seen += 'catch')"),
      HasSubstr("more than 50ms"));
  EXPECT_EQ(last_.place.line, 4U);
  EXPECT_EQ(run("seen + '.'"), ".");
}

TEST_F(EngineTest, AnExceptionWhoseGettersLoopIsEnded) {
  start({.cpu_per_resume = 50ms});
  EXPECT_THAT(run("throw { get message() { while (true); } }"), HasSubstr("more than 50ms"));
}

TEST_F(EngineTest, LoadingHasABudgetOfItsOwn) {
  start({.cpu_per_resume = 20ms, .cpu_to_load = 10s});
  const std::string work = "const t = Date.now(); while (Date.now() - t < 80); 'done'";
  EXPECT_EQ(run("(() => {" + work + "; return 'done' })()", "shop.js", Budget::kLoad), "done");
}

TEST_F(EngineTest, AnAllocationBombIsEndedByTheHeapLimit) {
  start({.cpu_per_resume = 60s, .heap_bytes = 128 << 20});
  EXPECT_THAT(run("globalThis.hold = [];\nwhile (true) hold.push(new Array(1000).fill(1));"),
              AllOf(HasSubstr("more memory than it may"), HasSubstr("128")));
  EXPECT_EQ(last_.fault, ScriptFault::kHeapLimit);
  EXPECT_EQ(run("hold = null; 'goes on'"), "goes on");
  engine_->collect_garbage();
  EXPECT_LT(engine_->heap_bytes(), 64U << 20);
}

TEST_F(EngineTest, HugeTextsAndBuffersAreRefusedByTheMachine) {
  EXPECT_THAT(run("'x'.repeat(2 ** 31)"), HasSubstr("Out of memory"));
  EXPECT_THAT(run("new ArrayBuffer(1e12)"), HasSubstr("RangeError"));
}

TEST_F(EngineTest, DeepRecursionIsAnOrdinaryError) {
  EXPECT_THAT(run("function deep() { return deep() + 1 }\ndeep()"), HasSubstr("Maximum call stack size exceeded"));
  EXPECT_EQ(run("try { deep() } catch (e) { e.name }"), "RangeError");
}

TEST_F(EngineTest, SharedObjectsCannotBeChanged) {
  lock_down();
  for (const std::string target :
       {"Array.prototype.map", "Object.prototype.evil", "Promise.prototype.then", "String.prototype.trim", "JSON.parse",
        "Math.random", "Function.prototype.call", "Object.prototype.toString", "Error.prototype.name",
        "globalThis.leak", "Array.prototype[0]", "Symbol.prototype.description", "Date.now", "Reflect.get",
        "Intl.NumberFormat"}) {
    EXPECT_THAT(run("'use strict'; " + target + " = 1"), HasSubstr("TypeError")) << target;
  }
  for (const std::string reached :
       {"(async()=>{}).constructor.prototype", "(function*(){})().__proto__.__proto__", "[].values().__proto__",
        "(async function*(){})().__proto__.__proto__.__proto__", "new Map().keys().__proto__", "/x/.__proto__"}) {
    EXPECT_THAT(run("'use strict'; (" + reached + ").evil = 1"), HasSubstr("TypeError")) << reached;
  }
  EXPECT_THAT(run("Object.setPrototypeOf(Array.prototype, null)"), HasSubstr("TypeError"));
  EXPECT_THAT(run("'use strict'; delete Array.prototype.map"), HasSubstr("TypeError"));
}

TEST_F(EngineTest, OwnPropertiesNamedLikeInheritedOnesWork) {
  lock_down();
  EXPECT_EQ(run("'use strict'; const o = {}; o.toString = () => 'mine'; `${o}`"), "mine");
  EXPECT_EQ(
      run("'use strict'; class A { constructor() { this.valueOf = () => 5; this.hasOwnProperty = 1 } }; new A() + 1"),
      "6");
  EXPECT_EQ(run("'use strict'; const e = new Error('x'); e.name = 'Mine'; e.message = 'y'; String(e)"), "Mine: y");
  EXPECT_EQ(
      run("'use strict'; class E extends TypeError { constructor() { super('m'); this.name = 'E' } }; String(new E)"),
      "E: m");
  EXPECT_EQ(run("(() => { 'use strict'; function F() {} F.prototype.constructor = 3; F.toString = () => 'f'; return F "
                "+ new F().constructor })()"),
            "f3");
  EXPECT_EQ(run("'use strict'; const l = []; l.toString = () => 'list'; l.push(1, 2); `${l}${l.length}`"), "list2");
  EXPECT_EQ(run("JSON.stringify({ a: [1, { b: 'c' }] }) + Object.keys({ x: 1 }) + ({}).toString()"),
            R"({"a":[1,{"b":"c"}]}x[object Object])");
}

TEST_F(EngineTest, NothingOutsideCanBeReached) {
  lock_down();
  for (const std::string name : {"require", "process", "fetch", "XMLHttpRequest", "WebSocket", "Deno", "load",
                                 "readFile", "WebAssembly", "SharedArrayBuffer", "window", "importScripts"})
    EXPECT_EQ(run("typeof " + name), "undefined") << name;
  EXPECT_THAT(run("Function('return 1')()"), HasSubstr("cannot be run as code"));
  EXPECT_THAT(run("(async () => {}).constructor('return 1')()"), HasSubstr("cannot be run as code"));
}

TEST_F(EngineTest, TextCrossesTheBorderUnharmed) {
  EXPECT_EQ(run("'a\\u0000b😀é\\ud800'"), std::string("a\0b😀é\xEF\xBF\xBD", 12));
  const jsc::Text broken("x\xff\xc3y");
  EXPECT_EQ(broken.utf8(), "x\xEF\xBF\xBD\xEF\xBF\xBDy");
}

}  // namespace
}  // namespace hyperscale::workflow
