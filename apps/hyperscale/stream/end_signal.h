// EndSignal: catches SIGINT, SIGTERM and SIGHUP, for commands that print or release something before they exit. The
// second signal of a kind ends the process as usual.
//
// One object at a time in a process; main thread.
#pragma once

namespace hyperscale::app {

class EndSignal {
 public:
  EndSignal();
  ~EndSignal();
  EndSignal(const EndSignal&) = delete;
  EndSignal& operator=(const EndSignal&) = delete;

  // A signal interrupts blocking calls (EINTR).
  bool came() const;
};

}  // namespace hyperscale::app
