// The body of an executor process, `hyperscale executor`. It receives a plan from its parent, runs it, reports that it
// has finished, and exits. It dies with its parent, however the parent ends.
//
// Single-threaded; owns the process: it changes signal dispositions and privileges. It has only the given descriptors
// and standard error. It enters the sandbox (runtime/sandbox) before any part of a script runs.
#pragma once

#include "base/result.h"
#include "load/executor.h"
#include "load/recording/tally_recorder.h"

#include <cstdint>
#include <functional>
#include <memory>

namespace hyperscale::node {

using MakeExecutor = std::function<Result<std::unique_ptr<load::Executor>>(plan::Plan, const plan::Segment&,
                                                                           load::EventLoop&, load::TallyRecorder&)>;

// Prepares what the plan needs from the system. `load` reads libraries and files, still as the user and with one
// thread; `start` may create threads, and can still read files that `nobody` can read.
struct ReadyExecutor {
  std::function<Status(const plan::Plan&)> load = [](const plan::Plan&) { return Status(); };
  std::function<Status(const plan::Plan&)> start = [](const plan::Plan&) { return Status(); };
};

// kNo is for tests whose executors do what the sandbox forbids.
enum class Confined : std::uint8_t { kYes, kNo };

// Exit codes of the process.
inline constexpr int kExecutorDone = 0;
inline constexpr int kExecutorRefused = 3;   // the plan cannot run here; the parent got the reason
inline constexpr int kExecutorOrphaned = 4;  // the parent is gone
inline constexpr int kExecutorMisled = 5;    // the parent broke the protocol

// `control_fd` is one end of a socketpair that the parent made. `region_fd` and the two after it are the regions of the
// executor's stream: header ring, pool, counters; the one after those has the numbers of the workflow's iterations.
int run_executor_process(int control_fd, int region_fd, const MakeExecutor& make, const ReadyExecutor& ready = {},
                         Confined confined = Confined::kYes);

}  // namespace hyperscale::node
