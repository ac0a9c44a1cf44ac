// How the process ends, for scripts and service managers; docs/exit-codes.md explains each.
#pragma once

namespace hyperscale::node {

enum class ExitCode : int {
  kOk = 0,        // did what was asked; a node drained cleanly
  kFailed = 1,    // could not do it: a port was taken, a file unreadable
  kUsage = 2,     // wrong flags or configuration; nothing was started
  kForced = 3,    // stopped, but tasks had to be aborted at the drain deadline
  kAborted = 130  // a second signal cut the drain short
};

}  // namespace hyperscale::node
