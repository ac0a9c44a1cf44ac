#include "scripted_executor.h"

#include "results/outcome.h"

#include <algorithm>
#include <csignal>
#include <filesystem>

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sched.h>
#include <sys/prctl.h>
#include <unistd.h>

namespace hyperscale::node {
namespace {

using load::EventLoop;

std::vector<int> open_descriptors() {
  std::vector<int> out;
  for (int fd = 0; fd < 1024; ++fd) {
    if (::fcntl(fd, F_GETFD) >= 0) out.push_back(fd);
  }
  return out;
}

int cores_allowed() {
  cpu_set_t cores;
  CPU_ZERO(&cores);
  ::sched_getaffinity(0, sizeof cores, &cores);
  return CPU_COUNT(&cores);
}

// Of a setup or teardown, which have no steps, the part.
std::string script_of(const plan::Plan& plan) {
  if (!plan.steps.empty()) return plan.steps.front().name;
  return plan.script.part == plan::ScriptPart::kSetup ? "setup" : "teardown";
}

void work_for(Duration time) {
  for (const MonoTime end = EventLoop::now() + time; EventLoop::now() < end;) continue;
}

class ScriptedExecutor final : public load::Executor {
 public:
  ScriptedExecutor(plan::Plan plan, const plan::Segment& segment, EventLoop& loop, load::TallyRecorder& recorder)
      : plan_(std::move(plan)),
        script_(script_of(plan_)),
        segment_(segment),
        loop_(loop),
        recorder_(recorder),
        share_(plan_.load.iterations == 0 ? UINT64_MAX : plan::share_of(plan_.load.iterations, segment)),
        descriptors_(open_descriptors()) {}

  void log_to(const load::ScriptLogSink& sink) override { log_ = sink; }

  Status give(const std::vector<plan::SharedValue>& values) override {
    std::string line = script_ + " is given";
    for (const plan::SharedValue& value : values) line += fmt::format(" {}={}", value.key, value.json);
    if (plan_.script.exists()) log_(load::LogLevel::kInfo, line);
    return {};
  }

  std::vector<plan::SharedValue> given() const override {
    if (script_ == "setup") return {{.source = {}, .key = "base", .json = "7"}};
    if (script_ != "provides") return {};
    return {{.source = plan_.name, .key = "token", .json = std::to_string(segment_.index)}};
  }

  std::string failure() const override { return plan_.script.workflow == "fails in " + script_ ? "it is bad" : ""; }

  void start(MonoTime start, std::uint64_t first_arrival) override {
    if (plan_.steps.empty()) {
      done_ = plan_.script.workflow != "waits in " + script_;
      return;
    }
    if (plan_.script.exists() && script_ != "never alive") recorder_.alive(EventLoop::now());
    first_ = first_arrival;
    taken_ = first_arrival;
    end_ = plan_.load.duration == Duration::zero() ? MonoTime::max() : start + plan_.load.warmup + plan_.load.duration;
    if (script_ == "describes") describe();
    if (script_ == "prepares slowly") tell(start < made_ ? "start before it was made" : "made before the start");
    loop_.timers().set(timer_, std::max(start, EventLoop::now()));
  }

  void stop() override {
    if (script_ == "interrupts twice" && segment_.index == 0) ::kill(::getppid(), SIGINT);
    if (script_ == "interrupts twice" || script_ == "deaf") return;
    if (script_ == "hangs up twice" && segment_.index == 0) {
      ::kill(::getppid(), SIGHUP);
      end_ = EventLoop::now() + kInFlight;
      return;
    }
    done_ = true;
  }

  bool done() const override { return done_; }
  void between_turns() override {}

 private:
  void describe() {
    tell(fmt::format("descriptors {} cores {} users {} from {} no_new_privs {}", fmt::join(descriptors_, ","),
                     cores_allowed(), segment_.vu_count, segment_.first_vu, ::prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0)));
  }

  void tell(std::string_view message) {
    record(results::Outcome::kRefused);
    recorder_.failure(0, results::Outcome::kRefused, 0, message, "");
    done_ = true;
  }

  void record(results::Outcome outcome) {
    stream::Sample sample;
    sample.outcome = static_cast<std::uint8_t>(outcome);
    sample.status = outcome == results::Outcome::kOk ? 200 : 0;
    sample.duration = 1ms;
    sample.service = 1ms;
    sample.bytes_received = 100;
    sample.ended = EventLoop::now();
    recorder_.users_busy(segment_.vu_count);
    recorder_.record(sample);
    recorder_.span(EventLoop::now() - 1ms, EventLoop::now());
    recorder_.iteration_done(results::is_error(outcome) ? load::IterationEnd::kFailed : load::IterationEnd::kOk);
    recorder_.arrivals(++taken_);
  }

  void tick() {
    if (taken_ >= share_ || EventLoop::now() >= end_) {
      done_ = true;
      return;
    }
    record(results::Outcome::kOk);
    if (plan_.script.exists() && script_ == "steady") recorder_.alive(EventLoop::now());
    if (taken_ - first_ == kBeforeDeath) at_the_turning_point();
    loop_.timers().set(timer_, EventLoop::now() + 1ms);
  }

  void at_the_turning_point() const {
    const bool dies = script_ == "dies always" || (script_ == "dies once" && first_ == 0);
    if (dies && segment_.index == 0) ::kill(::getpid(), SIGKILL);
    if (script_.starts_with("interrupts") && segment_.index == 0) ::kill(::getppid(), SIGINT);
    if (script_ == "hangs up twice" && segment_.index == 0) ::kill(::getppid(), SIGHUP);
  }

  plan::Plan plan_;
  const std::string script_;
  const plan::Segment segment_;
  EventLoop& loop_;
  load::TallyRecorder& recorder_;
  load::ScriptLogSink log_;
  const std::uint64_t share_;
  const std::vector<int> descriptors_;
  load::Timer timer_{[](void* self) { static_cast<ScriptedExecutor*>(self)->tick(); }, this};
  const MonoTime made_ = EventLoop::now();
  std::uint64_t first_ = 0;
  std::uint64_t taken_ = 0;
  MonoTime end_;
  bool done_ = false;
};

}  // namespace

Result<std::unique_ptr<load::Executor>> make_scripted_executor(plan::Plan plan, const plan::Segment& segment,
                                                               EventLoop& loop, load::TallyRecorder& recorder) {
  if (script_of(plan) == "refuses") return fail(ErrorCode::kInvalidArgument, "this plan cannot run here");
  if (script_of(plan) == "steady") fmt::print(stderr, "{} \n", ::getpid());
  if (script_of(plan) == "prepares slowly" && segment.index == 1) work_for(100ms);
  return std::make_unique<ScriptedExecutor>(std::move(plan), segment, loop, recorder);
}

plan::Plan scripted_plan(const std::string& script) {
  plan::Plan plan;
  plan.name = "plan";
  plan.steps.push_back({.name = script,
                        .requests = {{.method = "GET", .url = "http://127.0.0.1/x", .headers = {}, .body = {}}},
                        .expect = {}});
  plan.load.vus = 10;
  return plan;
}

}  // namespace hyperscale::node
