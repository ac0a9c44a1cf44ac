// JobQueue: jobs that wait for free cores, and which of them begins next.
//
// Within a tenant the order is strict. Between tenants the heads are tried in the order in which they came, and one
// that fits may begin before an older one that does not; but nothing overtakes the oldest job once it has waited for
// kOvertakenMax, so a large job does not starve behind small ones. A full queue refuses with kBusy, "capacity
// exceeded".
//
// Pure; time is passed in. One thread.
#pragma once

#include "base/result.h"
#include "base/time.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hyperscale::manager {

inline constexpr std::size_t kQueuedJobsMax = 10'000;
inline constexpr Duration kOvertakenMax = 10s;

class JobQueue {
 public:
  using Fits = std::function<bool(const std::string& job)>;

  // Whether another job may be submitted; `pending` were promised a place and have not taken it yet.
  Status has_room(std::size_t pending) const;
  // REQUIRES: the job does not wait already.
  void add(std::string job, std::string tenant, MonoTime now);
  // False if it does not wait.
  bool remove(std::string_view job);

  // The job that begins now, which is removed; nullopt if none may.
  std::optional<std::string> next(const Fits& fits, MonoTime now);

  std::size_t size() const { return waiting_.size(); }
  // From 1; zero: it does not wait.
  std::uint32_t position_of(std::string_view job) const;
  std::optional<MonoTime> waits_since(std::string_view job) const;
  // Jobs that have waited since before `time`, oldest first.
  std::vector<std::string> waiting_since_before(MonoTime time) const;

 private:
  struct Waiting {
    std::string job;
    std::string tenant;
    MonoTime since;
  };
  std::list<Waiting> waiting_;  // in the order in which they came
};

}  // namespace hyperscale::manager
