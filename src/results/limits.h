// Limits of an encoded result. results_codec.h enforces them on both sides.
#pragma once

#include <cstddef>
#include <cstdint>

namespace hyperscale::results {

inline constexpr std::size_t kResultBytesMax = std::size_t{512} << 20;

inline constexpr std::size_t kResultTextBytesMax = 16 * 1024;  // per name, description, message or warning
inline constexpr std::size_t kResultTagsMax = 64;
inline constexpr std::size_t kResultStepsMax = 1'000;  // named series included
inline constexpr std::size_t kResultWorkflowsMax = 1'000;
inline constexpr std::size_t kResultChecksMax = 1'000;
inline constexpr std::size_t kResultMetricsMax = 1'000;
inline constexpr std::size_t kStatusesMax = 1'000;
inline constexpr std::size_t kWindowsMax = 10'000'000;  // 115 days in seconds
inline constexpr std::size_t kExecutorsMax = 100'000;
inline constexpr double kRealMax = 1e15;

}  // namespace hyperscale::results
