// Segment: the part of a plan that one executor runs, and the division of a plan into segments.
//
// Pure values and functions. Virtual users and iterations keep their numbers in the whole plan, so the same plan on 1,
// 2 or 200 executors, in one datacenter or several, sends the same schedule and, per virtual user, the same sequence.
// fleet/slots.h divides a plan over datacenters, which may have different numbers of segments.
#pragma once

#include <cstdint>
#include <vector>

namespace hyperscale::plan {

struct Segment {
  std::uint32_t first_vu = 0;
  std::uint32_t vu_count = 0;
  std::uint32_t vu_total = 0;
  std::uint32_t index = 0;  // this executor runs the scheduled arrivals k with k mod count == index
  std::uint32_t count = 1;
  std::uint32_t datacenters = 1;  // a divisor of count; index mod datacenters is the number of this segment's
  std::uint32_t generation = 0;   // how many executors ran this segment before and died
  bool operator==(const Segment&) const = default;
};

// EXEC-VU-1: every thread gets vus / threads, the last one also the remainder. REQUIRES: threads > 0.
std::vector<std::uint32_t> split_vus(std::uint32_t vus, std::uint32_t threads);
// One segment per executor, in order; an executor without a virtual user still gets its segment. REQUIRES: executors >
// 0.
std::vector<Segment> segments_of(std::uint32_t vus, std::uint32_t executors);
// Number of the k < total with k mod count == index. REQUIRES: index < count.
std::uint64_t dealt_in_turns(std::uint64_t total, std::uint32_t index, std::uint32_t count);
// The part of `total` items (iterations of a bounded run) for a segment: item k goes to k mod count.
std::uint64_t share_of(std::uint64_t total, const Segment& segment);
// The part of `total` users of all executors for this segment. Users join one after the other, in turns, first those of
// the plan: by datacenter, then by segment of it. The segments of one plan together have all of them.
std::uint32_t users_of(std::uint64_t total, const Segment& segment);
// Number in the whole plan of user `user` of this segment. Users beyond those of the plan follow them, in turns.
std::uint32_t user_number(std::uint32_t user, const Segment& segment);

}  // namespace hyperscale::plan
