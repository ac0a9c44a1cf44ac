// BugSwitch: one rule of a core that the simulator breaks on purpose, to show that its checkers notice (`sim
// --mutate`).
//
// No program can plant a bug: a switch is off from its construction to its end, and the only class that may turn one
// on, BugPlanter, is defined in sim/bugs and nowhere in src (the tidy rule planted_bugs keeps it so). Thread rule: a
// value.
#pragma once

namespace hyperscale {

class BugPlanter;

namespace wire {

class BugSwitch {
 public:
  constexpr operator bool() const { return planted_; }  // NOLINT(google-explicit-constructor): read as a condition

 private:
  friend class hyperscale::BugPlanter;
  bool planted_ = false;
};

}  // namespace wire
}  // namespace hyperscale
