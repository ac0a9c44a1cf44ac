// SnowflakeGenerator: 64-bit ids that are unique across nodes and grow with time, without coordination.
//
//   bit 63     always 0
//   bits 62-22 milliseconds since 2024-01-01T00:00:00Z (41 bits, until 2093)
//   bits 21-12 node id (10 bits)
//   bits 11-0  sequence within the millisecond (12 bits)
//
// Sans-IO: the caller passes the wall time in. Single-threaded. Every id of one generator is greater than the one
// before, for any clock: while the clock stands still, goes back, or more than 4096 ids are drawn in a millisecond, the
// generator counts on from its own last millisecond. It may be ahead of the clock by kSnowflakeLeadMax at most and
// answers kUnavailable beyond that, without losing its place. Two generators with the same node id repeat each other;
// after a restart the first id must be drawn later than kSnowflakeLeadMax after the last one.
#pragma once

#include "base/check.h"
#include "base/result.h"
#include "base/strong_type.h"
#include "base/time.h"

#include <cstdint>

namespace hyperscale {

using SnowflakeId = StrongId<struct SnowflakeIdTag, std::uint64_t>;

inline constexpr std::int64_t kSnowflakeEpochUnixMs = 1'704'067'200'000;
inline constexpr int kSnowflakeTimeBits = 41;
inline constexpr int kSnowflakeNodeBits = 10;
inline constexpr int kSnowflakeSequenceBits = 12;
inline constexpr std::uint32_t kSnowflakeNodeMax = (1U << kSnowflakeNodeBits) - 1;
inline constexpr std::uint32_t kSnowflakeSequenceMax = (1U << kSnowflakeSequenceBits) - 1;
inline constexpr Duration kSnowflakeLeadMax = 1s;

class SnowflakeGenerator {
 public:
  // REQUIRES: node_id <= kSnowflakeNodeMax.
  explicit SnowflakeGenerator(std::uint32_t node_id) : node_id_(node_id) {
    CHECK(node_id <= kSnowflakeNodeMax, "node id {} does not fit {} bits", node_id, kSnowflakeNodeBits);
  }

  Result<SnowflakeId> next(WallTime now) {
    const std::int64_t now_ms = now.ms() - kSnowflakeEpochUnixMs;
    if (now_ms < 0) return fail(ErrorCode::kUnavailable, "the clock is before 2024, no id can be made");
    std::int64_t ms = last_ms_;
    std::uint32_t sequence = sequence_ + 1;
    if (now_ms > last_ms_ || sequence > kSnowflakeSequenceMax) {
      ms = now_ms > last_ms_ ? now_ms : last_ms_ + 1;
      sequence = 0;
    }
    if (ms - now_ms > kLeadMaxMs) {
      return fail(
          ErrorCode::kUnavailable,
          fmt::format("the clock is {} ms behind the last id, at most {} ms are bridged", ms - now_ms, kLeadMaxMs));
    }
    if (ms > kTimeMaxMs) return fail(ErrorCode::kUnavailable, "the clock is beyond 2093, no id can be made");
    last_ms_ = ms;
    sequence_ = sequence;
    return SnowflakeId(static_cast<std::uint64_t>(ms) << (kSnowflakeNodeBits + kSnowflakeSequenceBits) |
                       std::uint64_t{node_id_} << kSnowflakeSequenceBits | sequence);
  }

 private:
  static constexpr std::int64_t kLeadMaxMs = kSnowflakeLeadMax / 1ms;
  static constexpr std::int64_t kTimeMaxMs = (std::int64_t{1} << kSnowflakeTimeBits) - 1;

  std::uint32_t node_id_;
  std::uint32_t sequence_ = 0;
  std::int64_t last_ms_ = -1;
};

struct SnowflakeParts {
  WallTime made_at;  // to the millisecond
  std::uint32_t node_id;
  std::uint32_t sequence;
};

constexpr SnowflakeParts parts_of(SnowflakeId id) {
  const auto ms = static_cast<std::int64_t>(id.value() >> (kSnowflakeNodeBits + kSnowflakeSequenceBits));
  return {.made_at = WallTime::from_ns((ms + kSnowflakeEpochUnixMs) * 1'000'000),
          .node_id = static_cast<std::uint32_t>(id.value() >> kSnowflakeSequenceBits) & kSnowflakeNodeMax,
          .sequence = static_cast<std::uint32_t>(id.value()) & kSnowflakeSequenceMax};
}

}  // namespace hyperscale
