// Executor: runs one segment of a plan on one event loop. Everything an executor process does between its first message
// and its last.
//
// Single-threaded: the thread that runs the loop. Lifecycle: make() prepares what is needed once (requests as bytes,
// TLS contexts, virtual users); start() begins at a given moment; the caller runs the loop, with between_turns() after
// each turn, until done() returns true. stop() ends early: no new iteration starts, requests in flight may end within
// the plan's graceful stop, the rest is cut and counted as cut.
#pragma once

#include "base/result.h"
#include "base/time.h"
#include "load/loop/event_loop.h"
#include "load/pacing/iteration_numbers.h"
#include "load/step_script.h"
#include "plan/load_change.h"
#include "plan/plan.h"
#include "plan/segment.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace hyperscale::load {

class ExchangeWatch;
class TallyRecorder;

using ScriptLogSink = std::function<void(LogLevel level, std::string_view text)>;

class Executor {
 public:
  // Fails with one clear sentence when the plan cannot run here. `plan` is kept; `recorder` and `loop` outlive the
  // executor. `script` has the functions of a plan with a script; `watch`, if any, sees every exchange.
  static Result<std::unique_ptr<Executor>> make(plan::Plan plan, const plan::Segment& segment, EventLoop& loop,
                                                TallyRecorder& recorder, std::unique_ptr<StepScript> script = nullptr,
                                                ExchangeWatch* watch = nullptr);
  virtual ~Executor() = default;

  // Before start(): the sink for log lines of the script, and values that its functions receive.
  virtual void log_to(const ScriptLogSink&) {}
  virtual Status give(const std::vector<plan::SharedValue>&) { return {}; }
  // Before start(): the source of iteration numbers, and how many iterations each user of a predecessor has begun.
  virtual void number_by(IterationNumbers) {}
  virtual void go_on_after(std::uint64_t /*rounds*/) {}
  // When done(): values for other executors, and an error that the tallies do not record.
  virtual std::vector<plan::SharedValue> given() const { return {}; }
  virtual std::string failure() const { return {}; }

  // Warm-up begins at `start`, the counted part after it. A successor of an executor that died joins a run that began
  // earlier: `start` is then the run's start, `first_arrival` the first arrival of the segment that its predecessors
  // have not taken; in a closed loop, how many iterations its predecessors have done.
  virtual void start(MonoTime start, std::uint64_t first_arrival) = 0;
  virtual void stop() = 0;
  // After start(). REQUIRES: the load can follow the change (no rate for a closed loop, no second pause).
  virtual void change(const plan::LoadChange&) {}
  virtual bool done() const = 0;
  // Call after each turn of the loop: frees objects that could not be freed inside their own callbacks.
  virtual void between_turns() = 0;
};

}  // namespace hyperscale::load
