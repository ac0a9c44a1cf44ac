// Engine: the one JavaScript virtual machine of a process, with one realm for all virtual users.
//
// The realm has no access to the host: no file, process, socket or environment, no eval, no WebAssembly. lock_down()
// freezes everything that users share, so that no user can modify the objects of another.
//
// Each entry into the engine is a resume, under a limit of processor time and a limit of the heap. A resume that
// exceeds one is terminated immediately (not even a `finally` runs), its error has the location, and the realm stays
// usable. The location of a terminated loop is the last one known: it may be the line before the loop.
//
// The limits do not catch these; a supervisor of the process must: a single native operation that runs or allocates
// endlessly (a regular expression that backtracks for hours, new Array(1e9).fill(0)), and endless promise jobs without
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

// Forward declarations of engine types, so that its headers stay inside this folder.
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
  // Loads the library and creates the machine for the next create(). The library now reads what it needs from the
  // system (processors, stack, randomness): afterwards this process may drop access to files.
  static Status start();
  static Result<std::unique_ptr<Engine>> create(const EngineLimits& limits = {});
  ~Engine();
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;
  // The engine of this process. REQUIRES: there is one.
  static Engine& current();

  // Runs a text as a script. The file name need not be in sources(); if it is, error locations refer to that file.
  ScriptResult<ValueRef> evaluate(const std::string& file, std::string_view code, Budget budget = Budget::kLoad);
  // One resume: the call and every promise job that it makes ready.
  ScriptResult<ValueRef> call(ObjectRef function, std::span<const ValueRef> arguments, Budget budget = Budget::kResume);

  // As call(), in another context of this machine, such as the linker's.
  ScriptResult<ValueRef> call_in(OpaqueJSContext* world, ObjectRef function, std::span<const ValueRef> arguments,
                                 Budget budget);

  // Freezes the shared realm and all objects reachable from `roots`. Call it after installing builtins.
  Status lock_down(ValueRef roots = nullptr);

  SourceBook& sources() { return sources_; }
  const EngineLimits& limits() const { return limits_; }
  OpaqueJSContext* context() const { return context_; }

  // Starts to watch the processor time of the current resume. Loading is watched from the start; an ordinary resume
  // only after linked code has counted many loops and calls, because the watch costs a system call per promise job.
  void watch();
  // Called by the script between promise jobs: true if the resume exceeds a limit and must end.
  bool over_limit();
  // Reads the value of a `throw`.
  ScriptError error_from(ValueRef exception);
  // True if a limit has stopped the current or last resume.
  bool stopped() const { return stop_ != Stop::kNone; }
  ScriptError stop_error() const;

  // Walks the heap: only for tests and rare checks.
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

  // State of the current resume.
  unsigned depth_ = 0;
  bool watched_ = false;
  Duration budget_{};
  Duration used_{};             // in whole slices
  Duration next_heap_check_{};  // walking the heap is expensive: only at doubling intervals
  Duration cpu_at_first_job_{};
  std::uint32_t jobs_ = 0;
  std::uint32_t resumes_ = 0;
  Stop stop_ = Stop::kNone;
  std::string stop_stack_;
};

}  // namespace hyperscale::workflow
