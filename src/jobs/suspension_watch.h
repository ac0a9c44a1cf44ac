// SuspensionWatch: detects from missing beats of the loop that the process was suspended (Ctrl-Z, SIGSTOP).
//
// A gap between two beats is a suspension if SIGCONT comes with it; otherwise the machine was busy. SIGCONT without a
// gap is ignored: a terminal that hangs up sends it too. Single-threaded; time is passed in.
#pragma once

#include "base/time.h"

#include <cstdint>
#include <optional>
#include <string>

namespace hyperscale::jobs {

// Interval of beats, and the shortest gap that counts as a standstill.
inline constexpr Duration kBeatInterval = 100ms;
inline constexpr Duration kStandstillMin = 400ms;

class SuspensionWatch {
 public:
  explicit SuspensionWatch(MonoTime now) : last_(now) {}

  // Length of the standstill before this beat; zero: none.
  Duration beat(MonoTime now);
  // Called on SIGCONT, before or after the first beat since: how long the process was suspended.
  std::optional<Duration> continued(MonoTime now);

  // For the results; empty: no suspension.
  std::string warning() const;

 private:
  MonoTime last_;
  MonoTime gap_end_;
  Duration gap_{};  // the last gap without a SIGCONT so far
  Duration suspended_{};
  std::uint32_t times_ = 0;
};

}  // namespace hyperscale::jobs
