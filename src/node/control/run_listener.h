// RunListener: who is behind the control socket of a run, by the kernel's word alone: the run itself is not asked, so
// one that is suspended is seen too. Any thread; never waits.
#pragma once

#include <string>

#include <sys/types.h>

namespace hyperscale::node {

struct RunListener {
  bool dead = false;       // nobody listens, nor ever will: its process has gone
  bool suspended = false;  // by Ctrl-Z, SIGSTOP or a debugger: it will not answer before it goes on
  pid_t process = 0;       // zero: not known
};

RunListener listener_of(const std::string& socket_path);

}  // namespace hyperscale::node
