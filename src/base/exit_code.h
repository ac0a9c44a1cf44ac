// How the process ends, for scripts and service managers; docs/exit-codes.md explains each.
#pragma once

namespace hyperscale {

enum class ExitCode : int {
  kOk = 0,          // success; a node drained cleanly; a run completed and every threshold passed
  kFailed = 1,      // failure: a port was in use, a file unreadable, a share lost, no iteration succeeded
  kUsage = 2,       // wrong flags, options or configuration; nothing was started or sent
  kForced = 3,      // stopped, but tasks had to be aborted at the drain deadline
  kThreshold = 99,  // a run completed, and a threshold failed; 1 takes precedence
  kAborted = 130,   // cut short by a second signal, or stopped before the start
};

}  // namespace hyperscale
