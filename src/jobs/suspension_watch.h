// SuspensionWatch: notices that the process stood still (Ctrl-Z, SIGSTOP) by beats of its loop that did not come.
//
// A gap between two beats is a suspension if SIGCONT comes with it; without one the machine was busy. SIGCONT without a
// gap is none either: a terminal that hangs up sends it too. Single-threaded; time is passed in.
#pragma once

#include "base/time.h"

#include <cstdint>
#include <optional>
#include <string>

namespace hyperscale::jobs {

// How often the loop beats, and from which gap on it stood still.
inline constexpr Duration kBeatInterval = 100ms;
inline constexpr Duration kStandstillMin = 400ms;

class SuspensionWatch {
 public:
  explicit SuspensionWatch(MonoTime now) : last_(now) {}

  // How long the loop stood still before this beat; zero when it did not.
  Duration beat(MonoTime now);
  // SIGCONT has come, before or after the first beat since then: how long the process had been suspended.
  std::optional<Duration> continued(MonoTime now);

  // For the results; empty when there was no suspension.
  std::string warning() const;

 private:
  MonoTime last_;
  MonoTime gap_end_;
  Duration gap_{};  // the last one, that no SIGCONT has explained yet
  Duration suspended_{};
  std::uint32_t times_ = 0;
};

}  // namespace hyperscale::jobs
