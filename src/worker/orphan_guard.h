// OrphanGuard: how long a job has been without a manager, so that load that no one can stop ends by itself, and a
// result that no one will fetch does not stay (decision 28, H12).
//
//   acted()  a leader that acts gave an order or accepted a report. Load ends stop_without_manager_after later.
//   known()  any manager knows the job, leader or not. Results are kept for kResultKept after the last time.
//
// Thread rule: one owner. Jobs that were not opened, or are forgotten, are ignored by acted() and known().
#pragma once

#include "base/time.h"

#include <algorithm>
#include <map>
#include <string>

namespace hyperscale::worker {

inline constexpr Duration kResultKept = 1h;
// An attempt without load, whose dispatch says that its load may go on without a manager for ever, ends after this.
inline constexpr Duration kUnstartedWithoutManager = 120s;
// Longer times without a manager are never.
inline constexpr Duration kWithoutManagerMax = 24h * 365;

class OrphanGuard {
 public:
  // A leader that acts brought an attempt of the job.
  void open(const std::string& job, MonoTime now) { jobs_[job] = {now, now}; }
  void acted(const std::string& job, MonoTime now) {
    if (const auto open = jobs_.find(job); open != jobs_.end()) open->second = {now, now};
  }
  void known(const std::string& job, MonoTime now) {
    if (const auto open = jobs_.find(job); open != jobs_.end()) open->second.known_at = now;
  }
  void forget(const std::string& job) { jobs_.erase(job); }

  // max(): never. `limit` zero: never once it has started. REQUIRES: open.
  MonoTime stop_at(const std::string& job, Duration limit, bool started) const {
    if (!started && limit <= Duration::zero()) limit = kUnstartedWithoutManager;
    const bool is_never = limit <= Duration::zero() || limit > kWithoutManagerMax;
    return is_never ? MonoTime::max() : jobs_.at(job).acted_at + limit;
  }
  // REQUIRES: open.
  MonoTime over_at(const std::string& job) const { return jobs_.at(job).known_at + kResultKept; }

 private:
  struct Times {
    MonoTime acted_at;
    MonoTime known_at;
  };
  std::map<std::string, Times> jobs_;
};

}  // namespace hyperscale::worker
