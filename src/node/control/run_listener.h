// RunListener: the process behind the control socket of a run, as reported by the kernel. It sends the run no request,
// so it also detects a suspended run. Any thread; never blocks.
#pragma once

#include <string>

#include <sys/types.h>

namespace hyperscale::node {

struct RunListener {
  bool dead = false;       // no process listens, nor ever will: it has exited
  bool suspended = false;  // by Ctrl-Z, SIGSTOP or a debugger: it does not answer until it is resumed
  pid_t process = 0;       // zero: unknown
};

RunListener listener_of(const std::string& socket_path);

}  // namespace hyperscale::node
