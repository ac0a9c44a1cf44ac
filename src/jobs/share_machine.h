// ShareMachine: controls one share: the executors of some segments of one part of a plan (steps, setup or teardown). It
// follows base/core.h; local runner and worker nodes bind it to processes.
//
// Life: LaunchShare, then ShareReady, StartShare once, then ShareDone; Stop requests an early end, Kill enforces one. A
// dead executor is replaced up to restarts_max times: its successor gets the start, the first arrival not taken and
// every change so far, in order. After that, or after a Stop, the rest of its segment is lost.
//
// Invariants: every launched process ends before ShareDone, which comes once; no action follows it. A segment is either
// finished or lost, and stays so. One thread.
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

// Time for executors to show that they are alive after a standstill.
inline constexpr Duration kWakeUpPatience = 1s;

class ShareMachine {
 public:
  using Event = std::variant<LaunchShare, Launched, LaunchFailed, ExecutorReady, ExecutorRefused, ExecutorFinished,
                             ExecutorGone, StartShare, ChangeLoad, Stop, Kill, StandStill, LookAfter>;
  using Action =
      std::variant<ExecutorCommand, ShareReady, ShareUnlaunched, ShareRefused, ExecutorDied, ShareLate, ShareDone>;

  explicit ShareMachine(ShareSetup setup);

  Actions<Action> step(const Event& event, MonoTime now);

  // kInvalidArgument with one sentence if it cannot be done now.
  Status can_change(const plan::LoadCommand& command) const;

  const ShareSetup& setup() const { return setup_; }
  const ShareTimes& times() const { return times_; }
  MonoTime deadline() const { return done_ ? MonoTime::max() : times_.deadline(); }
  bool started() const { return started_; }
  bool stopping() const { return stopping_; }
  bool done() const { return done_; }
  MonoTime ended() const { return ended_; }  // REQUIRES: done()
  // An executor could not be launched the first time: ShareUnlaunched was reported.
  bool unlaunched() const { return unlaunched_; }

  enum class Phase : std::uint8_t {
    kNew,
    kLaunching,  // LaunchExecutor sent, no answer yet
    kPreparing,
    kReady,
    kRunning,
    kFinished,  // finished or refused; its process has not ended yet
    kEnded,     // no process, final
  };
  struct Executor {
    Phase phase = Phase::kNew;
    std::uint32_t deaths = 0;
    bool lost = false;
    bool killed = false;         // KillExecutor was sent
    std::string killed_for;      // the limit that LookAfter found broken
    std::string death;           // of the predecessor, until a successor is launched
    std::string message;         // shown in the results
    std::uint64_t arrivals = 0;  // taken by predecessors; so are `rounds`
    std::uint64_t rounds = 0;
    std::uint64_t lost_iterations = 0;  // in progress when a process was killed
    std::vector<plan::SharedValue> values = {};
    std::string failure;
  };
  const std::vector<Executor>& executors() const { return executors_; }
  std::vector<std::uint32_t> lost() const;
  bool lost_any() const { return !lost().empty(); }
  // How many of `total` users of the whole plan are in segments that are not lost.
  std::uint64_t users_left_of(std::uint64_t total) const;
  // For each key the value of the first executor that has one (U-9).
  std::vector<plan::SharedValue> values() const;
  // Why a setup or teardown failed; empty: it succeeded.
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
  std::vector<plan::LoadChange> changes_;  // since the start; bounded by LoadChanges
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
