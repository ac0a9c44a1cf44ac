// RandomRun: a JobMachine among processes, people and clocks that do what a tape of numbers says, in virtual time. It
// keeps its own simple model of every process and notes each action that breaks a rule.
//
// Thread rule: one thread. The same tape gives the same run.
#pragma once

#include "jobs/job_machine.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace hyperscale::jobs {

class RandomRun {
 public:
  explicit RandomRun(std::vector<std::uint32_t> tape);

  // Plays the tape, then lets everything come to its end.
  void run();
  // Feeds events to a run that is over.
  void disturb();

  // Rules that were broken; empty: none.
  const std::vector<std::string>& broken() const { return broken_; }
  const JobMachine& machine() const { return *machine_; }
  std::uint32_t overs() const { return overs_; }
  std::string story() const;  // the last events and actions

 private:
  struct Process {
    ShareId share;
    std::uint32_t executor = 0;
    bool launched = false;  // the launch was answered
    bool ready = false, started = false, stopped = false, killed = false, finished = false, gone = false;
    std::uint64_t arrivals = 0;
    Sight sight;
    std::vector<plan::LoadChange> changes;
    bool alive() const { return launched && !gone; }
  };
  // What has to hold of the time of one workflow's steps.
  struct Steps {
    MonoTime start = MonoTime::max();
    MonoTime stop_at = MonoTime::max();
    bool paused = false;
    MonoTime paused_since;
    Duration paused_for{};
    Duration stood_still{};
    Duration stood_still_since_stop{};
  };

  std::uint32_t take(std::uint32_t below);
  void make_job();
  void play();
  void step(const JobMachine::Event& event);
  void carry_out(const ToExecutor& to);
  void carry_out(const Say&) {}
  void carry_out(const TickAt& tick);
  void carry_out(const JobStarted&) {}
  void carry_out(const Measure&) {}
  void carry_out(const Judge& judge);
  void carry_out(const Answer&) { ++answers_; }
  void carry_out(const JobOver&);
  void command(const ShareId& share, const LaunchExecutor& launch);
  void command(const ShareId& share, const StartExecutor& start);
  void command(const ShareId& share, const ChangeExecutor& change);
  void command(const ShareId& share, const StopExecutor& stop);
  void command(const ShareId& share, const KillExecutor& kill);
  void command(const ShareId& share, const LoseExecutor& lose);

  void process_acts(Process& process, bool in_order);
  void end_process(Process& process);
  void answer_launch(Process& process, bool fails);
  void next_timer();
  void look();
  void person_acts();
  std::vector<Process*> with(bool launched);
  Process* running(const ShareId& share, std::uint32_t executor);
  void check_state();
  void check_deadline(std::size_t workflow);
  void rule(bool holds, const std::string& what);

  std::vector<std::uint32_t> tape_;
  std::size_t position_ = 0;
  plan::Job job_;
  std::unique_ptr<JobMachine> machine_;
  std::vector<std::unique_ptr<Process>> processes_;
  std::map<std::pair<ShareId, std::uint32_t>, std::uint32_t> lost_;  // how often
  std::vector<Steps> steps_;
  MonoTime now_;
  MonoTime tick_ = MonoTime::max();
  MonoTime beat_;
  MonoTime looked_;
  std::uint32_t overs_ = 0;
  std::uint32_t answers_ = 0;
  std::vector<std::string> broken_;
  std::vector<std::string> story_;
};

}  // namespace hyperscale::jobs
