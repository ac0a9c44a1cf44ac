#include "recording.h"

#include "base/check.h"
#include "base/duration_text.h"
#include "node/local/local_runner.h"
#include "results/threshold.h"
#include "temporary_folder.h"
#include "virtual_time.h"

#include <algorithm>
#include <csignal>
#include <cstdlib>

#include <boost/asio/post.hpp>
#include <fmt/format.h>
#include <unistd.h>

namespace hyperscale::node {
namespace {

// A run that has not ended so long after the last event of its script will not end.
constexpr Duration kPatience = 1h;

Recording* current = nullptr;

std::uint64_t number(const jobs::ScriptEvent& event, const std::string& key) {
  return std::stoull(event.fields.at(key));
}

// The figures that an executor has in its tallies from now on.
void progress(FakeExecutor& executor, const jobs::ScriptEvent& event) {
  load::TallyRecorder& to = *executor.recorder;
  const MonoTime now = virtual_time::kZero + virtual_time::since_begin();
  for (const auto& [key, value] : event.fields) {
    if (key == "arrivals") to.arrivals(number(event, key));
    if (key == "rounds") to.rounds(number(event, key));
    if (key == "busy") to.users_busy(static_cast<std::uint32_t>(number(event, key)));
    if (key == "alive") to.alive(now);
    if (key == "memory") executor.memory = number(event, key);
    if (key == "errors" || key == "answers") {
      stream::Sample sample;
      sample.outcome = static_cast<std::uint8_t>(key == "errors" ? results::Outcome::kRefused : results::Outcome::kOk);
      for (std::uint64_t i = 0; i < number(event, key); ++i) to.record(sample);
      to.span(std::min(executor.start, now), now);
    }
  }
}

void finish(FakeExecutor& executor, const jobs::ScriptEvent& event) {
  Finished finished{.cpu = 1s};
  for (const auto& [key, value] : event.fields) {
    if (key == "fails") {
      finished.failure = value;
    } else {
      const bool setup = executor.target.part == plan::ScriptPart::kSetup;
      finished.values.push_back({.source = setup ? "" : executor.target.workflow, .key = key, .json = value});
    }
  }
  executor.recorder->users_busy(0);
  executor.says(finished);
  executor.ends(0);
}

void control(const jobs::ScriptEvent& event) {
  Recording& to = recording();
  const std::string workflow = event.rest;
  if (!to.control) return to.line("nobody listens");
  boost::asio::post(*to.io, [&to, event, workflow] {
    if (!to.control) return to.line("nobody listens");
    if (event.target == "stop") {
      const Status stopped = to.control->stop(workflow);
      return to.line(stopped ? "answer: yes" : "answer: " + stopped.error().context);
    }
    to.control->change(
        {*plan::read_load_command(event.target), workflow, std::nullopt},
        [&to](const Result<std::string>& done) { to.line(done ? "answer: yes" : "answer: " + done.error().context); });
  });
}

void happen(const jobs::ScriptEvent& event) {
  Recording& to = recording();
  if (event.verb == "ready" && event.target.empty()) {
    for (const auto& executor : to.executors)
      if (!executor->ready && !executor->gone && executor->prepared) {
        executor->ready = true;
        executor->says(Ready{});
      }
  } else if (event.verb == "ready") {
    to.running(target_of(event)).ready = true;
    to.running(target_of(event)).says(Ready{});
  } else if (event.verb == "refuse") {
    to.running(target_of(event)).says(Refused{event.rest});
    to.running(target_of(event)).ends(1 << 8);
  } else if (event.verb == "finish") {
    finish(to.running(target_of(event)), event);
  } else if (event.verb == "die") {
    to.running(target_of(event)).ends(SIGKILL);
  } else if (event.verb == "progress") {
    progress(to.running(target_of(event)), event);
  } else if (event.verb == "log") {
    to.running(target_of(event)).says(Log{load::LogLevel::kInfo, event.rest});
  } else if (event.verb == "cut") {
    CHECK(::ftruncate(to.running(target_of(event)).regions->pool.descriptor(), 0) == 0, "not cut");
  } else if (event.verb == "launch_fails") {
    to.next_launch_fails = event.target;
  } else if (event.verb == "stand_still" || event.verb == "suspend") {
    virtual_time::stand_still(*parse_duration(event.target));
    if (event.verb == "suspend") ::raise(SIGCONT);
  } else if (event.verb == "signal") {
    ::raise(event.target == "hup" ? SIGHUP : SIGINT);
  } else if (event.verb == "ctl") {
    control(event);
  } else {
    CHECK(false, "unknown event {}", event.verb);
  }
}

std::string text_of(results::ExecutorEnd end) {
  return end == results::ExecutorEnd::kLost        ? "lost"
         : end == results::ExecutorEnd::kRestarted ? "restarted"
                                                   : "finished";
}

void write_end(const Result<RunEnd>& end) {
  std::vector<std::string>& lines = recording().lines;
  if (!end) return lines.push_back("failed: " + end.error().context);
  const results::RunResult& result = end->result;
  lines.push_back(fmt::format("end{}{}{}{}", result.interrupted ? " interrupted" : "", end->aborted ? " aborted" : "",
                              result.partial ? " partial" : "",
                              end->stopped_by ? " by " + end->stopped_by->threshold : ""));
  for (const std::string& warning : result.warnings) lines.push_back("warning: " + warning);
  for (const results::ChangeRecord& change : result.changes)
    lines.push_back(fmt::format("changed at {}: {} {}", jobs::ms_text(change.at), change.what, change.workflow));
  for (const results::WorkflowReport& report : result.workflows)
    lines.push_back(fmt::format("workflow {} {} layer {} begin {} {}", report.name, name(report.end), report.layer,
                                jobs::ms_text(report.begin), report.message));
  for (const results::ExecutorReport& executor : result.executors)
    lines.push_back(fmt::format("executor {} {} {}", executor.index, text_of(executor.end), executor.message));
  if (result.lost_with_executor > 0) lines.push_back(fmt::format("lost iterations {}", result.lost_with_executor));
  lines.push_back(fmt::format("ran {} of {}", jobs::ms_text(result.elapsed), jobs::ms_text(result.wall)));
}

RunRequest request_of(const jobs::RunScript& script) {
  RunRequest request;
  request.name = script.name;
  request.job.name = script.name;
  request.job.workflows = script.workflows;
  request.executors = script.pool;
  request.ui = UiMode::kNone;
  request.timeout = script.limit;
  request.control_folder = "control";
  if (!script.threshold.empty()) request.thresholds = {{*results::Threshold::parse(script.threshold), true}};
  return request;
}

}  // namespace

Recording& recording() {
  CHECK(current != nullptr, "nothing is recorded");
  return *current;
}

void Recording::line(const std::string& what) {
  lines.push_back(fmt::format("{} {}", jobs::ms_text(virtual_time::since_begin()), what));
}

FakeExecutor& Recording::running(const jobs::ScriptTarget& target) {
  for (auto found = executors.rbegin(); found != executors.rend(); ++found)
    if ((*found)->target == target && !(*found)->gone) return **found;
  CHECK(false, "{} does not run", text_of(target));
}

std::vector<std::string> record(const jobs::RunScript& script) {
  const test::TemporaryFolder shm;
  ::setenv("HYPERSCALE_SHM_BASE_DIR", shm.path().c_str(), 1);
  Recording to;
  current = &to;
  std::size_t next = 0;
  const Duration last = script.events.back().at + kPatience;
  virtual_time::begin(
      [&] { return virtual_time::kZero + (next < script.events.size() ? script.events[next].at : last); },
      [&] {
        if (next < script.events.size()) return happen(script.events[next++]);
        CHECK(false, "script {}: the run has not ended", script.name);
      });
  const RunRequest request = request_of(script);
  const auto end = run(request);
  virtual_time::end();
  write_end(end);
  current = nullptr;
  return to.lines;
}

}  // namespace hyperscale::node
