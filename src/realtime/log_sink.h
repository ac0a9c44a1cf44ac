// Log function of a world, given at construction. It may be called from any of the world's threads and must not block.
// If it is empty, nothing is logged.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

namespace hyperscale::realtime {

enum class LogLevel : std::uint8_t { kWarn, kError };

using LogSink = std::function<void(LogLevel, std::string_view)>;

}  // namespace hyperscale::realtime
