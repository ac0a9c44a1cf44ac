// An executor without a network, for tests of the processes around it. What it does is the name of the plan's first
// step; it records one request per millisecond of its loop, of 1 ms each.
//
//   steady             until the end of the plan or stop()
//   dies once          the first of a share kills itself after kBeforeDeath requests; its successor does the rest
//   dies always        every one does
//   refuses            cannot be made
//   interrupts         sends SIGINT to the runner after kBeforeDeath requests, then is steady
//   interrupts twice   the same, does not stop when it is asked to, and sends a second SIGINT then
//   hangs up twice     sends SIGHUP in the same manner, and ends kInFlight after it was asked to stop
//   deaf               does not stop when it is asked to
//   prepares slowly    takes a while to be made; one failure whose message tells whether it was to start before that
//   describes          one failure whose message tells descriptors, cores and users
//   provides           steady; gives its number in the run as "token"
//   silent             steady, but with a script in the plan it shows only once that it is alive
//   never alive        the same, and not even once
//
// With a script in the plan it writes a line with what it is given. A setup gives 7 as "base". The workflow "fails in
// setup", "fails in teardown", "waits in setup" or "waits in teardown" does that; what waits ends when it is stopped.
#pragma once

#include "base/result.h"
#include "base/time.h"
#include "load/executor.h"
#include "load/recording/tally_recorder.h"

#include <memory>

namespace hyperscale::node {

inline constexpr std::uint64_t kBeforeDeath = 5;
inline constexpr Duration kInFlight = 100ms;  // long enough for a runner that would stop at once

// A plan of ten users whose one step is called `script`.
plan::Plan scripted_plan(const std::string& script);

Result<std::unique_ptr<load::Executor>> make_scripted_executor(plan::Plan plan, const plan::Segment& segment,
                                                               load::EventLoop& loop, load::TallyRecorder& recorder);

}  // namespace hyperscale::node
