// Engine: the one JavaScript virtual machine of a process, with one realm in which all virtual users live.
//
// Nothing of the machine is reachable from the realm: no file, process, socket or environment, no eval, no WebAssembly.
// lock_down() freezes everything that users share, so that none can tamper with another's world.
//
// Each entry into the machine is a resume, under a limit of processor time and a limit of the heap. A resume that
// crosses one is ended where it stands (not even a `finally` runs), its error says where that was, and the realm goes
// on. The place of a loop that was ended is the last one that the machine knows: it may be the line before the loop.
//
// What the limits cannot see is for whoever supervises the process: a single native operation that takes or allocates
// very much (a regular expression that backtracks for hours, new Array(1e9).fill(0)), and endless promise jobs without
// an `await` of the user's (a thenable that resolves with itself).
//
// Thread rule: one thread, and one Engine at a time in a process (CHECKed).
#pragma once

#include "base/result.h"
#include "base/time.h"
#include "workflow/script/script_error.h"
#include "workflow/script/source_text.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

// The engine's own names for its values, so that its headers stay inside this folder.
struct OpaqueJSContext;
struct OpaqueJSValue;

namespace hyperscale::workflow {

using ValueRef = const OpaqueJSValue*;
using ObjectRef = OpaqueJSValue*;

struct EngineLimits {
  Duration cpu_per_resume = 250ms;
  Duration cpu_to_load = 10s;  // linking, top-level code and describing
  std::uint64_t heap_bytes = std::uint64_t{1} << 30;
};

enum class Budget : std::uint8_t { kResume, kLoad };

class Engine {
 public:
  // Loads the library and makes the machine that the next create() takes. What the library reads of the system
  // (processors, stack, randomness) is read now: afterwards this process may give up its files.
  static Status start();
  static Result<std::unique_ptr<Engine>> create(const EngineLimits& limits = {});
  ~Engine();
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;
  // The engine of this process. REQUIRES: there is one.
  static Engine& current();

  // Runs a text as a script. The file name need not be in sources(); if it is, places lead to it.
  ScriptResult<ValueRef> evaluate(const std::string& file, std::string_view code, Budget budget = Budget::kLoad);
  // One resume: the call and every promise job that becomes ready by it.
  ScriptResult<ValueRef> call(ObjectRef function, std::span<const ValueRef> arguments, Budget budget = Budget::kResume);

  // The same in another world of this machine, such as the linker's.
  ScriptResult<ValueRef> call_in(OpaqueJSContext* world, ObjectRef function, std::span<const ValueRef> arguments,
                                 Budget budget);

  // Freezes the shared world and what can be reached from the given objects. Builtins are in place by then.
  Status lock_down(ValueRef roots = nullptr);

  SourceBook& sources() { return sources_; }
  const EngineLimits& limits() const { return limits_; }
  OpaqueJSContext* context() const { return context_; }

  // Begins to watch the processor time of the resume that runs. Loading is watched from the start; an ordinary resume
  // only once linked code has counted so many loops and calls, because the watch costs a system call per promise job.
  void watch();
  // Called by the script between promise jobs: whether the resume is over a limit and has to end.
  bool over_limit();
  // Reads the value of a `throw`.
  ScriptError error_from(ValueRef exception);
  // What ended a resume from outside, if anything did since the resume began.
  bool stopped() const { return stop_ != Stop::kNone; }
  ScriptError stop_error() const;

  // Walks the heap: for tests and for seldom checks.
  std::uint64_t heap_bytes();
  void collect_garbage();

 private:
  enum class Stop : std::uint8_t { kNone, kCpu, kHeap };
  struct Machine;
  class Resume;

  explicit Engine(const EngineLimits& limits);
  static bool on_slice(const OpaqueJSContext* context, void* self);
  void unwatch();
  bool slice_passed();
  void stop(Stop reason);
  void settle_termination();
  ScriptResult<ValueRef> finish(ValueRef value, ValueRef exception);

  EngineLimits limits_;
  std::unique_ptr<Machine> machine_;
  OpaqueJSContext* context_ = nullptr;
  SourceBook sources_;

  // Of the resume that runs.
  unsigned depth_ = 0;
  bool watched_ = false;
  Duration budget_{};
  Duration used_{};             // by whole slices
  Duration next_heap_check_{};  // walking the heap costs: at doubling intervals only
  Duration cpu_at_first_job_{};
  std::uint32_t jobs_ = 0;
  std::uint32_t resumes_ = 0;
  Stop stop_ = Stop::kNone;
  std::string stop_stack_;
};

}  // namespace hyperscale::workflow
