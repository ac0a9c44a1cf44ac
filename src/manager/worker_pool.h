// WorkerPool: the workers of a datacenter as their manager knows them, and which of their cores it has given to which
// share. It answers how many cores of a worker are free.
//
//   pool.seen({.name = "w1", .boot = boot, .total_cores = 8, .available_cores = 8, .version = 41});
//   pool.reserve("w1", {"job-1", share}, {0, 1, 2});
//   pool.free("w1");   // 5, also when a heartbeat of version 41 comes late
//
// A heartbeat cannot know a reservation whose dispatch has not arrived. So a reservation is subtracted from the
// reported free cores as long as it is younger than the heartbeat, that is, until a version arrives that is greater
// than the one known when it was made or accepted. Never more is free than what this manager has not given away.
//
// Cores are named by numbers of the job: shares of one job that name the same number share one core of a worker, as
// workflows do that do not fit side by side. Invariant (CHECK): the reserved cores of a worker are at most its total,
// unless it came back with fewer; a share has cores of one worker at most. Ordered by name. One thread.
#pragma once

#include "base/time.h"
#include "jobs/journal/records.h"
#include "wire/jobs/dispatch.h"
#include "wire/status_names.h"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hyperscale::manager {

inline constexpr std::size_t kWorkersMax = 2'048;
static_assert(kWorkersMax <= jobs::kSharesPerWorkflowMax, "a workflow may have a share on each worker");

// What a registration or a heartbeat says.
struct WorkerNews {
  std::string name;
  wire::BootId boot;
  std::uint32_t total_cores = 0;
  std::uint32_t available_cores = 0;
  std::uint64_t version = 0;  // of its state; grows with every change within one boot
  wire::WorkerState state = wire::WorkerState::kHealthy;
  Duration round_trip{};  // bounded from above; zero: not measured
};

struct ShareHolder {
  std::string job;
  jobs::ShareNumber share;
  auto operator<=>(const ShareHolder&) const = default;
};
using JobCore = std::uint32_t;  // number of a core among those of a job

// A worker that may get shares.
struct Room {
  std::string worker;
  std::uint32_t free = 0;
  bool healthy = true;  // false: degraded, chosen only if no healthy one is left
};

class WorkerPool {
 public:
  enum class Change : std::uint8_t { kNone, kNew, kUpdated, kRestarted, kFull };
  // Stale news, by version, change nothing. kRestarted: another process; everything it had is lost.
  Change seen(const WorkerNews& news);
  void down(std::string_view worker);
  // It refused or did not answer: no room before this time, or before its next news.
  void hold_off(std::string_view worker, MonoTime until);

  bool is_up(std::string_view worker, wire::BootId boot) const;
  std::optional<wire::BootId> boot_of(std::string_view worker) const;
  Duration round_trip_of(std::string_view worker) const;
  std::size_t size() const { return workers_.size(); }
  std::uint32_t total() const;  // of all that may get shares
  std::uint32_t free(std::string_view worker) const;
  std::uint32_t reserved(std::string_view worker) const;
  std::uint32_t reserved_total() const;
  // Workers that may get shares now, with their free cores, also none.
  std::vector<Room> rooms(MonoTime now) const;
  // How many more cores of the worker the job would need.
  std::uint32_t missing(std::string_view worker, std::string_view job, const std::vector<JobCore>& cores) const;

  // REQUIRES: the worker is up, missing() <= free(), and the share has no cores.
  void reserve(std::string_view worker, const ShareHolder& holder, const std::vector<JobCore>& cores);
  // The worker has accepted the dispatch: its next version counts these cores.
  void accepted(const ShareHolder& holder);
  // Nothing happens if the share has no cores.
  void release(const ShareHolder& holder);
  const std::string* worker_of(const ShareHolder& holder) const;

 private:
  struct HeldCore {
    std::uint32_t holders = 0;
    std::uint64_t known_version = 0;  // a greater one of the worker includes it
  };
  struct Worker {
    WorkerNews news;
    std::map<std::pair<std::string, JobCore>, HeldCore> cores;
    std::uint32_t returned = 0;  // released since the news, which count them as taken
    MonoTime held_off_until;
    std::uint32_t free() const;
  };
  struct Reservation {
    std::string worker;
    std::vector<JobCore> cores;
  };
  const Worker* find(std::string_view worker) const;
  void drop_reservations(std::string_view worker);

  std::map<std::string, Worker, std::less<>> workers_;
  std::map<ShareHolder, Reservation> reservations_;
};

}  // namespace hyperscale::manager
