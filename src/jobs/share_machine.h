// ShareMachine: decides about one share: the executors of some segments of one part of a plan (steps, setup or
// teardown). It follows base/core.h; local runner and worker nodes bind it to processes.
//
// Life: LaunchShare, then ShareReady comes, StartShare once, ShareDone comes; Stop asks for an early end, Kill enforces
// one. An executor that dies is replaced kRestartsMax times: its successor gets the start, the first arrival that was
// not taken and every change since, in order. After that, or after a Stop, the rest of its segment is lost.
//
// Invariants: every process that was launched ends before ShareDone, which comes once; after it there is no action. A
// segment is finished or lost, never both, and stays so. One thread.
#pragma once

#include "base/core.h"
#include "base/result.h"
#include "jobs/share_events.h"
#include "jobs/share_times.h"

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace hyperscale::jobs {

// For executors to show that they are alive, after everything stood still.
inline constexpr Duration kWakeUpPatience = 1s;

class ShareMachine {
 public:
  using Event = std::variant<LaunchShare, Launched, LaunchFailed, ExecutorReady, ExecutorRefused, ExecutorFinished,
                             ExecutorGone, StartShare, ChangeLoad, Stop, Kill, StandStill, LookAfter>;
  using Action =
      std::variant<ExecutorCommand, ShareReady, ShareUnlaunched, ShareRefused, ExecutorDied, ShareLate, ShareDone>;

  explicit ShareMachine(ShareSetup setup);

  Actions<Action> step(const Event& event, MonoTime now);

  // kInvalidArgument with one sentence when it cannot be done now.
  Status can_change(const plan::LoadCommand& command) const;

  const ShareSetup& setup() const { return setup_; }
  const ShareTimes& times() const { return times_; }
  MonoTime deadline() const { return done_ ? MonoTime::max() : times_.deadline(); }
  bool started() const { return started_; }
  bool stopping() const { return stopping_; }
  bool done() const { return done_; }
  MonoTime ended() const { return ended_; }  // REQUIRES: done()
  // No executor of it could be started at all: ShareUnlaunched was reported.
  bool unlaunched() const { return unlaunched_; }

  enum class Phase : std::uint8_t {
    kNew,
    kLaunching,  // asked for, not answered yet
    kPreparing,
    kReady,
    kRunning,
    kFinished,  // reported so, or refused; its process has not ended yet
    kEnded,     // no process, and there will be none
  };
  struct Executor {
    Phase phase = Phase::kNew;
    std::uint32_t deaths = 0;
    bool lost = false;
    bool killed = false;         // its process was told to end
    std::string killed_for;      // what LookAfter saw
    std::string death;           // of the predecessor, while a successor is launched
    std::string message;         // for the results
    std::uint64_t arrivals = 0;  // taken by predecessors, as rounds
    std::uint64_t rounds = 0;
    std::uint64_t lost_iterations = 0;  // under way when a process was killed
    std::vector<plan::SharedValue> values = {};
    std::string failure;
  };
  const std::vector<Executor>& executors() const { return executors_; }
  std::vector<std::uint32_t> lost() const;
  bool lost_any() const { return !lost().empty(); }
  // Of so many users of the whole plan, those of the segments that are not lost.
  std::uint64_t users_left_of(std::uint64_t total) const;
  // Of each key, the value of the first executor that has one (U-9).
  std::vector<plan::SharedValue> values() const;
  // Of a setup or teardown; empty when it went well.
  std::string failure() const;

 private:
  using Out = Actions<Action>;

  void handle(const LaunchShare& event, MonoTime now, Out& out);
  void handle(const Launched& event, MonoTime now, Out& out);
  void handle(const LaunchFailed& event, MonoTime now, Out& out);
  void handle(const ExecutorReady& event, MonoTime now, Out& out);
  void handle(const ExecutorRefused& event, MonoTime now, Out& out);
  void handle(const ExecutorFinished& event, MonoTime now, Out& out);
  void handle(const ExecutorGone& event, MonoTime now, Out& out);
  void handle(const StartShare& event, MonoTime now, Out& out);
  void handle(const ChangeLoad& event, MonoTime now, Out& out);
  void handle(const Stop& event, MonoTime now, Out& out);
  void handle(const Kill& event, MonoTime now, Out& out);
  void handle(const StandStill& event, MonoTime now, Out& out);
  void handle(const LookAfter& event, MonoTime now, Out& out);

  Executor& at(std::uint32_t executor);
  void launch(std::uint32_t executor, Out& out);
  void start(std::uint32_t executor, Out& out);
  void kill(std::uint32_t executor, Out& out);
  void kill_all(Out& out);
  void died(std::uint32_t executor, const ExecutorGone& gone, MonoTime now, Out& out);
  void report_death(std::uint32_t executor, const std::string& sentence, Out& out);
  void lose(std::uint32_t executor, const std::string& sentence, Out& out);
  void judge(const Sight& sight, MonoTime now, Out& out);
  std::string when(MonoTime now) const;

  const ShareSetup setup_;
  std::vector<Executor> executors_;
  ShareTimes times_;
  std::vector<plan::SharedValue> start_values_;
  std::vector<plan::LoadChange> changes_;  // since the start
  MonoTime awake_from_;
  MonoTime ended_;
  bool ready_ = false;
  bool started_ = false;
  bool stopping_ = false;
  bool killing_ = false;
  bool late_ = false;  // the deadline has passed
  bool unlaunched_ = false;
  bool done_ = false;
};

static_assert(Core<ShareMachine>);

}  // namespace hyperscale::jobs
