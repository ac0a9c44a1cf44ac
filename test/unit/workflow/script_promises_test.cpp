// Promises of calls: returned twice, awaited twice, kept, settled before they are returned; and requests that repeat.
#include "noted_events.h"

#include <set>

#include <gmock/gmock.h>

namespace hyperscale::workflow {
namespace {

using load::HookEnd;
using testing::ElementsAre;
using testing::HasSubstr;

using ScriptPromises = ScriptStepsWorld;

TEST_F(ScriptPromises, TwoHooksMayReturnTheSamePromise) {
  ASSERT_EQ(open(script_plan("a = step(http, ({ client }) => this.p = client.http.get('http://t/1'));\n"
                             "b = step(http, () => this.p);",
                             {"a", "b"})),
            "");
  iterate();
  begin_step(0);
  begin_step(1);
  ASSERT_EQ(events_.calls.size(), 1U);
  answer(events_.calls[0].number, 200);
  ASSERT_EQ(events_.ends.size(), 2U);
  for (const HookEnd& end : events_.ends) {
    EXPECT_EQ(end.result, HookEnd::Result::kResponse) << end.text;
    EXPECT_EQ(end.call, events_.calls[0].number);
  }
}

TEST_F(ScriptPromises, LaterHookMayReturnCallOfEarlierHook) {
  ASSERT_EQ(open(script_plan("a = step(({ client }) => { this.p = client.http.get('http://t/1'); });\n"
                             "b = step(http, () => this.p); c = step(http, () => this.p);",
                             {"a", "b", "c"})),
            "");
  iterate();
  begin_step(0);
  begin_step(1);
  begin_step(2);
  answer(events_.calls.at(0).number, 200);
  EXPECT_THAT(events_.log,
              ElementsAre("call 0 http://t/1", "step 0 of 0 plain", "step 1 of 0 response", "step 2 of 0 response"));
}

TEST_F(ScriptPromises, APromiseThatIsSettledMayBeReturned) {
  ASSERT_EQ(open(script_plan("a = step(({ client }) => { this.p = client.http.get('http://t/1'); return this.p.then(() "
                             "=> 1); });\nb = step(http, () => this.p);",
                             {"a", "b"})),
            "");
  iterate();
  begin_step(0);
  answer(events_.calls.at(0).number, 200);
  begin_step(1);
  EXPECT_THAT(events_.log, ElementsAre("call 0 http://t/1", "step 0 of 0 plain", "step 1 of 0 response"));
}

TEST_F(ScriptPromises, TheSameCallMayBeAwaitedTwice) {
  ASSERT_EQ(
      open(script_plan("a = step(http, async ({ client }) => { const p = client.http.get('http://t/1'); const x = "
                       "await p; const y = await p; if (x !== y) throw new Error('two'); return p; });",
                       {"a"})),
      "");
  iterate();
  begin_step(0);
  answer(events_.calls.at(0).number, 200);
  EXPECT_EQ(events_.ends.at(0).result, HookEnd::Result::kResponse) << events_.ends[0].text;
}

TEST_F(ScriptPromises, PromiseOfEarlierIterationFailsTheHook) {
  ASSERT_EQ(
      open(script_plan("a = step(({ client }) => { this.p = this.p || client.http.get('http://t/1'); return 1; });\n"
                       "b = step(http, () => this.p);",
                       {"a", "b"})),
      "");
  iterate();
  begin_step(0);
  iterate(1);
  begin_step(1);
  ASSERT_EQ(events_.ends.size(), 2U);
  EXPECT_EQ(events_.ends[1].result, HookEnd::Result::kFailed);
  EXPECT_THAT(events_.ends[1].text, HasSubstr("nothing is going to settle"));
}

TEST_F(ScriptPromises, AResponseOfAnEarlierIterationIsNoResult) {
  ASSERT_EQ(
      open(script_plan("a = step(http, async ({ client }) => this.r = this.r || await client.http.get('http://t/1'));",
                       {"a"})),
      "");
  iterate();
  begin_step(0);
  answer(events_.calls.at(0).number, 200);
  iterate(1);
  begin_step(0);
  ASSERT_EQ(events_.ends.size(), 2U);
  EXPECT_EQ(events_.ends[1].result, HookEnd::Result::kFailed);
  EXPECT_THAT(events_.ends[1].text, HasSubstr("of its own iteration"));
}

TEST_F(ScriptPromises, RacesEndWithTheFirstAnswer) {
  ASSERT_EQ(open(script_plan("a = step(http, ({ client }) => Promise.race([client.http.get('http://t/1'), "
                             "client.http.get('http://t/2')]));",
                             {"a"})),
            "");
  iterate();
  begin_step(0);
  answer(events_.calls.at(1).number, 200);
  EXPECT_EQ(events_.ends.at(0).call, events_.calls[1].number);
  answer(events_.calls.at(0).number, 200);
  EXPECT_EQ(events_.ends.size(), 1U);
}

// --- requests that repeat ---

TEST_F(ScriptPromises, TheSameUrlIsTheSameRequest) {
  ASSERT_EQ(open(script_plan("a = step(({ client }) => { for (let i = 0; i < 3; i++) client.http.get('http://t/1'); "
                             "client.http.post('http://t/1'); group('g', client).http.get('http://t/1'); "
                             "client.http.get('http://t/1', { headers: { a: 'b' } }); });",
                             {"a"})),
            "");
  iterate();
  begin_step(0);
  ASSERT_EQ(events_.calls.size(), 6U);
  const auto& calls = events_.calls;
  EXPECT_EQ(calls[1].what, calls[0].what);
  EXPECT_EQ(calls[2].what, calls[0].what);
  EXPECT_TRUE(calls[0].what->repeats);
  EXPECT_NE(calls[3].what, calls[0].what);
  EXPECT_EQ(calls[3].what->request.method, "POST");
  EXPECT_NE(calls[4].what, calls[0].what);
  EXPECT_EQ(calls[4].what->label, "g");
  EXPECT_NE(calls[5].what, calls[0].what);
  EXPECT_FALSE(calls[5].what->repeats);
}

TEST_F(ScriptPromises, ARelativeUrlIsThatOfItsWorkflow) {
  ASSERT_EQ(open(script_plan("static baseUrl = 'http://t'; a = step(({ client }) => { client.http.get('/x'); "
                             "client.http.get('/x'); });",
                             {"a"})),
            "");
  iterate();
  begin_step(0);
  EXPECT_THAT(events_.log, ElementsAre("call 0 http://t/x", "call 0 http://t/x", "step 0 of 0 plain"));
}

TEST_F(ScriptPromises, MoreUrlsThanAreKnownAreSentAllTheSame) {
  ASSERT_EQ(open(script_plan("a = step(({ client }) => { for (let round = 0; round < 2; round++) for (let i = 0; i < "
                             "1100; i++) client.http.get(`http://t/${i}`); });",
                             {"a"})),
            "");
  iterate();
  begin_step(0);
  run_until_ends(1);
  ASSERT_EQ(events_.calls.size(), 2200U);
  std::set<load::CallNumber> numbers;
  for (std::size_t i = 0; i < events_.calls.size(); ++i) {
    numbers.insert(events_.calls[i].number);
    ASSERT_EQ(events_.calls[i].what->request.url, fmt::format("http://t/{}", i % 1100));
  }
  EXPECT_EQ(numbers.size(), 2200U);
}

TEST_F(ScriptPromises, AUrlThatIsNoneIsAnErrorEachTime) {
  ASSERT_EQ(open(script_plan("a = step(http, async ({ client }) => client.http.get('no url'));", {"a"})), "");
  for (std::uint64_t round = 0; round < 2; ++round) {
    iterate(round);
    begin_step(0);
    EXPECT_EQ(events_.ends.at(round).result, HookEnd::Result::kFailed);
    EXPECT_TRUE(events_.calls.empty());
  }
}

}  // namespace
}  // namespace hyperscale::workflow
