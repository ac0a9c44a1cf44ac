#include "plan/segment.h"

#include "base/check.h"

#include <algorithm>

namespace hyperscale::plan {

std::vector<std::uint32_t> split_vus(std::uint32_t vus, std::uint32_t threads) {
  CHECK(threads > 0, "{} virtual users on no thread", vus);
  std::vector<std::uint32_t> shares(threads, vus / threads);
  shares.back() += vus % threads;
  return shares;
}

std::vector<Segment> segments_of(std::uint32_t vus, std::uint32_t executors) {
  const std::vector<std::uint32_t> shares = split_vus(vus, executors);
  std::vector<Segment> segments;
  segments.reserve(executors);
  std::uint32_t first_vu = 0;
  for (std::uint32_t index = 0; index < executors; ++index) {
    segments.push_back(
        {.first_vu = first_vu, .vu_count = shares[index], .vu_total = vus, .index = index, .count = executors});
    first_vu += shares[index];
  }
  return segments;
}

std::uint64_t dealt_in_turns(std::uint64_t total, std::uint32_t index, std::uint32_t count) {
  CHECK(index < count, "{} of {}", index, count);
  return total / count + (index < total % count ? 1 : 0);
}

std::uint64_t share_of(std::uint64_t total, const Segment& segment) {
  return dealt_in_turns(total, segment.index, segment.count);
}

std::uint32_t users_of(std::uint64_t total, const Segment& segment) {
  if (total >= segment.vu_total) {
    return segment.vu_count + static_cast<std::uint32_t>(share_of(total - segment.vu_total, segment));
  }
  const std::uint32_t datacenter = segment.index % segment.datacenters;
  const std::uint32_t place = segment.index / segment.datacenters;
  const std::uint32_t places = segment.count / segment.datacenters;
  const std::uint64_t planned = dealt_in_turns(segment.vu_total, datacenter, segment.datacenters);
  const std::uint64_t here = dealt_in_turns(total, datacenter, segment.datacenters);
  const std::uint64_t even = planned / places * places;  // the last segment has the others
  const std::uint64_t mine = dealt_in_turns(std::min(here, even), place, places);
  const std::uint64_t extra = place + 1 == places && here > even ? here - even : 0;
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(mine + extra, segment.vu_count));
}

std::uint32_t user_number(std::uint32_t user, const Segment& segment) {
  if (user < segment.vu_count) return segment.first_vu + user;
  return segment.vu_total + (user - segment.vu_count) * segment.count + segment.index;
}

}  // namespace hyperscale::plan
