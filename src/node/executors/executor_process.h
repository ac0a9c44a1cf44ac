// The body of an executor process: what `hyperscale executor` does. It takes a plan from its parent, runs it, says that
// it has finished, and ends. It dies with its parent, however that one ends.
//
// Single-threaded; owns the process: it changes signal dispositions and privileges. Its descriptors are those that
// it is given and standard error. It is in the sandbox (runtime/sandbox) before anything of a script runs.
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

// What the plan needs of the system. `load` reads libraries and files, still as the user and with one thread; `start`
// may make threads, and can still read what `nobody` can.
struct ReadyExecutor {
  std::function<Status(const plan::Plan&)> load = [](const plan::Plan&) { return Status(); };
  std::function<Status(const plan::Plan&)> start = [](const plan::Plan&) { return Status(); };
};

// kNo is for tests whose executors do what an executor must not.
enum class Confined : std::uint8_t { kYes, kNo };

// How the process ends; a parent that is gone is not told.
inline constexpr int kExecutorDone = 0;
inline constexpr int kExecutorRefused = 3;   // the plan cannot run here; the parent was told why
inline constexpr int kExecutorOrphaned = 4;  // the parent is gone
inline constexpr int kExecutorMisled = 5;    // the parent broke the protocol

// `control_fd` is one end of a socketpair that the parent made. `region_fd` and the two after it are the regions of the
// executor's stream: header ring, pool, counters; the one after those has the numbers of the workflow's iterations.
int run_executor_process(int control_fd, int region_fd, const MakeExecutor& make, const ReadyExecutor& ready = {},
                         Confined confined = Confined::kYes);

}  // namespace hyperscale::node
