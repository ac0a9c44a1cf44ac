#include "sim/cluster/cluster_setup.h"

#include "base/check.h"
#include "sim/cluster/planted_bugs.h"
#include "wire/limits.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

namespace hyperscale::sim {
namespace {

// Good enough for the judge of weak secrets; different for each generation.
std::string secret(std::int64_t generation) {
  return fmt::format("Virtual-K3y/{}-qZ7w!pXv91mR", generation);
}

}  // namespace

wire::Keyring keyring(std::int64_t phase) {
  const std::string old = secret(phase / 3);
  const std::string next = secret(phase / 3 + 1);
  auto keys = phase % 3 == 0   ? wire::Keyring::make(old)
              : phase % 3 == 1 ? wire::Keyring::make(old, next)
                               : wire::Keyring::make(next, old);
  CHECK(keys.has_value(), "{}", keys.error().context);
  return std::move(*keys);
}

Duration probe_interval(const Settings& settings) {
  return settings.get("probe_interval_ms", 1'000) * 1ms;
}

ClusterLimits limits_of(const Settings& settings) {
  return {.datagram_bytes = static_cast<std::size_t>(settings.get("mtu", wire::kDatagramBytesMax)),
          .sealed_head_bytes = wire::kSealHeaderBytes,
          .gossip_queued = static_cast<std::uint64_t>(settings.get("gossip_buffer", 1'024))};
}

cluster::ClusterConfig node_config(const ClusterDirectory& directory, const ProcessBirth& birth,
                                   const Settings& settings, std::string_view bug, std::int64_t key_phase) {
  cluster::ClusterConfig config{.keys = keyring(key_phase)};
  config.self = directory.identity(birth.host);
  config.cluster = "virtual";
  config.environment = "simulation";
  for (const HostId seed : directory.seeds(birth.host)) config.seeds.push_back(directory.address(seed));
  const auto group = directory.group(birth.host);
  config.group_size = group ? static_cast<std::uint32_t>(directory.voters(*group).size()) : 0;
  config.probe_interval = probe_interval(settings);
  config.seed = birth.seed;
  config.version.minor = birth.minor_version;
  const ClusterLimits limits = limits_of(settings);
  config.datagram_bytes_max = limits.datagram_bytes;
  config.gossip_updates_max = limits.gossip_queued;
  plant(bug, config.mutations);
  return config;
}

}  // namespace hyperscale::sim
