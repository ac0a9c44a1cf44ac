#include "plan/fleet/slots.h"

#include "base/check.h"

#include <algorithm>

namespace hyperscale::plan {
namespace {

// An open loop drops the arrivals of a slot without users, so only datacenters with a user have slots.
Datacenter among_those_with_users(std::uint32_t vus, const Datacenter& datacenter) {
  return {.index = datacenter.index, .count = std::min(datacenter.count, std::max(vus, 1U))};
}

}  // namespace

std::uint32_t slots_for(std::uint32_t threads, std::uint32_t vus) {
  return std::clamp(threads, 1U, std::max(vus, 1U));
}

std::uint32_t vus_in(std::uint32_t vus, const Datacenter& datacenter) {
  return static_cast<std::uint32_t>(dealt_in_turns(vus, datacenter.index, datacenter.count));
}

std::vector<Segment> slots_of(std::uint32_t vus, std::uint32_t threads, const Datacenter& datacenter) {
  CHECK(threads > 0, "a workflow of {} users on no thread", vus);
  CHECK(datacenter.index < datacenter.count, "datacenter {} of {}", datacenter.index, datacenter.count);
  const auto [index, count] = among_those_with_users(vus, datacenter);
  if (index >= count) return {};
  const std::uint32_t here = vus_in(vus, datacenter);
  const std::uint32_t first_vu = index * (vus / count) + std::min(index, vus % count);
  std::vector<Segment> slots = segments_of(here, slots_for(threads, here));
  CHECK(slots.size() <= UINT32_MAX / count, "{} slots in each of {} datacenters", slots.size(), count);
  for (Segment& slot : slots) {
    slot.first_vu += first_vu;
    slot.vu_total = vus;
    slot.index = index + count * slot.index;
    slot.count *= count;
    slot.datacenters = count;
  }
  return slots;
}

std::vector<std::vector<Segment>> subdivide(std::span<const Segment> slots, std::span<const std::uint32_t> sizes) {
  std::vector<std::vector<Segment>> shares;
  shares.reserve(sizes.size());
  for (const std::uint32_t size : sizes) {
    CHECK(size > 0 && size <= slots.size(), "a share of {} slots, {} are left", size, slots.size());
    shares.emplace_back(slots.begin(), slots.begin() + size);
    slots = slots.subspan(size);
  }
  CHECK(slots.empty(), "{} slots are in no share", slots.size());
  return shares;
}

}  // namespace hyperscale::plan
