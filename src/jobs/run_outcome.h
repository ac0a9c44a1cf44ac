// RunOutcome: makes the result of a run out of what its executors recorded and what the machines know: times without
// pauses, what became of executors and workflows, warnings, changes.
//
// Pure functions; any thread. May be asked while the run goes on: the result is what there is so far.
#pragma once

#include "base/result.h"
#include "base/time.h"
#include "jobs/job_machine.h"
#include "results/run_result.h"

#include <vector>

namespace hyperscale::jobs {

// What the executors of a workflow's steps recorded, merged; times as they measured them.
struct RecordedShare {
  results::RunResult figures;                      // with the names and descriptions of the workflow
  MonoTime first_start;                            // from when on exchanges counted; zero: there was none
  MonoTime last_end;                               // of the last of them
  std::vector<results::ExecutorReport> executors;  // by position, with what was measured
};

// How long the executors had, to relate their CPU time to; zero before the end.
Duration time_run(const SequenceMachine& workflow);

// The result of the run. `shares`: one for each workflow, in the machine's order. Several workflows are joined under
// their names. Fails when they do not fit together. REQUIRES: started.
Result<results::RunResult> outcome_of(const JobMachine& job, std::vector<RecordedShare> shares, MonoTime now);

}  // namespace hyperscale::jobs
