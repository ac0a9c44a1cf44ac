#include "sim/checkers/replay_checker.h"

#include <fmt/format.h>

namespace hyperscale::sim {

Finding ReplayChecker::taken(HostId host, std::uint64_t bytes_hash) {
  if (taken_[host].insert(bytes_hash).second) return std::nullopt;
  return fmt::format("machine {} acts a second time on one datagram", host);
}

}  // namespace hyperscale::sim
