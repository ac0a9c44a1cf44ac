// How the process ends, for scripts and service managers; docs/exit-codes.md explains each.
#pragma once

namespace hyperscale {

enum class ExitCode : int {
  kOk = 0,          // did what was asked; a node drained cleanly; a run was done and every threshold holds
  kFailed = 1,      // could not do it: a port was taken, a file unreadable, a share lost, no iteration succeeded
  kUsage = 2,       // wrong flags, options or configuration; nothing was started or sent
  kForced = 3,      // stopped, but tasks had to be aborted at the drain deadline
  kThreshold = 99,  // a run was done, and a threshold does not hold; 1 goes before it
  kAborted = 130,   // cut short by a second signal, or stopped before the start
};

}  // namespace hyperscale
