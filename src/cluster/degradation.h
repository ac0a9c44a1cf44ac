// DegradationMeter: overload level of this node, the worse of its local health and the lag of its loop (BP-1). A leader
// that is SEVERE resigns if a reachable voter can take over, one that is CRITICAL always (LEAD-9).
//
// Lag is the time by which the owner's timer came late, in periods of that timer, averaged over the last few probe
// intervals: a short delay does not cause an election, a loop that is late repeatedly or stopped for seconds does. Time
// without a report counts as on time.
//
// Sans-IO, one owner. No failure.
#pragma once

#include "base/time.h"
#include "election/eligibility.h"

#include <cstdint>
#include <string_view>

namespace hyperscale::cluster {

using election::Degradation;

std::string_view name(Degradation level);  // "normal" to "critical"

// The rows of the catalogue's section 15. A health score that two rows share belongs to the milder one, as a score of 4
// may still lead (LEAD-1).
Degradation degradation_of(std::uint32_t health_score, double lag_ratio);

class DegradationMeter {
 public:
  explicit DegradationMeter(Duration probe_interval);

  // One turn of the owner's timer that came `late` against its `period`.
  void observe(Duration late, Duration period, MonoTime now);
  double lag_ratio(MonoTime now) const;

 private:
  const double smoothing_s_;
  double ratio_ = 0;
  MonoTime observed_at_;
};

}  // namespace hyperscale::cluster
