// Iterations with more calls than there are numbers for at once.
#include "script_world.h"

#include <gmock/gmock.h>

namespace hyperscale::workflow {
namespace {

using testing::HasSubstr;

class ScriptManyCallsTest : public ScriptWorld {
 protected:
  // Answers one call after the other, as long as the function goes on.
  std::string answer_all(UserSlot slot) {
    std::string ended = begin(slot, "a");
    for (std::size_t answered = 0; ended == "waiting" && answered < host_.calls.size(); ++answered) {
      ended = shown(runtime_->settle(host_.calls[answered].first, ok()));
      most_open_ = std::max(most_open_, runtime_->open_calls());
      if (answered % 10000 == 0) runtime_->engine().collect_garbage();
    }
    return ended;
  }

  static ScriptResponse ok() {
    ScriptResponse response;
    response.status = 200;
    response.body = "0123456789";
    return response;
  }

  std::size_t most_open_ = 0;
};

TEST_F(ScriptManyCallsTest, AnswersThatWereLetGoAreFreed) {
  ASSERT_EQ(open_shop("a = step(http, async ({ client }) => { let r; for (let i = 0; i < 60000; i++) r = await "
                      "client.http.get('http://t/'); return r; })"),
            "");
  EXPECT_THAT(answer_all(user()), HasSubstr("response"));
  EXPECT_EQ(host_.calls.size(), 60000U);
  EXPECT_LT(most_open_, 40000U);
  EXPECT_GT(host_.forgotten, 20000U);
}

TEST_F(ScriptManyCallsTest, AnswersThatAreKeptCanBeRead) {
  ASSERT_EQ(open_shop("a = step(http, async ({ client }) => { const all = []; for (let i = 0; i < 20000; i++) "
                      "all.push(await client.http.get('http://t/')); let bytes = 0; for (const r of all) bytes += "
                      "r.body.length; console.log(bytes); return all[0]; })"),
            "");
  EXPECT_THAT(answer_all(user()), HasSubstr("response"));
  EXPECT_EQ(host_.log, "200000\n");
  EXPECT_EQ(host_.forgotten, 0U);
}

TEST_F(ScriptManyCallsTest, ACallBeyondTheLimitThrows) {
  RuntimeOptions options;
  options.open_calls_max = 100;
  ASSERT_EQ(open_shop("a = step(http, async ({ client }) => { const all = []; for (;;) all.push(await "
                      "client.http.get('http://t/')); })",
                      options),
            "");
  const UserSlot ada = user(0, 2);
  EXPECT_THAT(answer_all(ada), HasSubstr("hold 100 calls and answers, the most that they may"));
  EXPECT_EQ(host_.calls.size(), 100U);
  // What it held is free again after its iteration.
  runtime_->end_iteration(ada);
  EXPECT_EQ(runtime_->open_calls(), 0U);
  host_.calls.clear();
  EXPECT_EQ(begin(user(1, 2), "a"), "waiting");
}

}  // namespace
}  // namespace hyperscale::workflow
