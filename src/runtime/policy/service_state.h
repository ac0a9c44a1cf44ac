// Reported state of a service. The numbers are the values of the gauge readyz_state, so they never change.
#pragma once

#include <cstdint>
#include <string_view>

namespace hyperscale::runtime {

enum class ServiceState : std::uint8_t { kUnready = 0, kDegraded = 1, kReady = 2 };

std::string_view name(ServiceState state);  // "unready", "degraded", "ready"

}  // namespace hyperscale::runtime
