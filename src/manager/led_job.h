// LedJob: everything that the manager knows about a job that it leads. ManagerCore keeps it and decides.
//
// A workflow is run in these phases; before its start, a share that is lost brings it back from ready to preparing:
//
//   waiting -> [setup] -> preparing <-> ready -> running -> storing -> merging -> [teardown] -> done
//        \_________\____________\__________\____________\-> (stopped: to storing when all of its shares have ended)
//
// What is journalled changes when its record is committed, never when it is decided. Plain values; one thread.
#pragma once

#include "base/time.h"
#include "jobs/journal/records.h"
#include "manager/job_context.h"
#include "manager/job_log.h"
#include "manager/job_record.h"
#include "manager/layers.h"
#include "manager/manager_events.h"
#include "manager/share_book.h"
#include "manager/submission.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace hyperscale::manager {

enum class RunPhase : std::uint8_t {
  kWaiting,
  kSetup,
  kPreparing,
  kReady,
  kRunning,
  kStoring,
  kMerging,
  kTeardown,
  kDone,
};

struct WorkflowRun {
  RunPhase phase = RunPhase::kWaiting;
  std::uint32_t slots = 0;
  std::string error;  // the first one; not empty: it has failed
  // Not empty: it is not started, and its shares are stopped. A workflow that runs is stopped only with its job.
  std::string stop;
  bool setup_deciding = false;  // SetupDone is on its way to the journal
  bool setup_done = false;
  std::vector<wire::ContextValue> setup_values;
  std::optional<MonoTime> start_due;   // all are ready, and the start offset ends here
  MonoTime started = MonoTime::max();  // the common start
  Duration late_most{};                // of all shares behind it
  std::vector<wire::NumberedChange> changes;
  std::uint32_t merges_open = 0;  // of lost attempts that count in part
  bool has_figures = false;
  bool lost_a_share = false;  // for good
  bool storing = false;
  MonoTime store_again;
  std::uint32_t store_failures = 0;
  std::vector<Loss> losses;
  jobs::WorkflowEnd end = jobs::WorkflowEnd::kCompleted;
  std::optional<wire::BlobName> result;

  bool begun() const { return started != MonoTime::max(); }
  bool done() const { return phase == RunPhase::kDone; }
  bool completed() const { return done() && end == jobs::WorkflowEnd::kCompleted; }
  void fail(std::string why) {
    if (error.empty()) error = std::move(why);
  }
};

// The job ends before its work is done.
struct Ending {
  enum class Kind : std::uint8_t { kCancel, kTimeout, kFail };
  Kind kind = Kind::kCancel;
  std::string reason;
  MonoTime since;
};

struct LedJob {
  LedJob(Submission submitted, const std::vector<Stage>& stages, MonoTime now)
      : submission(std::move(submitted)),
        record(now),
        log(submission.job),
        layers(stages),
        runs(submission.plan.workflows.size()),
        timeout(timeout_of(submission)) {}

  const std::string& id() const { return submission.job; }
  const plan::Workflow& workflow(std::uint32_t index) const { return submission.plan.workflows[index]; }
  bool started() const { return started_at != MonoTime::max(); }
  bool stopping(std::uint32_t index) const { return ending.has_value() || !runs[index].stop.empty(); }

  Submission submission;
  JobRecord record;
  JobLog log;
  Layers layers;
  JobContext context;
  ShareBook shares;
  std::vector<WorkflowRun> runs;  // of each workflow
  Duration timeout{};
  std::uint64_t epoch = 0;
  std::uint64_t decisions = 0;  // in this epoch
  bool accepted = false;        // JobAccepted is in the journal
  bool stage_begun = false;
  std::vector<std::uint32_t> stage;    // workflows of the current stage
  std::uint32_t cores_wanted = 0;      // of a stage that waits for cores; zero: none waits
  std::uint32_t first_stage_pool = 0;  // for which the next was computed
  std::uint32_t first_stage_cores = 0;
  MonoTime started_at = MonoTime::max();
  std::optional<Ending> ending;
  std::optional<jobs::Ticket> accepting;   // JobAccepted
  std::optional<jobs::Ticket> cancelling;  // CancelRequested
  std::uint32_t cancelled = 0;             // workflows that had not ended when it was cancelled
  bool syncing = false;                    // LayerSync is on its way
  bool closing = false;                    // its last record is on its way
  bool moved = false;                      // something has changed in this round
};

}  // namespace hyperscale::manager
