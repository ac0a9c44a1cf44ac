// RunOutcome: builds the result of a run from the records of its executors and the state of the machines: times without
// pauses, how executors and workflows ended, warnings, changes.
//
// Pure functions; any thread. Callable while the run continues: the result then covers the run so far.
#pragma once

#include "base/result.h"
#include "base/time.h"
#include "jobs/job_machine.h"
#include "results/run_result.h"

#include <vector>

namespace hyperscale::jobs {

// Merged records of the executors that ran a workflow's steps; times as measured.
struct RecordedShare {
  results::RunResult figures;                      // with the names and descriptions of the workflow
  MonoTime first_start;                            // start of the first counted exchange; zero: none
  MonoTime last_end;                               // end of the last counted exchange
  std::vector<results::ExecutorReport> executors;  // by position, with their measurements
};

// Wall time of the executors, the base of their CPU usage; zero before the end.
Duration time_run(const SequenceMachine& workflow);

// The result of the run. `shares`: one per workflow, in the machine's order. Several workflows are joined under their
// names. Fails if they cannot be joined. REQUIRES: started.
Result<results::RunResult> outcome_of(const JobMachine& job, std::vector<RecordedShare> shares, MonoTime now);

}  // namespace hyperscale::jobs
