#include "runtime/policy/service_state.h"

#include "base/check.h"

namespace hyperscale::runtime {

std::string_view name(ServiceState state) {
  switch (state) {
    case ServiceState::kUnready:
      return "unready";
    case ServiceState::kDegraded:
      return "degraded";
    case ServiceState::kReady:
      return "ready";
  }
  UNREACHABLE("service state {}", static_cast<int>(state));
}

}  // namespace hyperscale::runtime
