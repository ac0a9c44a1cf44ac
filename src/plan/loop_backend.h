// LoopBackend: how executors wait for sockets. Plain value.
#pragma once

#include <cstdint>

namespace hyperscale::plan {

enum class LoopBackend : std::uint8_t { kAuto, kEpoll, kIoUring };

}  // namespace hyperscale::plan
