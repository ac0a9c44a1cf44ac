// Files that a user could write by mistake or in anger: each is one clear message, and this process goes on.
#include "intake/described_in_child.h"

#include "child_works.h"
#include "intake/describe_work.h"
#include "temporary_folder.h"

#include <fstream>

#include <gmock/gmock.h>

namespace hyperscale::intake {
namespace {

using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

class DescribedInChild : public testing::Test {
 protected:
  void SetUp() override { NEEDS_ENGINE_IN_CHILD(); }
  Result<DescribedJob> describe(const std::string& code, const ChildLimits& limits = {}) {
    std::ofstream(file_) << "import { Workflow, step, http } from 'hyperscale';\n" << code << '\n';
    return described_in_child(file_, {"TARGET=http://127.0.0.1"}, {}, settings_, limits);
  }
  // The message without the folder.
  std::string refusal(const std::string& code, const ChildLimits& limits = {}) {
    const auto described = describe(code, limits);
    if (described) return "accepted";
    std::string text = described.error().context;
    for (std::size_t at = text.find(folder_.path()); at != std::string::npos; at = text.find(folder_.path()))
      text.erase(at, folder_.path().size() + 1);
    return text;
  }
  std::string hostile(const std::string& top_level, const ChildLimits& limits = {}) {
    return refusal(top_level + "\nexport class Shop extends Workflow { home = step(http.get('http://127.0.0.1/')); }",
                   limits);
  }

  test::TemporaryFolder folder_;
  std::string file_ = folder_.path() + "/shop.js";
  plan::Plan settings_;
};

TEST_F(DescribedInChild, GivesTheJobWithTheSettingsOfTheRun) {
  settings_.seed = 7;
  const auto described = describe(
      "import { env } from 'hyperscale';\n"
      "export class Shop extends Workflow {\n"
      "  static vus = 3; static iterations = 9; static thresholds = ['errors < 1%', 'p95 < 300ms'];\n"
      "  home = step(http.get(env('TARGET') + '/'));\n"
      "}\n"
      "export class Report extends Workflow {\n"
      "  static depends = ['Shop']; static priority = 'high'; static startAfter = '2s';\n"
      "  list = step(http.post('http://127.0.0.1/', { json: 7 }));\n"
      "}");
  ASSERT_TRUE(described) << described.error().context;
  ASSERT_EQ(described->job.workflows.size(), 2U);
  const plan::Workflow& shop = described->job.workflows[0];
  EXPECT_EQ(shop.plan.name, "Shop");
  EXPECT_EQ(shop.plan.seed, 7U);
  EXPECT_EQ(shop.plan.load.vus, 3U);
  EXPECT_EQ(shop.plan.load.iterations, 9U);
  EXPECT_EQ(shop.plan.steps.at(0).requests.at(0).url, "http://127.0.0.1/");
  const plan::Workflow& report = described->job.workflows[1];
  EXPECT_THAT(report.depends, testing::ElementsAre("Shop"));
  EXPECT_EQ(report.priority, plan::Priority::kHigh);
  EXPECT_EQ(report.start_offset, 2s);
  EXPECT_EQ(report.plan.steps.at(0).requests.at(0).body, "7");
  ASSERT_EQ(described->thresholds.size(), 2U);
  EXPECT_EQ(described->thresholds[1].threshold.text(), "p95 < 300ms");
}

TEST_F(DescribedInChild, GivesAllMistakes) {
  EXPECT_THAT(refusal("export class Shop extends Workflow {\n  static vuss = 2;\n  home = step(['hme'], "
                      "http.get('http://127.0.0.1/'));\n}"),
              AllOf(StartsWith("shop.js has 2 mistakes\n"), HasSubstr("shop.js:3:10:"), HasSubstr("shop.js:4:")));
}

TEST_F(DescribedInChild, AFileThatIsNotThereIsSaid) {
  const auto described = described_in_child(folder_.path() + "/none.js", {}, {}, {});
  ASSERT_FALSE(described);
  EXPECT_THAT(described.error().context, AllOf(HasSubstr("none.js"), HasSubstr("No such file")));
}

TEST_F(DescribedInChild, WhatNeverEndsIsEnded) {
  const ChildLimits soon{.answer_within = 1s};
  for (const char* code : {"while (true) {}", "for (;;) try { while (true) {} } catch {} finally { continue; }",
                           // A match that backtracks is native code, and gives up after a second or so.
                           "for (let i = 0; i < 1e6; i++) /(a+)+$/.test('a'.repeat(60) + '!' + i);",
                           // Promise jobs that never come back to the engine.
                           "const then = { then(done) { done(then); } }; Promise.resolve(then);"}) {
    EXPECT_EQ(hostile(code, soon), "shop.js did not end its top-level code within 1s") << code;
  }
}

TEST_F(DescribedInChild, WhatTakesAllMemoryIsEnded) {
  const ChildLimits small{.answer_within = 60s, .resident_bytes = std::uint64_t{300} << 20};
  for (const char* code :
       {"const kept = new Array(1e9).fill(0);", "globalThis.kept = new Float64Array(3e8).sort();",
        "const kept = []; for (;;) kept.push(new Uint8Array(1 << 24).fill(1));",
        "const kept = []; for (let i = 0; i < 99; i++) kept.push('\u00e9'.repeat(2 ** 26).normalize('NFD'));"}) {
    EXPECT_EQ(hostile(code, small), "shop.js takes more than 300MiB of memory in its top-level code") << code;
  }
}

TEST_F(DescribedInChild, RecursionIsAMistake) {
  EXPECT_THAT(hostile("const f = () => f() + 1; f();"),
              AllOf(StartsWith("shop.js has 1 mistake\n"), HasSubstr("Maximum call stack size exceeded")));
}

// Native code that calls itself has a stack too.
TEST_F(DescribedInChild, DeepTextsDoNotBringItDown) {
  for (const char* code : {"JSON.parse('['.repeat(1e6));", "new RegExp('('.repeat(1e6) + ')'.repeat(1e6));",
                           "let far = []; for (let i = 0; i < 1e6; i++) far = [far]; far.flat(Infinity);"}) {
    EXPECT_THAT(hostile(code), StartsWith("shop.js has 1 mistake\n")) << code;
  }
}

TEST_F(DescribedInChild, AGetterThatThrowsIsAMistake) {
  EXPECT_THAT(refusal("export class Shop extends Workflow {\n  static get vus() { throw new Error('not today'); }\n"
                      "  home = step(http.get('http://127.0.0.1/'));\n}"),
              AllOf(StartsWith("shop.js has 1 mistake\n"), HasSubstr("not today")));
}

TEST_F(DescribedInChild, AScriptCannotEndTheProcess) {
  for (const char* code : {"process.exit(0);", "process.kill(process.pid);", "quit();", "crash();", "$vm.crash();",
                           "Deno.exit(0);", "new Worker('x.js');", "eval('1');", "Function('return this')().quit();"}) {
    EXPECT_THAT(hostile(code), StartsWith("shop.js has 1 mistake\n")) << code;
  }
}

TEST_F(DescribedInChild, AnEndlessMessageIsCut) {
  const std::string text = hostile("throw new Error('x'.repeat(5e6));");
  EXPECT_LT(text.size(), kChildErrorBytesMax + 100);
  EXPECT_THAT(text, EndsWith("..."));
}

TEST_F(DescribedInChild, BytesAreExact) {
  const auto described = describe(
      "export class Shop extends Workflow { static thresholds = ['errors<1%']; home = step(http.get('http://a/')); }");
  ASSERT_TRUE(described) << described.error().context;
  const auto bytes = encode(*described);
  ASSERT_TRUE(bytes);
  const auto decoded = decode_described_job(*bytes);
  ASSERT_TRUE(decoded) << decoded.error().context;
  EXPECT_EQ(decoded->job, described->job);
  EXPECT_EQ(decoded->thresholds.at(0).threshold.text(), "errors<1%");
  for (std::size_t size = 0; size < bytes->size(); ++size)
    EXPECT_FALSE(decode_described_job(ByteView(*bytes).first(size))) << size;
  for (std::size_t at = 0; at < bytes->size(); ++at) {
    auto changed = *bytes;
    changed[at] ^= 0x10;
    EXPECT_FALSE(decode_described_job(changed)) << at;
  }
}

}  // namespace
}  // namespace hyperscale::intake
