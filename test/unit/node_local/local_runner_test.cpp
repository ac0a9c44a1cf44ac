#include "node/local/local_runner.h"

#include "node/executors/machine_limits.h"
#include "plan/fleet/slots.h"
#include "scripted_executor.h"
#include "scripted_run.h"

#include <algorithm>
#include <array>
#include <csignal>
#include <memory>
#include <set>
#include <sstream>

#include <fcntl.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

namespace hyperscale::node {
namespace {

using testing::HasSubstr;

plan::Plan& plan_of(RunRequest& request) {
  return request.job.workflows.front().plan;
}

results::RunResult result_of(const RunRequest& request) {
  auto end = run(request);
  EXPECT_TRUE(end) << (end ? "" : end.error().context);
  return end ? std::move(end->result) : results::RunResult();
}

// proves: LOCAL-1, LOCAL-2, LOCAL-5, LOCAL-4
TEST(LocalRunner, RunsPlanOnLocalExecutorsAndMergesShares) {
  RunRequest request = scripted_run("steady");
  request.executors = 3;  // more than there may be cores
  plan_of(request).load.iterations = 101;
  const results::RunResult result = result_of(request);
  EXPECT_EQ(result.total_counts().requests(), 101U);
  EXPECT_EQ(result.iterations, 101U);
  EXPECT_EQ(result.total_series().duration.count(), 101U);
  EXPECT_EQ(result.total_counts().statuses.at(200), 101U);
  EXPECT_EQ(result.vus_max, 10U);
  EXPECT_EQ(result.executors.size(), 3U);
  EXPECT_FALSE(result.partial);
  EXPECT_FALSE(result.interrupted);
  EXPECT_EQ(result.target, "http://127.0.0.1/x");
  EXPECT_EQ(result.protocol, "HTTP/1.1");
  EXPECT_EQ(result.load_description, "10 users, 101 iterations");
  EXPECT_GT(result.started.ns(), 0);
  EXPECT_GT(result.elapsed, 25ms) << "one request per millisecond and executor";
  std::uint64_t in_windows = 0;
  for (const results::Window& window : result.windows) in_windows += window.requests;
  EXPECT_EQ(in_windows, 101U);
}

// proves part: LOCAL-6 (name, mode, timeout, tags of one workflow; not: tags of several kept apart in results)
TEST(LocalRunner, TakesNameTagsModeAndTimeout) {
  RunRequest request = scripted_run("steady");
  request.name = "nightly";
  request.tags = {{"team", "core"}};
  plan_of(request).tags = {{"branch", "main"}};
  request.timeout = 30ms;
  const results::RunResult result = result_of(request);
  EXPECT_EQ(result.name, "nightly");
  EXPECT_EQ(result.tags, (std::map<std::string, std::string>{{"branch", "main"}, {"team", "core"}}));
  EXPECT_TRUE(result.interrupted) << "the plan has no end of its own";
  EXPECT_THAT(result.warnings, testing::Contains(HasSubstr("time limit of 30ms")));
  EXPECT_GT(result.total_counts().requests(), 0U);
  EXPECT_LT(result.elapsed, 900ms) << "the limit is not only looked at once a second";
}

// proves: LOCAL-4
// proves part: LOCAL-6 (name, mode, timeout, tags of one workflow; not: tags of several kept apart in results)
TEST(LocalRunner, TheModeDecidesWhatIsShownMeanwhile) {
  for (const UiMode mode : {UiMode::kNone, UiMode::kFull}) {
    RunRequest request = scripted_run("deaf");
    request.ui = mode;
    plan_of(request).load.duration = 600ms;
    testing::internal::CaptureStderr();
    result_of(request);
    const std::string shown = testing::internal::GetCapturedStderr();
    EXPECT_EQ(shown.empty(), mode == UiMode::kNone) << shown;
  }
}

// proves part: HOOK-ARG-3 (plain requests; not the arguments of functions)
TEST(LocalRunner, NothingStartsBeforeEveryExecutorIsPrepared) {
  const results::RunResult result = result_of(scripted_run("prepares slowly"));
  ASSERT_EQ(result.steps.at(0).failures.size(), 1U);
  EXPECT_EQ(result.steps[0].failures[0].message, "made before the start");
  EXPECT_EQ(result.steps[0].failures[0].count, 2U);
}

// The descriptors are standard input, output and error, the socketpair, the three regions and the numbers of
// iterations: there is no port.
// proves: LOCAL-4, EXEC-VU-1
TEST(LocalRunner, ExecutorsGetOnlyTheirOwnDescriptors) {
  RunRequest request = scripted_run("describes");
  plan_of(request).load.vus = 11;
  const results::RunResult result = result_of(request);
  std::set<std::string> messages;
  for (const results::Failure& failure : result.steps.at(0).failures) messages.insert(failure.message);
  // Eight is the loop's epoll descriptor, made after the start.
  EXPECT_THAT(messages, testing::ElementsAre("descriptors 0,1,2,3,4,5,6,7,8 cores 1 users 5 from 0 no_new_privs 1",
                                             "descriptors 0,1,2,3,4,5,6,7,8 cores 1 users 6 from 5 no_new_privs 1"));
}

// proves: LOCAL-2
TEST(LocalRunner, KilledExecutorIsReplacedOnceWithoutLoss) {
  RunRequest request = scripted_run("dies once");
  plan_of(request).load.iterations = 60;
  const results::RunResult result = result_of(request);
  EXPECT_EQ(result.total_counts().requests(), 60U);
  EXPECT_FALSE(result.partial);
  ASSERT_EQ(result.executors.size(), 2U);
  EXPECT_EQ(result.executors[0].end, results::ExecutorEnd::kRestarted);
  EXPECT_THAT(result.executors[0].message, HasSubstr("killed by signal 9 after "));
  EXPECT_THAT(result.executors[0].message,
              HasSubstr(" s with 5 users busy, whose requests in flight are not counted; "));
  EXPECT_THAT(result.executors[0].message, HasSubstr("its share was started again"));
  EXPECT_EQ(result.executors[1].end, results::ExecutorEnd::kFinished);
  EXPECT_EQ(result.vus_max, 10U) << "a successor's users are not additional ones";
}

// Keeps what a run reports; outlives it.
struct Taken {
  results::RunFacts facts;
  std::uint64_t samples = 0;
  std::set<std::string> steps;
  std::set<std::uint32_t> executors;
  Duration last{};  // since the start
};

class SampleTaker final : public report::Reporter {
 public:
  explicit SampleTaker(std::shared_ptr<Taken> taken) : taken_(std::move(taken)) {}
  std::string name() const override { return "taker"; }
  bool wants_samples() const override { return true; }
  Status begin(const results::RunFacts& facts) override {
    taken_->facts = facts;
    return {};
  }
  Status samples(const report::SampleSpan& span) override {
    taken_->samples += span.samples.size();
    taken_->executors.insert(span.source->executor);
    for (const stream::Sample& sample : span.samples) {
      taken_->steps.insert(span.source->steps.at(sample.step));
      taken_->last = std::max(taken_->last, sample.ended - span.source->started);
    }
    return {};
  }

 private:
  const std::shared_ptr<Taken> taken_;
};

TEST(LocalRunner, ReportersGetEverySampleOfEveryExecutor) {
  const auto taken = std::make_shared<Taken>();
  RunRequest request = scripted_run("steady");
  plan_of(request).load.iterations = 200;
  request.redactor = Redactor({"stea"});
  request.add_reporters = [taken](report::ReportQueue& to) {
    to.add(std::make_unique<SampleTaker>(taken));
    return Status();
  };
  const results::RunResult result = result_of(request);
  EXPECT_EQ(taken->samples, 200U);
  EXPECT_THAT(taken->executors, testing::ElementsAre(0, 1));
  EXPECT_THAT(taken->steps, testing::ElementsAre("***dy")) << "without the secrets of the run";
  EXPECT_GT(taken->last, 99ms);
  EXPECT_LE(taken->last, result.elapsed + 5ms);
  EXPECT_THAT(result.warnings, testing::Not(testing::Contains(HasSubstr("samples"))));
}

// The frame that a killed executor was filling is lost.
TEST(LocalRunner, SamplesOfAKilledExecutorAreReadOrCounted) {
  const auto taken = std::make_shared<Taken>();
  RunRequest request = scripted_run("dies once");
  plan_of(request).load.iterations = 60;
  request.add_reporters = [taken](report::ReportQueue& to) {
    to.add(std::make_unique<SampleTaker>(taken));
    return Status();
  };
  const results::RunResult result = result_of(request);
  EXPECT_EQ(result.total_counts().requests(), 60U);
  ASSERT_LT(taken->samples, 60U) << "no frame was unfinished";
  const std::string warning = fmt::format("taker: {} samples are missing.", 60 - taken->samples);
  EXPECT_THAT(result.warnings, testing::Contains(warning).Times(1));
}

// proves: LOCAL-2
TEST(LocalRunner, SecondDeathLosesShareButKeepsRecords) {
  RunRequest request = scripted_run("dies always");
  plan_of(request).load.iterations = 60;
  const results::RunResult result = result_of(request);
  EXPECT_EQ(result.total_counts().requests(), 30 + 2 * kBeforeDeath);
  EXPECT_TRUE(result.partial);
  EXPECT_EQ(result.executors[0].end, results::ExecutorEnd::kLost);
  EXPECT_THAT(result.executors[0].message, HasSubstr("the rest of its share is lost"));
}

TEST(LocalRunner, ARefusalIsTheErrorOfTheRun) {
  const auto end = run(scripted_run("refuses"));
  ASSERT_FALSE(end);
  EXPECT_EQ(end.error().context, "this plan cannot run here");
}

TEST(LocalRunner, AProgramThatCannotBeStartedIsAnError) {
  RunRequest request = scripted_run("steady");
  request.program = "/nonexistent/hyperscale";
  const auto end = run(request);
  ASSERT_FALSE(end);
  EXPECT_THAT(end.error().context, HasSubstr("cannot start /nonexistent/hyperscale"));
}

TEST(LocalRunner, OneSignalStopsInOrder) {
  auto end = run(scripted_run("interrupts"));
  ASSERT_TRUE(end) << end.error().context;
  EXPECT_TRUE(end->result.interrupted);
  EXPECT_FALSE(end->aborted);
  EXPECT_FALSE(end->result.partial);
  EXPECT_GE(end->result.total_counts().requests(), kBeforeDeath);
}

TEST(LocalRunner, SecondSignalStopsAtOnceAndKeepsRecords) {
  RunRequest request = scripted_run("interrupts twice");
  request.executors = 1;  // another one might not have told its users yet
  auto end = run(request);
  ASSERT_TRUE(end) << end.error().context;
  EXPECT_TRUE(end->aborted);
  EXPECT_TRUE(end->result.interrupted);
  EXPECT_THAT(end->result.warnings, testing::Contains(HasSubstr("10 requests that were in flight are not counted")));
  EXPECT_GE(end->result.total_counts().requests(), kBeforeDeath);
}

TEST(LocalRunner, AHangUpThatComesTwiceStillStopsInOrder) {
  std::signal(SIGHUP, SIG_DFL);  // whoever runs the tests may have it ignored, and a run then does so too
  auto end = run(scripted_run("hangs up twice"));
  ASSERT_TRUE(end) << end.error().context;
  EXPECT_TRUE(end->result.interrupted);
  EXPECT_FALSE(end->aborted);
  EXPECT_THAT(end->result.warnings, testing::Not(testing::Contains(HasSubstr("at once"))));
}

TEST(LocalRunner, AThresholdThatFailsEndsTheRunInOrder) {
  RunRequest request = scripted_run("steady");
  request.thresholds = {{*results::Threshold::parse("errors<1%"), true},
                        {*results::Threshold::parse("p95<1us"), true},
                        {*results::Threshold::parse("p99<1us"), false}};
  auto end = run(request);
  ASSERT_TRUE(end) << end.error().context;
  ASSERT_TRUE(end->stopped_by) << "the plan has no end of its own";
  EXPECT_EQ(end->stopped_by->threshold, "p95<1us");
  EXPECT_TRUE(end->result.interrupted);
  EXPECT_FALSE(end->aborted);
  EXPECT_FALSE(end->result.partial);
  EXPECT_THAT(end->result.warnings,
              testing::Contains("stopped: threshold p95<1us failed: actual " + end->stopped_by->actual));
}

// proves: LOCAL-2
TEST(LocalRunner, LeavesNoProcessBehind) {
  RunRequest request = scripted_run("dies once");
  plan_of(request).load.iterations = 20;
  result_of(request);
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1) << "no child, not even a dead one";
  EXPECT_EQ(errno, ECHILD);
}

// The error output is shared by a runner and its executors: it ends when the last of them has gone.
class RunnerProcess {
 public:
  RunnerProcess() {
    std::array<int, 2> ends{};
    EXPECT_EQ(::pipe2(ends.data(), O_CLOEXEC), 0);
    process_ = ::fork();
    if (process_ == 0) {
      ::dup2(ends[1], STDERR_FILENO);
      ::execl("/proc/self/exe", "node_local_test", "runner", nullptr);
      ::_exit(127);
    }
    ::close(ends[1]);
    errors_ = ends[0];
  }
  ~RunnerProcess() {
    ::close(errors_);
    ::kill(process_, SIGKILL);
    ::waitpid(process_, nullptr, 0);
  }
  RunnerProcess(const RunnerProcess&) = delete;
  RunnerProcess& operator=(const RunnerProcess&) = delete;

  void kill() const { ::kill(process_, SIGKILL); }
  // Up to a blank, or nothing when the output has ended; fails the test after ten seconds.
  std::string word() const {
    std::string text;
    for (;;) {
      pollfd wait{errors_, POLLIN, 0};
      if (::poll(&wait, 1, 10'000) != 1) {
        ADD_FAILURE() << "somebody still holds the error output";
        return text;
      }
      char c = 0;
      if (::read(errors_, &c, 1) != 1 || c == ' ') return text;
      if (c != '\n') text += c;
    }
  }

 private:
  pid_t process_ = 0;
  int errors_ = -1;
};

// proves: LOCAL-2
TEST(LocalRunner, ExecutorsDieWithTheirRunner) {
  const RunnerProcess runner;
  EXPECT_FALSE(runner.word().empty()) << "the id of the first executor";
  EXPECT_FALSE(runner.word().empty()) << "and of the second";
  const MonoTime killed = load::EventLoop::now();
  runner.kill();
  EXPECT_EQ(runner.word(), "") << "nobody is left";
  EXPECT_LT(load::EventLoop::now() - killed, 1s);
}

// proves: LOCAL-5
// proves part: LOCAL-3 (the cores of the mask, or as many as are asked for; but never more executors than users)
TEST(LocalRunner, ByDefaultOneExecutorPerCoreOfTheMask) {
  EXPECT_EQ(plan::slots_for(8, 100), 8U);
  EXPECT_EQ(plan::slots_for(8, 3), 3U);
  cpu_set_t before;
  ASSERT_EQ(::sched_getaffinity(0, sizeof before, &before), 0);
  EXPECT_EQ(usable_cores().size(), static_cast<std::size_t>(CPU_COUNT(&before)));
  int first = 0;
  while (!CPU_ISSET(first, &before)) ++first;
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(first, &one);
  ASSERT_EQ(::sched_setaffinity(0, sizeof one, &one), 0);
  RunRequest request = scripted_run("steady");
  request.executors = 0;
  plan_of(request).load.iterations = 2;
  const results::RunResult result = result_of(request);
  ::sched_setaffinity(0, sizeof before, &before);
  ASSERT_EQ(result.executors.size(), 1U);
  EXPECT_EQ(result.executors[0].core, first);
}

}  // namespace
}  // namespace hyperscale::node
