// Setup, events and actions of SequenceMachine, as values. Any thread.
#pragma once

#include "base/error.h"
#include "base/time.h"
#include "jobs/share_machine.h"
#include "plan/job.h"

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace hyperscale::jobs {

struct SequenceSetup {
  const plan::Workflow* workflow = nullptr;  // must outlive the machine
  std::uint32_t layer = 0;
  std::uint32_t first_executor = 0;          // index of its first executor in the whole run
  std::vector<std::uint32_t> cores;          // CPU cores of the pool, one per executor; not empty
  std::vector<plan::Segment> segments = {};  // one per core
};

// --- events
// For the share of `part`.
struct PartEvent {
  plan::ScriptPart part = plan::ScriptPart::kSteps;
  ShareMachine::Event event;
};
struct LaunchWorkflow {};
// The workflow begins its start offset after `at`. REQUIRES: WorkflowReady was reported; once.
struct StartWorkflow {
  MonoTime at;
  std::vector<plan::SharedValue> values;  // inputs of its functions
};
// The workflow is not run. REQUIRES: not started.
struct LeaveOut {
  std::string why;
};
// What the adapter observes of a process of one part.
struct PartSight {
  plan::ScriptPart part = plan::ScriptPart::kSteps;
  Sight sight;
};
struct LookAfterWorkflow {
  std::vector<PartSight> sights;
};

// --- commands
struct PartCommand {
  plan::ScriptPart part = plan::ScriptPart::kSteps;
  ExecutorCommand command;
};

// --- reports to the owner
struct WorkflowReady {};
struct WorkflowUnlaunched {  // an executor of its steps could not be started
  Error error;
};
struct WorkflowRefused {
  std::string why;
};
struct WorkflowBegun {};  // its setup is done, counted_from() is known
struct WorkflowSaid {
  std::string sentence;
};
struct WorkflowLate {};
struct WorkflowDone {};  // all its processes have ended

}  // namespace hyperscale::jobs
