#include "sim/engine/network.h"

#include "base/check.h"
#include "sim/engine/chance.h"
#include "sim/engine/trace.h"

#include <algorithm>
#include <utility>

namespace hyperscale::sim {
namespace {

constexpr double kTailShare = 0.01;
// A reordered packet is delayed by up to this multiple of its normal latency.
constexpr int kReorderFactor = 8;

// Extras add up; the sum of probabilities is capped at 1.
void worsen(LinkConditions& link, const LinkConditions& extra) {
  link.latency += extra.latency;
  link.jitter += extra.jitter;
  link.tail += extra.tail;
  link.loss = std::min(1.0, link.loss + extra.loss);
  link.duplicate = std::min(1.0, link.duplicate + extra.duplicate);
  link.reorder = std::min(1.0, link.reorder + extra.reorder);
  link.corrupt = std::min(1.0, link.corrupt + extra.corrupt);
}

}  // namespace

Network::Network(NetworkSetup setup, const Prng& root, const std::vector<std::string>& names,
                 std::vector<std::uint32_t> sites)
    : setup_(setup),
      sites_(std::move(sites)),
      stranger_prng_(root.stream("network stranger")),
      distance_seed_(root.stream("network distance").next()) {
  CHECK(names.size() == sites_.size(), "{} names, {} sites", names.size(), sites_.size());
  machines_.reserve(names.size());
  for (const std::string& name : names)
    machines_.push_back({.prng = root.stream("network " + name), .egress_free_at = {}});
}

// Sites are one to four times the base distance apart, the same in both directions.
LinkConditions Network::conditions(HostId from, HostId to) const {
  const bool inside = from < sites_.size() && to < sites_.size() && sites_[from] == sites_[to];
  LinkConditions link = inside ? setup_.within_site : setup_.between_sites;
  if (!inside && from < sites_.size()) {
    const auto [low, high] = std::minmax(sites_[from], sites_[to]);
    const std::uint64_t distance = mixed(distance_seed_, std::uint64_t{low} << 32 | high) % 301;
    link.latency += link.latency * static_cast<std::int64_t>(distance) / 100;
  }
  for (const auto& [id, disturbance] : disturbances_) {
    if (!disturbance.blocked && disturbance.from.contains(from) && disturbance.to.contains(to)) {
      worsen(link, disturbance.extra);
    }
  }
  return link;
}

bool Network::blocked(HostId from, HostId to) const {
  return std::ranges::any_of(disturbances_, [&](const auto& entry) {
    return entry.second.blocked && entry.second.from.contains(from) && entry.second.to.contains(to);
  });
}

const std::vector<Delivery>& Network::route(SimTime now, HostId from, HostId to, std::size_t bytes) {
  CHECK(to < machines_.size(), "machine {} of {}", to, machines_.size());
  deliveries_.clear();
  ++counters_.sent;
  counters_.sent_bytes += bytes;
  if (bytes > setup_.limits.mtu_bytes) {
    ++counters_.oversized;
    return deliveries_;
  }
  SimTime leaves = now;
  if (from < machines_.size()) {
    machines_[from].sent_bytes += bytes;
    leaves = leaves_at(now, machines_[from], bytes);
  }
  if (leaves == SimTime::max()) {
    ++counters_.congested;
  } else if (blocked(from, to)) {
    ++counters_.blocked;
  } else {
    deliver(conditions(from, to), leaves, from < machines_.size() ? machines_[from].prng : stranger_prng_);
  }
  return deliveries_;
}

// max() if the interface's queue is full.
SimTime Network::leaves_at(SimTime now, Machine& machine, std::size_t bytes) const {
  if (machine.bytes_per_second == 0) return now;
  const auto time_of = [&](std::uint64_t count) {
    return Duration(static_cast<std::int64_t>(count * 1'000'000'000 / machine.bytes_per_second));
  };
  const SimTime begins = std::max(now, machine.egress_free_at);
  if (begins - now > time_of(setup_.limits.egress_queue_bytes)) return SimTime::max();
  machine.egress_free_at = begins + time_of(bytes);
  return machine.egress_free_at;
}

void Network::deliver(const LinkConditions& link, SimTime leaves, Prng& prng) {
  if (chance(prng, link.loss)) {
    ++counters_.lost;
    return;
  }
  const int copies = chance(prng, link.duplicate) ? 2 : 1;
  if (copies > 1) ++counters_.duplicated;
  for (int copy = 0; copy < copies; ++copy) {
    Duration way = link.latency + up_to(prng, link.jitter);
    if (link.tail > Duration(0) && chance(prng, kTailShare)) way += up_to(prng, link.tail);
    if (chance(prng, link.reorder)) {
      ++counters_.reordered;
      way += up_to(prng, kReorderFactor * (link.latency + link.jitter));
    }
    Delivery delivery{.at = leaves + way};
    if (chance(prng, link.corrupt)) {
      ++counters_.corrupted;
      delivery.flip = prng.next() | 1;
    }
    ++counters_.delivered;
    deliveries_.push_back(delivery);
  }
}

DisturbanceId Network::add(Disturbance disturbance) {
  disturbances_.emplace(next_id_, std::move(disturbance));
  return next_id_++;
}

void Network::remove_all() {
  disturbances_.clear();
  for (Machine& machine : machines_) {
    machine.bytes_per_second = 0;
    machine.egress_free_at = SimTime();
  }
}

void Network::limit_egress(HostId host, std::uint64_t bytes_per_second) {
  machines_[host].bytes_per_second = bytes_per_second;
  if (bytes_per_second == 0) machines_[host].egress_free_at = SimTime();
}

}  // namespace hyperscale::sim
