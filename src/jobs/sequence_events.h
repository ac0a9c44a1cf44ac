// What a SequenceMachine is given, what happens to it and what it has done, as values. Any thread.
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
  const plan::Workflow* workflow = nullptr;  // outlives the machine
  std::uint32_t layer = 0;
  std::uint32_t first_executor = 0;          // number of its first one in the whole run
  std::vector<std::uint32_t> cores;          // of the pool, one executor each; not empty
  std::vector<plan::Segment> segments = {};  // as many
};

// --- what happens
// The share of that part is told.
struct PartEvent {
  plan::ScriptPart part = plan::ScriptPart::kSteps;
  ShareMachine::Event event;
};
struct LaunchWorkflow {};
// It begins its start offset after `at`. REQUIRES: WorkflowReady was reported; once.
struct StartWorkflow {
  MonoTime at;
  std::vector<plan::SharedValue> values;  // for its functions
};
// It will not be run. REQUIRES: not started.
struct LeaveOut {
  std::string why;
};
// What is seen of the processes of its parts.
struct PartSight {
  plan::ScriptPart part = plan::ScriptPart::kSteps;
  Sight sight;
};
struct LookAfterWorkflow {
  std::vector<PartSight> sights;
};

// --- what is to be done
struct PartCommand {
  plan::ScriptPart part = plan::ScriptPart::kSteps;
  ExecutorCommand command;
};

// --- what the owner of the workflow is told
struct WorkflowReady {};
struct WorkflowUnlaunched {  // an executor of its steps could not be started
  Error error;
};
struct WorkflowRefused {
  std::string why;
};
struct WorkflowBegun {};  // its setup is done: counted_from() is known
struct WorkflowSaid {
  std::string sentence;
};
struct WorkflowLate {};
struct WorkflowDone {};  // all its processes are gone

}  // namespace hyperscale::jobs
