// JobRun: a JobMachine bound to this machine. It turns timers, SIGCONT, the ends and messages of executors, and what
// people ask for into events, and carries out the actions: processes, timers, answers. It decides nothing.
//
// Thread rule: the one that runs `io`; executors die with it. The callbacks (Calls) come from `io` or from inside a
// call of this class. They may call const members and warn(), but not change(), stop() or signal(). It has to be made
// before any other part of the process handles SIGCONT and passes it on.
#pragma once

#include "base/result.h"
#include "base/time.h"
#include "jobs/job_machine.h"
#include "node/local/local_runner.h"
#include "node/local/workflow_run.h"
#include "results/run_result.h"

#include <deque>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>

namespace hyperscale::node {

class JobRun {
 public:
  struct Calls {
    std::function<void(const std::string&)> say;
    std::function<void(MonoTime at)> started;  // all executors are told to begin then
    std::function<void()> ticked;              // executors may have come or gone
    std::function<void(Duration)> measure;     // figures are due, at this counted time
    std::function<void(std::span<const results::Verdict>)> judged;
    std::function<void()> over;  // every process is gone
  };
  JobRun(asio::io_context& io, Calls calls);

  // Starts every executor. `request` and `streams` outlive the run. Fails when the job has no schedule, or a process or
  // memory is not to be had.
  Status launch(const RunRequest& request, StreamHost& streams);
  // From now on it follows the clock.
  void begin();

  Result<jobs::Changed> change(const plan::LoadRequest& asked);
  // Of one workflow, or of the run; `why` is said.
  Status stop(std::string_view workflow, const std::string& why);
  void signal(bool is_hangup);
  void warn(const std::string& text);

  // REQUIRES of all below: launched.
  const jobs::JobMachine& job() const { return *job_; }
  const WorkflowRuns& runs() const { return runs_; }  // in the order of their stages
  WallTime started_at() const { return started_at_; }
  results::WindowTotals live() const;
  // Of all workflows, so far.
  Result<results::RunResult> outcome() const;

 private:
  jobs::JobSetup with_request(jobs::JobSetup setup) const;
  Status make_run(std::size_t workflow, const std::vector<int>& cores, StreamHost& streams);
  void step(const jobs::JobMachine::Event& event);
  void carry_out(const jobs::ToExecutor& to);
  void carry_out(const jobs::Say& say) { calls_.say(say.sentence); }
  void carry_out(const jobs::TickAt& tick);
  void carry_out(const jobs::JobStarted& started);
  void carry_out(const jobs::Measure& measure) { calls_.measure(measure.at); }
  void carry_out(const jobs::Judge& judge);
  void carry_out(const jobs::Answer& answer) { answer_ = answer.result; }
  void carry_out(const jobs::JobOver&) { calls_.over(); }
  void beat();
  void await_continue();
  Result<jobs::Changed> ask(const jobs::JobMachine::Event& question);

  asio::io_context& io_;
  const Calls calls_;
  asio::signal_set continued_;
  asio::steady_timer beat_timer_;
  asio::steady_timer tick_timer_;
  const RunRequest* request_ = nullptr;
  std::optional<jobs::JobMachine> job_;
  WorkflowRuns runs_;
  std::deque<jobs::JobMachine::Event> at_once_;  // what carrying out actions gave
  std::optional<Result<jobs::Changed>> answer_;
  WallTime started_at_;
};

}  // namespace hyperscale::node
