// ScriptReplay: feeds the events of a recorded script to a JobMachine in virtual time, plays its executors, timers and
// surroundings, and writes what the machine has done as lines of the same format.
//
// Thread rule: one thread. A run that does not end fails a CHECK.
#pragma once

#include "jobs/job_machine.h"
#include "jobs/run_outcome.h"
#include "run_script.h"

#include <deque>
#include <memory>
#include <string>
#include <vector>

namespace hyperscale::jobs {

class ScriptReplay {
 public:
  explicit ScriptReplay(const RunScript& script);
  std::vector<std::string> run();

 private:
  // One process that the machine has launched, with what its figures would be.
  struct Process {
    ShareId share;
    std::uint32_t executor = 0;
    bool ready = false;
    bool gone = false;
    MonoTime start;
    MonoTime alive;
    MonoTime first_start, last_end;
    std::uint64_t memory = 0, arrivals = 0, rounds = 0, answers = 0, errors = 0;
    std::uint32_t busy = 0;
    bool cut = false;
  };

  void step(const JobMachine::Event& event);
  void drain();
  void carry_out(const ToExecutor& to);
  void carry_out(const Say& say) { line("say " + say.sentence); }
  void carry_out(const TickAt& tick) { tick_ = tick.at; }
  void carry_out(const JobStarted&) {}
  void carry_out(const Measure&) {}
  void carry_out(const Judge& judge);
  void carry_out(const Answer& answer);
  void carry_out(const JobOver&) {}
  void command(const ShareId& share, const LaunchExecutor& launch);
  void command(const ShareId& share, const StartExecutor& start);
  void command(const ShareId& share, const ChangeExecutor& change);
  void command(const ShareId& share, const StopExecutor& stop);
  void command(const ShareId& share, const KillExecutor& kill);
  void command(const ShareId&, const LoseExecutor&) {}

  void happen(const ScriptEvent& event);
  void progress(Process& process, const ScriptEvent& event);
  void finish(Process& process, const ScriptEvent& event);
  void say(const Process& process, ShareMachine::Event event);
  void end(Process& process, const std::string& how);

  ScriptTarget target_of(const ShareId& share, std::uint32_t executor) const;
  Process& running(const ScriptTarget& target);
  Process* current(const ShareId& share, std::uint32_t executor);
  Tick tick() const;
  std::uint64_t in_flight() const;
  std::vector<RecordedShare> recorded() const;
  void line(const std::string& what);
  void write_end();

  const RunScript& script_;
  plan::Job job_;
  JobSetup setup_;
  MonoTime now_;
  std::unique_ptr<JobMachine> machine_;
  std::vector<std::unique_ptr<Process>> processes_;  // in the order of their launches
  std::deque<JobMachine::Event> at_once_;            // what carrying out actions gives
  std::deque<JobMachine::Event> posted_;             // what comes from processes
  MonoTime tick_ = MonoTime::max();
  MonoTime beat_;
  std::string next_launch_fails_;
  std::vector<std::string> lines_;
};

}  // namespace hyperscale::jobs
