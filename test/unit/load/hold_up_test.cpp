// A script that holds up the loop (a long function, a collection of garbage) makes the generator late, not the target.
#include "script_harness.h"

#include <gtest/gtest.h>

namespace hyperscale::load {
namespace {

constexpr Duration kTrueTime = 100ms;  // of an answer
constexpr Duration kHeldFrom = 50ms;   // after the start
constexpr Duration kHeld = 400ms;
constexpr Duration kBound = 300ms;  // between the true time and the end of the hold-up

struct Case {
  const char* name;
  plan::HttpVersion version;
  LoopBackend backend;
};

class HoldUp : public testing::TestWithParam<Case> {
 protected:
  // User 0 holds up the loop while the answers of all others arrive.
  static results::Recorded run(bool told) {
    const auto server = start_target();
    plan::Plan plan = function_plan(server->port(), {"buy"});
    plan.http.version = GetParam().version;
    plan.load.vus = 8;
    plan.load.iterations = 8;
    return run_script(plan,
                      [&](FakeScript& script) {
                        script.on_step(0, [&script, told, port = server->port()](std::uint32_t user) {
                          if (user > 0) return waits_for_answer(script, user, port);
                          script.after(user, kHeldFrom, [&script, told, user] {
                            const MonoTime since = EventLoop::now();
                            while (EventLoop::now() < since + kHeld) continue;
                            if (told) script.events().script_held_up(since, EventLoop::now());
                            script.end_plain(user, 0);
                          });
                        });
                      },
                      {.backend = GetParam().backend})
        .result;
  }

 private:
  static void waits_for_answer(FakeScript& script, std::uint32_t user, std::uint16_t port) {
    const auto number = std::make_shared<CallNumber>(0);
    *number = script.send(user, get_of(port, "/delay/100ms"), [&script, user, number](const ScriptAnswer& answer) {
      EXPECT_GE(answer.duration, kTrueTime - 5ms);
      script.end_with_call(user, 0, *number);
    });
  }
};

// proves: HOOK-ARG-4
TEST_P(HoldUp, IsLagOfTheGeneratorAndNotTimeOfTheTarget) {
  const auto result = run(true);
  const auto& series = result.steps[0].series;
  ASSERT_EQ(series.duration.count(), 7U);
  EXPECT_GE(result.lag.max(), kHeld);
  EXPECT_GE(series.duration.min(), kTrueTime - 5ms);
  EXPECT_LT(series.duration.max(), kBound);
  EXPECT_LT(series.service.max(), kBound);
  EXPECT_LT(series.first_byte.max(), kBound);
}

// The test above can fail: without a word about the hold-up it looks like the target's.
TEST_P(HoldUp, UnreportedHoldUpCountsAsTargetTime) {
  const auto result = run(false);
  EXPECT_GE(result.steps[0].series.duration.max(), kHeldFrom + kHeld - 20ms);
  EXPECT_EQ(result.lag.count(), 0U);
}

INSTANTIATE_TEST_SUITE_P(All, HoldUp,
                         testing::Values(Case{"http1_epoll", plan::HttpVersion::kHttp1, LoopBackend::kEpoll},
                                         Case{"http1_uring", plan::HttpVersion::kHttp1, LoopBackend::kIoUring},
                                         Case{"http2_epoll", plan::HttpVersion::kHttp2, LoopBackend::kEpoll}),
                         [](const auto& info) { return info.param.name; });

// An answer that was sent long after the hold-up is not made younger than it is.
TEST(HoldUpAfterwards, AnswersThatComeLaterAreMeasuredAsEver) {
  const auto server = start_target();
  plan::Plan plan = function_plan(server->port(), {"buy"});
  plan.load.iterations = 1;
  const auto result = run_script(plan, [&](FakeScript& script) {
                        script.on_step(0, [&script, port = server->port()](std::uint32_t user) {
                          const MonoTime since = EventLoop::now();
                          while (EventLoop::now() < since + 30ms) continue;
                          script.events().script_held_up(since, EventLoop::now());
                          const auto number = std::make_shared<CallNumber>(0);
                          *number = script.send(
                              user, get_of(port, "/delay/60ms"),
                              [&script, user, number](const ScriptAnswer&) { script.end_with_call(user, 0, *number); });
                        });
                      }).result;
  EXPECT_GE(result.steps[0].series.duration.min(), 55ms);
}

}  // namespace
}  // namespace hyperscale::load
