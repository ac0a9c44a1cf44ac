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

std::uint64_t share_of(std::uint64_t total, const Segment& segment) {
  CHECK(segment.index < segment.count, "segment {} of {}", segment.index, segment.count);
  return total / segment.count + (segment.index < total % segment.count ? 1 : 0);
}

std::uint32_t users_of(std::uint64_t total, const Segment& segment) {
  if (total >= segment.vu_total) {
    return segment.vu_count + static_cast<std::uint32_t>(share_of(total - segment.vu_total, segment));
  }
  const std::uint64_t even = segment.vu_total / segment.count;  // the last segment may have more
  const std::uint64_t mine = share_of(std::min(total, even * segment.count), segment);
  const bool is_last = segment.index + 1 == segment.count;
  const std::uint64_t extra = is_last && total > even * segment.count ? total - even * segment.count : 0;
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(mine + extra, segment.vu_count));
}

}  // namespace hyperscale::plan
