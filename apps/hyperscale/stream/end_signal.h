// EndSignal: notices SIGINT, SIGTERM and SIGHUP instead of being ended by them, for commands that have something to say
// or to give back at their end. A second one ends the process as usual.
//
// One at a time in a process; main thread.
#pragma once

namespace hyperscale::app {

class EndSignal {
 public:
  EndSignal();
  ~EndSignal();
  EndSignal(const EndSignal&) = delete;
  EndSignal& operator=(const EndSignal&) = delete;

  // Calls that wait are interrupted by it.
  bool came() const;
};

}  // namespace hyperscale::app
