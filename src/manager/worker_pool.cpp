#include "manager/worker_pool.h"

#include "base/check.h"

#include <algorithm>
#include <utility>

namespace hyperscale::manager {
namespace {

bool may_get_shares(const WorkerNews& news) {
  return news.state == wire::WorkerState::kHealthy || news.state == wire::WorkerState::kDegraded;
}

}  // namespace

std::uint32_t WorkerPool::Worker::free() const {
  const auto younger = static_cast<std::uint32_t>(
      std::ranges::count_if(cores, [&](const auto& each) { return each.second.known_version >= news.version; }));
  const std::uint32_t reported = news.available_cores + returned;
  const auto held = static_cast<std::uint32_t>(cores.size());
  const std::uint32_t not_given = news.total_cores > held ? news.total_cores - held : 0;
  return std::min(not_given, reported > younger ? reported - younger : 0);
}

WorkerPool::Change WorkerPool::seen(const WorkerNews& news) {
  const auto known = workers_.find(news.name);
  if (known == workers_.end()) {
    if (workers_.size() >= kWorkersMax) return Change::kFull;
    workers_[news.name].news = news;
    return Change::kNew;
  }
  if (known->second.news.boot != news.boot) {
    drop_reservations(news.name);
    known->second = Worker{.news = news, .cores = {}, .held_off_until = {}};
    return Change::kRestarted;
  }
  if (news.version < known->second.news.version) return Change::kNone;
  if (news.version > known->second.news.version) {
    known->second.returned = 0;
    known->second.held_off_until = {};
  }
  known->second.news = news;
  return Change::kUpdated;
}

void WorkerPool::down(std::string_view worker) {
  const auto known = workers_.find(worker);
  if (known == workers_.end()) return;
  drop_reservations(worker);
  workers_.erase(known);
}

void WorkerPool::hold_off(std::string_view worker, MonoTime until) {
  if (const auto known = workers_.find(worker); known != workers_.end()) known->second.held_off_until = until;
}

bool WorkerPool::is_up(std::string_view worker, wire::BootId boot) const {
  const Worker* known = find(worker);
  return known && known->news.boot == boot;
}

std::optional<wire::BootId> WorkerPool::boot_of(std::string_view worker) const {
  const Worker* known = find(worker);
  return known ? std::optional(known->news.boot) : std::nullopt;
}

Duration WorkerPool::round_trip_of(std::string_view worker) const {
  const Worker* known = find(worker);
  return known ? known->news.round_trip : Duration::zero();
}

std::uint32_t WorkerPool::total() const {
  std::uint32_t sum = 0;
  for (const auto& [name, worker] : workers_)
    if (may_get_shares(worker.news)) sum += worker.news.total_cores;
  return sum;
}

std::uint32_t WorkerPool::free(std::string_view worker) const {
  const Worker* known = find(worker);
  return known ? known->free() : 0;
}

std::uint32_t WorkerPool::reserved(std::string_view worker) const {
  const Worker* known = find(worker);
  return known ? static_cast<std::uint32_t>(known->cores.size()) : 0;
}

std::uint32_t WorkerPool::reserved_total() const {
  std::uint32_t sum = 0;
  for (const auto& [name, worker] : workers_) sum += static_cast<std::uint32_t>(worker.cores.size());
  return sum;
}

std::vector<Room> WorkerPool::rooms(MonoTime now) const {
  std::vector<Room> rooms;
  for (const auto& [name, worker] : workers_)
    if (may_get_shares(worker.news) && worker.held_off_until <= now)
      rooms.push_back({name, worker.free(), worker.news.state == wire::WorkerState::kHealthy});
  return rooms;
}

std::uint32_t WorkerPool::missing(std::string_view worker, std::string_view job,
                                  const std::vector<JobCore>& cores) const {
  const Worker* known = find(worker);
  return static_cast<std::uint32_t>(std::ranges::count_if(
      cores, [&](JobCore core) { return !known || !known->cores.contains({std::string(job), core}); }));
}

void WorkerPool::reserve(std::string_view worker, const ShareHolder& holder, const std::vector<JobCore>& cores) {
  const auto known = workers_.find(worker);
  CHECK(known != workers_.end(), "cores of {}, which is not up", worker);
  CHECK(!cores.empty() && missing(worker, holder.job, cores) <= known->second.free(), "{} cores of {}, {} are free",
        cores.size(), worker, known->second.free());
  const bool is_first = reservations_.emplace(holder, Reservation{std::string(worker), cores}).second;
  CHECK(is_first, "a share of {} has cores already", holder.job);
  for (const JobCore core : cores) {
    HeldCore& held = known->second.cores[{holder.job, core}];
    if (held.holders++ == 0) held.known_version = known->second.news.version;
  }
  CHECK(known->second.cores.size() <= known->second.news.total_cores, "{} cores of {} are reserved",
        known->second.cores.size(), worker);
}

void WorkerPool::accepted(const ShareHolder& holder) {
  const auto reservation = reservations_.find(holder);
  if (reservation == reservations_.end()) return;
  Worker& worker = workers_.find(reservation->second.worker)->second;
  for (const JobCore core : reservation->second.cores)
    worker.cores[{holder.job, core}].known_version = worker.news.version;
}

void WorkerPool::release(const ShareHolder& holder) {
  const auto reservation = reservations_.find(holder);
  if (reservation == reservations_.end()) return;
  Worker& worker = workers_.find(reservation->second.worker)->second;
  for (const JobCore core : reservation->second.cores) {
    const auto held = worker.cores.find({holder.job, core});
    if (--held->second.holders > 0) continue;
    if (held->second.known_version < worker.news.version) ++worker.returned;
    worker.cores.erase(held);
  }
  reservations_.erase(reservation);
}

const std::string* WorkerPool::worker_of(const ShareHolder& holder) const {
  const auto reservation = reservations_.find(holder);
  return reservation == reservations_.end() ? nullptr : &reservation->second.worker;
}

const WorkerPool::Worker* WorkerPool::find(std::string_view worker) const {
  const auto known = workers_.find(worker);
  return known == workers_.end() ? nullptr : &known->second;
}

void WorkerPool::drop_reservations(std::string_view worker) {
  std::erase_if(reservations_, [&](const auto& each) { return each.second.worker == worker; });
}

}  // namespace hyperscale::manager
