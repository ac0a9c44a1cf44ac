// Slots: division of a workflow that several machines run. A slot is the segment of one executor; a share is a run of
// slots on one machine.
//
//   const auto whole = scaled(plan.load, split ? 1 : 2);                       // the load of both datacenters together
//   const auto slots = slots_of(whole->vus, threads, {.index = 1, .count = 2});
//   const auto shares = subdivide(slots, std::vector<std::uint32_t>{4, 4, 2});  // for three workers
//
// Slot s of datacenter d of D, which has S slots, runs the arrivals k with k mod (D*S) == d + D*s, so datacenters may
// have different numbers of slots. Every user, arrival, iteration and row of data belongs to exactly one slot, and each
// slot has a user. One datacenter with S slots has the segments of one machine with S cores. Pure functions; any
// thread.
#pragma once

#include "plan/segment.h"

#include <cstdint>
#include <span>
#include <vector>

namespace hyperscale::plan {

// One of the datacenters that run a workflow together.
struct Datacenter {
  std::uint32_t index = 0;
  std::uint32_t count = 1;
  bool operator==(const Datacenter&) const = default;
};

// As many slots as threads, but at most one per user.
std::uint32_t slots_for(std::uint32_t threads, std::uint32_t vus);
// Users of all datacenters together that belong to this one; the first ones get the remainder.
std::uint32_t vus_in(std::uint32_t vus, const Datacenter& datacenter);
// In order; empty: there are fewer users than datacenters, and this one runs nothing of the workflow. REQUIRES:
// threads > 0; datacenter.index < datacenter.count.
std::vector<Segment> slots_of(std::uint32_t vus, std::uint32_t threads, const Datacenter& datacenter);
// The slots, in order, as shares of these sizes. REQUIRES: no size is zero; together they are all slots.
std::vector<std::vector<Segment>> subdivide(std::span<const Segment> slots, std::span<const std::uint32_t> sizes);

}  // namespace hyperscale::plan
