// SampleRecord: a sample as it lies in a payload pool: eight words, 64 bytes. Layout: docs/formats/shm.md.
//
// Pure functions; any thread. Counts of bytes above 4 GiB are written as the most that fits.
#pragma once

#include "stream/sample_sink.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace hyperscale::stream {

inline constexpr std::size_t kSampleWords = 8;
inline constexpr std::size_t kSampleBytes = kSampleWords * sizeof(std::uint64_t);

using SampleRecord = std::array<std::uint64_t, kSampleWords>;

inline SampleRecord to_record(const Sample& sample) {
  const auto word = [](Duration duration) { return static_cast<std::uint64_t>(duration.count()); };
  const auto capped = [](std::uint64_t bytes) { return std::min<std::uint64_t>(bytes, UINT32_MAX); };
  return {static_cast<std::uint64_t>(sample.ended.ns()),
          word(sample.duration),
          word(sample.service),
          word(sample.connect),
          word(sample.tls),
          word(sample.first_byte),
          capped(sample.bytes_sent) | capped(sample.bytes_received) << 32,
          std::uint64_t{sample.step} | std::uint64_t{sample.outcome} << 16 | std::uint64_t{sample.status} << 32};
}

inline Sample from_record(const std::uint64_t* words) {
  const auto duration = [](std::uint64_t word) { return Duration(static_cast<std::int64_t>(word)); };
  return {.step = static_cast<std::uint16_t>(words[7]),
          .outcome = static_cast<std::uint8_t>(words[7] >> 16),
          .status = static_cast<std::uint16_t>(words[7] >> 32),
          .bytes_sent = words[6] & UINT32_MAX,
          .bytes_received = words[6] >> 32,
          .ended = MonoTime::from_ns(static_cast<std::int64_t>(words[0])),
          .duration = duration(words[1]),
          .service = duration(words[2]),
          .connect = duration(words[3]),
          .tls = duration(words[4]),
          .first_byte = duration(words[5])};
}

}  // namespace hyperscale::stream
