// Calls that functions make: at once, one inside the other, redirected, refused, forgotten.
#include "load/script_calls.h"

#include "script_harness.h"

#include <gmock/gmock.h>

namespace hyperscale::load {
namespace {

using results::Outcome;
using testing::HasSubstr;

// A step that makes `count` calls at once and returns the last one that is answered.
void sends_at_once(FakeScript& script, std::uint16_t port, std::uint32_t count, const std::string& path) {
  script.on_step(0, [&script, port, count, path](std::uint32_t user) {
    const auto left = std::make_shared<std::uint32_t>(count);
    for (std::uint32_t i = 0; i < count; ++i) {
      const auto number = std::make_shared<CallNumber>(0);
      *number = script.send(user, get_of(port, path), [&script, user, left, number](const ScriptAnswer&) {
        if (--*left == 0) script.end_with_call(user, 0, *number);
      });
    }
  });
}

TEST(ScriptCalls, CallsAtOnceRunAtOnce) {
  const auto server = start_target();
  plan::Plan plan = function_plan(server->port(), {"buy"});
  plan.load.iterations = 3;
  const auto run =
      run_script(plan, [&](FakeScript& script) { sends_at_once(script, server->port(), 10, "/delay/20ms"); });
  EXPECT_EQ(server->counters().requests, 30U);
  EXPECT_EQ(run.result.total_counts().requests(), 30U);
  EXPECT_EQ(run.result.steps[0].counts.requests(), 3U);
  ASSERT_EQ(run.result.steps.size(), 2U);
  EXPECT_EQ(run.result.steps[1].name, "GET /delay/20ms");
  EXPECT_GE(run.result.steps[1].series.duration.min(), 20ms);
  EXPECT_EQ(run.result.steps[1].series.ok.count(), 27U);
  EXPECT_LT(run.took, 20ms * 15) << "ten calls of 20 ms each, three times, one after the other would be 600 ms";
}

TEST(ScriptCalls, Http2CarriesThemOnOneConnection) {
  const auto server = start_target();
  plan::Plan plan = function_plan(server->port(), {"buy"});
  plan.http.version = plan::HttpVersion::kHttp2;
  plan.load.iterations = 3;
  const auto run =
      run_script(plan, [&](FakeScript& script) { sends_at_once(script, server->port(), 10, "/delay/20ms"); });
  EXPECT_EQ(server->counters().requests, 30U);
  EXPECT_EQ(server->counters().connections, 1U);
  EXPECT_EQ(run.result.total_counts().errors(), 0U);
  EXPECT_EQ(run.result.total_counts().requests(), 30U);
}

TEST(ScriptCalls, TooManyConcurrentCallsAreRefused) {
  const auto server = start_target();
  plan::Plan plan = function_plan(server->port(), {"buy"});
  plan.http.version = plan::HttpVersion::kHttp2;
  plan.load.iterations = 1;
  std::vector<std::string> errors;
  const auto run = run_script(plan, [&](FakeScript& script) {
    script.on_step(0, [&](std::uint32_t user) {
      const auto left = std::make_shared<std::uint32_t>(kCallsAtOnceMax + 3);
      for (std::uint32_t i = 0; i < kCallsAtOnceMax + 3; ++i) {
        const auto number = std::make_shared<CallNumber>(0);
        *number = script.send(user, get_of(server->port(), "/"), [&, user, left, number](const ScriptAnswer& answer) {
          if (!answer.error.empty()) errors.push_back(answer.error);
          if (--*left == 0) script.end_with_call(user, 0, *number);
        });
      }
    });
  });
  EXPECT_THAT(errors, testing::Each("a user cannot have more than 256 calls at once"));
  EXPECT_EQ(errors.size(), 3U);
  EXPECT_EQ(server->counters().requests, kCallsAtOnceMax);
  EXPECT_EQ(run.result.iterations, 1U);
}

// What a function makes of an answer that says "not sent" is its own affair, also to return it.
// proves: HOOK-7
TEST(ScriptCalls, AStepMayReturnACallThatCouldNotBeSent) {
  plan::Plan plan = function_plan(1, {"buy"});
  plan.load.iterations = 2;
  const auto run = run_script(plan, [&](FakeScript& script) {
    auto bad = get_of(1, "/");
    bad->request.headers = {{.name = "X", .value = "a\r\nb"}};
    script.step_sends(0, bad);
  });
  EXPECT_EQ(run.result.steps[0].counts.errors(), 2U);
  ASSERT_FALSE(run.result.steps[0].failures.empty());
  EXPECT_THAT(run.result.steps[0].failures[0].message, HasSubstr("X"));
}

// A function can return what another step got, or what it has kept from an earlier iteration.
// proves: HOOK-7
TEST(ScriptCalls, StepThatReturnsForeignCallFails) {
  const auto server = start_target();
  plan::Plan plan = function_plan(server->port(), {"buy"});
  plan.load.iterations = 3;
  const auto run = run_script(plan, [&](FakeScript& script) {
    const auto first = std::make_shared<CallNumber>(0);
    script.on_step(0, [&script, first, port = server->port()](std::uint32_t user) {
      if (*first != 0) return script.end_with_call(user, 0, *first);
      *first = script.send(user, get_of(port, "/"),
                           [&script, user, first](const ScriptAnswer&) { script.end_with_call(user, 0, *first); });
    });
  });
  EXPECT_EQ(count_of(run.result.steps[0], Outcome::kOk), 1U);
  EXPECT_EQ(count_of(run.result.steps[0], Outcome::kScript), 2U);
  EXPECT_THAT(run.result.steps[0].failures.at(0).message, HasSubstr("no function of this iteration has asked for"));
}

TEST(ScriptCalls, AHostWithoutAnAddressIsAnErrorOfTheCall) {
  plan::Plan plan = function_plan(1, {"buy"});
  plan.load.iterations = 2;
  const auto run = run_script(plan, [&](FakeScript& script) {
    auto request = std::make_shared<ScriptedRequest>();
    request->request.url = "http://nowhere.test/";
    script.step_sends(0, request);
  });
  EXPECT_EQ(count_of(run.result.steps[0], Outcome::kDns), 2U);
  EXPECT_THAT(run.result.steps[0].failures.at(0).message, HasSubstr("nowhere.test"));
  EXPECT_EQ(run.result.iterations, 2U);
}

TEST(ScriptCalls, InstantlyFailingCallsDoNotAffectOtherUsers) {
  plan::Plan plan = function_plan(1, {"buy"});
  plan.load.vus = 50;
  plan.load.iterations = 50;
  const auto run = run_script(plan, [&](FakeScript& script) {
    script.on_step(0, [&script](std::uint32_t user) {
      auto request = std::make_shared<ScriptedRequest>();
      request->request.url = "http://nowhere.test/";
      // The answer comes inside start(), and with it the next call.
      script.send(user, request, [&script, user, request](const ScriptAnswer&) {
        const auto number = std::make_shared<CallNumber>(0);
        *number = script.send(user, request,
                              [&script, user, number](const ScriptAnswer&) { script.end_with_call(user, 0, *number); });
      });
    });
  });
  EXPECT_EQ(count_of(run.result.steps[0], Outcome::kDns), 50U);
  EXPECT_EQ(count_of(run.result.steps.at(1), Outcome::kDns), 50U);
}

TEST(ScriptCalls, RedirectsInsideACallAreOneSample) {
  const auto server = start_target();
  plan::Plan plan = function_plan(server->port(), {"buy"});
  plan.load.iterations = 1;
  const auto once = run_script(plan, [&](FakeScript& script) { script.step_sends(0, get_of(server->port(), "/")); });
  std::string head;
  const auto run = run_script(plan, [&](FakeScript& script) {
    script.on_step(0, [&](std::uint32_t user) {
      const auto number = std::make_shared<CallNumber>(0);
      *number = script.send(user, get_of(server->port(), "/redirect/3"), [&, user, number](const ScriptAnswer& answer) {
        head = answer.head;
        EXPECT_THAT(answer.request->url, HasSubstr("/redirect/0"));
        script.end_with_call(user, 0, *number);
      });
    });
  });
  const auto& step = run.result.steps[0];
  EXPECT_EQ(step.counts.requests(), 4U) << "as the server counts them";
  EXPECT_EQ(step.counts.concluded(), 1U);
  EXPECT_EQ(step.counts.redirects_followed, 3U);
  EXPECT_EQ(step.counts.connections_opened, 1U);
  EXPECT_EQ(step.series.duration.count(), 1U);
  EXPECT_EQ(step.series.service.count(), 1U);
  EXPECT_EQ(step.series.connect.count(), 1U);
  EXPECT_GT(step.counts.bytes_sent, 3 * once.result.steps[0].counts.bytes_sent);
  EXPECT_GT(step.counts.bytes_received, 3 * once.result.steps[0].counts.bytes_received / 2);
  EXPECT_LE(step.series.service.max() + step.series.connect.max(), step.series.duration.max() + 1us);
  EXPECT_THAT(head, testing::Not(HasSubstr("location\n"))) << "the head is that of the last answer";
  EXPECT_EQ(run.result.steps.size(), 1U) << "the step returned the only call";
}

TEST(ScriptCalls, EachCallHasItsOwnTimeout) {
  const auto server = start_target();
  plan::Plan plan = function_plan(server->port(), {"slow", "fine"});
  plan.load.iterations = 1;
  const auto run = run_script(plan, [&](FakeScript& script) {
    const auto slow = get_of(server->port(), "/delay/5s");
    slow->timeout = 50ms;
    script.on_step(0, [&script, slow](std::uint32_t user) {
      const auto number = std::make_shared<CallNumber>(0);
      *number = script.send(user, slow, [&script, user, number](const ScriptAnswer& answer) {
        EXPECT_EQ(answer.status, 0);
        EXPECT_EQ(answer.error, "no answer within the timeout of 50ms");
        script.end_with_call(user, 0, *number);
      });
    });
  });
  EXPECT_EQ(count_of(run.result.steps[0], Outcome::kFirstByteTimeout), 1U);
  EXPECT_LT(run.took, 2s);
  EXPECT_EQ(run.result.steps[1].counts.requests(), 0U) << "it depends on an answer that did not come";
}

TEST(ScriptCalls, WhatACallExpectsDecidesWhatItsStepIs) {
  const auto server = start_target();
  plan::Plan plan = function_plan(server->port(), {"buy"});
  plan.load.iterations = 1;
  const auto request = get_of(server->port(), "/status/404");
  request->expect.statuses = {404};
  EXPECT_EQ(run_script(plan, [&](FakeScript& script) { script.step_sends(0, request); }).result.total_counts().errors(),
            0U);
  request->expect = {.statuses = {}, .body_contains = "no such text"};
  request->request.url = get_of(server->port(), "/")->request.url;
  const auto run = run_script(plan, [&](FakeScript& script) { script.step_sends(0, request); });
  EXPECT_EQ(count_of(run.result.steps[0], Outcome::kBodyMismatch), 1U);
}

TEST(ScriptCalls, AbandonedCallIsCountedButNotDelivered) {
  const auto server = start_target();
  plan::Plan plan = function_plan(server->port(), {"buy"});
  plan.load.iterations = 5;
  const auto run = run_script(plan, [&](FakeScript& script) {
    script.on_step(0, [&script, port = server->port()](std::uint32_t user) {
      script.send(user, get_of(port, "/delay/30ms"),
                  [](const ScriptAnswer&) { ADD_FAILURE() << "of an iteration that is over"; });
      const auto number = std::make_shared<CallNumber>(0);
      *number = script.send(user, get_of(port, "/delay/20ms"),
                            [&script, user, number](const ScriptAnswer&) { script.end_with_call(user, 0, *number); });
    });
  });
  EXPECT_EQ(run.result.iterations, 5U);
  EXPECT_EQ(run.let_go.size(), 5U);
  EXPECT_EQ(run.result.steps[0].counts.requests(), 5U);
  EXPECT_LT(run.result.steps[0].series.duration.max(), 500ms);
  EXPECT_EQ(run.result.total_counts().requests(), server->counters().requests) << "also the last one";
  EXPECT_EQ(run.result.steps.at(1).counts.requests(), 5U);
}

TEST(ScriptCalls, AStrayCallIsCutWithTheGracefulStop) {
  const auto server = start_target();
  plan::Plan plan = function_plan(server->port(), {"buy"});
  plan.load.iterations = 2;
  plan.load.graceful_stop = 50ms;
  const auto run = run_script(plan, [&](FakeScript& script) {
    script.on_step(0, [&script, port = server->port()](std::uint32_t user) {
      script.send(user, get_of(port, "/never"));
      const auto number = std::make_shared<CallNumber>(0);
      *number = script.send(user, get_of(port, "/"),
                            [&script, user, number](const ScriptAnswer&) { script.end_with_call(user, 0, *number); });
    });
  });
  EXPECT_EQ(run.result.iterations_ok(), 2U);
  EXPECT_EQ(count_of(run.result.steps.at(1), Outcome::kCut), 2U);
  EXPECT_LT(run.took, 2s);
}

TEST(ScriptCalls, EveryCallHasARow) {
  const auto server = start_target();
  plan::Plan plan = function_plan(server->port(), {"buy"});
  plan.load.iterations = 2;
  const auto named = get_of(server->port(), "/delay/5ms?item=1");
  named->label = "search";
  named->tags = {{.name = "area", .value = "shop"}};
  const auto run = run_script(plan, [&](FakeScript& script) {
    script.on_step(0, [&script, named, port = server->port()](std::uint32_t user) {
      const auto left = std::make_shared<int>(3);
      for (const auto& request : {named, get_of(port, "/status/200?x=1"), get_of(port, "/redirect/2")})
        script.send(user, request, [&script, user, left](const ScriptAnswer&) {
          if (--*left == 0) script.end_plain(user, 0);
        });
    });
  });
  EXPECT_EQ(run.result.total_counts().requests(), server->counters().requests);
  std::map<std::string, std::uint64_t> rows;
  for (const auto& step : run.result.steps) rows[step.name] = step.counts.requests();
  EXPECT_EQ(rows, (std::map<std::string, std::uint64_t>{
                      {"buy", 0}, {"search", 2}, {"GET /status/200", 2}, {"GET /redirect/2", 6}}));
  EXPECT_EQ(run.result.steps.at(1).tags.at("area"), "shop");
}

TEST(ScriptCalls, ALabelMakesASeriesOfItsOwn) {
  const auto server = start_target();
  plan::Plan plan = function_plan(server->port(), {"buy"});
  plan.load.iterations = 4;
  const auto named = get_of(server->port(), "/");
  named->label = "pay";
  named->tags = {{.name = "kind", .value = "card"}};
  named->repeats = true;
  const auto run = run_script(plan, [&](FakeScript& script) { script.step_sends(0, named); });
  ASSERT_EQ(run.result.steps.size(), 2U);
  EXPECT_EQ(run.result.steps[0].counts.requests(), 0U);
  EXPECT_EQ(run.result.steps[1].name, "pay");
  EXPECT_TRUE(run.result.steps[1].named);
  EXPECT_EQ(run.result.steps[1].tags.at("kind"), "card");
  EXPECT_EQ(run.result.steps[1].counts.requests(), 4U);
  EXPECT_EQ(run.result.steps[1].counts.connections_opened, 1U);
}

// Requests that repeat are prepared once; those beyond the limit, and those that do not, are sent all the same.
TEST(ScriptCalls, MoreRequestsThanAreKeptAreSentAllTheSame) {
  const auto server = start_target();
  plan::Plan plan = function_plan(server->port(), {"buy"});
  plan.load.iterations = kPreparedCallsMax + 200;
  const auto run = run_script(plan, [&](FakeScript& script) {
    const auto sent = std::make_shared<std::uint32_t>(0);
    script.on_step(0, [&script, sent, port = server->port()](std::uint32_t user) {
      const auto request = get_of(port, "/?" + std::to_string(++*sent));
      request->repeats = true;
      const auto number = std::make_shared<CallNumber>(0);
      *number = script.send(user, request,
                            [&script, user, number](const ScriptAnswer&) { script.end_with_call(user, 0, *number); });
    });
  });
  EXPECT_EQ(run.result.total_counts().requests(), kPreparedCallsMax + 200);
  EXPECT_EQ(run.result.total_counts().errors(), 0U);
}

TEST(ScriptCalls, APackedBodyIsUnpackedForTheFunction) {
  const auto server = start_target();
  plan::Plan plan = function_plan(server->port(), {"buy"});
  plan.load.iterations = 1;
  std::string body;
  run_script(plan, [&](FakeScript& script) {
    const auto request = get_of(server->port(), "/gzip/2KiB");
    request->request.headers = {{.name = "Accept-Encoding", .value = "gzip"}};
    script.on_step(0, [&, request](std::uint32_t user) {
      const auto number = std::make_shared<CallNumber>(0);
      *number = script.send(user, request, [&, user, number](const ScriptAnswer& answer) {
        body = answer.body;
        EXPECT_FALSE(answer.body_cut);
        script.end_with_call(user, 0, *number);
      });
    });
  });
  EXPECT_EQ(body.size(), 2048U);
  EXPECT_THAT(body, HasSubstr("0123456789abc"));
}

}  // namespace
}  // namespace hyperscale::load
