// Setup, events and actions of ShareMachine, as values.
//
// Executors are numbered by their position in the share. Every LaunchExecutor is answered by one Launched or
// LaunchFailed, and every Launched is followed by one ExecutorGone, the last event of that process. Plain values; any
// thread.
#pragma once

#include "base/error.h"
#include "base/time.h"
#include "jobs/script_limits.h"
#include "plan/load_change.h"
#include "plan/load_command.h"
#include "plan/plan.h"
#include "plan/script.h"
#include "plan/segment.h"

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace hyperscale::jobs {

// A segment is lost after more deaths of its executors than this.
inline constexpr std::uint32_t kRestartsMax = 1;

struct ShareSetup {
  plan::ScriptPart part = plan::ScriptPart::kSteps;
  std::vector<plan::Segment> segments;  // one per executor; not empty
  plan::Load load;                      // of the steps; setup and teardown have neither warm-up nor deadline
  bool scripted = false;
  std::uint32_t restarts_max = kRestartsMax;
  ScriptLimits limits = {};
};

// --- events
struct LaunchShare {};
struct Launched {
  std::uint32_t executor = 0;
};
struct LaunchFailed {
  std::uint32_t executor = 0;
  Error error;
};
struct ExecutorReady {
  std::uint32_t executor = 0;
};
struct ExecutorRefused {  // the plan cannot run
  std::uint32_t executor = 0;
  std::string why;
};
struct ExecutorFinished {
  std::uint32_t executor = 0;
  std::vector<plan::SharedValue> values;  // that functions provide to other workflows
  std::string failure;                    // of a setup or teardown; empty: it succeeded
};
struct ExecutorGone {
  std::uint32_t executor = 0;
  std::string how;               // "killed by signal 9"
  std::uint32_t users_busy = 0;  // this and the next two from the figures it left behind
  std::uint64_t arrivals = 0;
  std::uint64_t rounds = 0;
};
// REQUIRES: ShareReady was reported; once.
struct StartShare {
  MonoTime at;
  std::vector<plan::SharedValue> values;
};
// REQUIRES: can_change() of this command, and at most results::kChangesMax before it (LoadChanges).
struct ChangeLoad {
  plan::LoadCommand command;
  Duration elapsed{};  // since the start of the share
};
struct Stop {};  // executors stop gracefully; executors that die from now on are not replaced
struct Kill {};  // executors end now and count as finished with what they have recorded
// No process ran for this time.
struct StandStill {
  Duration time{};
};
// The adapter sends it a few times a second.
struct LookAfter {
  std::vector<Sight> sights;  // of the running processes
};

// --- commands to executors
struct LaunchExecutor {
  std::uint32_t executor = 0;
  plan::Segment segment;
  bool operator==(const LaunchExecutor&) const = default;
};
struct StartExecutor {
  std::uint32_t executor = 0;
  MonoTime at;
  std::uint64_t first_arrival = 0;  // a successor continues where its predecessor ended
  std::uint64_t first_round = 0;
  std::vector<plan::SharedValue> values;
  bool operator==(const StartExecutor&) const = default;
};
struct ChangeExecutor {
  std::uint32_t executor = 0;
  plan::LoadChange change;
  bool operator==(const ChangeExecutor&) const = default;
};
struct StopExecutor {
  std::uint32_t executor = 0;
  bool operator==(const StopExecutor&) const = default;
};
struct KillExecutor {
  std::uint32_t executor = 0;
  bool operator==(const KillExecutor&) const = default;
};
struct LoseExecutor {  // not replaced: the rest of its segment is lost
  std::uint32_t executor = 0;
  bool operator==(const LoseExecutor&) const = default;
};
using ExecutorCommand =
    std::variant<LaunchExecutor, StartExecutor, ChangeExecutor, StopExecutor, KillExecutor, LoseExecutor>;

// --- reports to the owner
struct ShareReady {};     // all executors are ready
struct ShareUnlaunched {  // an executor could not be launched the first time
  Error error;
};
struct ShareRefused {
  std::string why;
};
struct ExecutorDied {
  std::uint32_t executor = 0;
  std::string sentence;  // includes whether the segment was restarted or lost
};
struct ShareLate {};  // executors that had not ended by the deadline are killed
struct ShareDone {};  // every segment has finished or is lost, and every process has ended

}  // namespace hyperscale::jobs
