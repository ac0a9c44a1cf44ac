#include "sim/cluster/cluster_setup.h"

#include "base/check.h"
#include "base/prng.h"
#include "sim/cluster/planted_bugs.h"
#include "wire/limits.h"
#include "wire/seeded_entropy.h"

#include <memory>
#include <string>
#include <utility>

#include <fmt/format.h>

namespace hyperscale::sim {
namespace {

// Passes the check for weak secrets; different for each generation.
std::string secret(wire::KeyDomain domain, std::int64_t generation) {
  return fmt::format("Virtual-K3y/{}-qZ7w!pXv91mR{}", generation, domain == wire::KeyDomain::kWorkers ? "/hands" : "");
}

wire::Keyring keyring(wire::KeyDomain domain, std::int64_t phase) {
  const std::string old = secret(domain, phase / 3);
  const std::string next = secret(domain, phase / 3 + 1);
  auto keys = phase % 3 == 0   ? wire::Keyring::make(old)
              : phase % 3 == 1 ? wire::Keyring::make(old, next)
                               : wire::Keyring::make(next, old);
  CHECK(keys.has_value(), "{}", keys.error().context);
  return std::move(*keys);
}

}  // namespace

wire::Keyring keyring(wire::NodeRole role, std::int64_t phase) {
  const wire::Keyring workers = keyring(wire::KeyDomain::kWorkers, phase);
  return role == wire::NodeRole::kWorker ? workers : keyring(wire::KeyDomain::kGroup, phase).with_workers(workers);
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
  const auto group = directory.group(birth.host);
  const ClusterLimits limits = limits_of(settings);
  cluster::ClusterConfig config{.self = directory.identity(birth.host),
                                .cluster = "virtual",
                                .environment = "simulation",
                                .seeds = {},
                                .probe_interval = probe_interval(settings),
                                .seed = birth.seed,
                                .keys = keyring(directory.identity(birth.host).role, key_phase),
                                .entropy = std::make_shared<wire::SeededEntropy>(Prng(birth.seed).stream("entropy")),
                                .datagram_bytes_max = limits.datagram_bytes,
                                .gossip_updates_max = limits.gossip_queued,
                                .tells_heartbeat = false};  // its process sends states that can be checked
  for (const HostId seed : directory.seeds(birth.host)) config.seeds.push_back(directory.address(seed));
  if (group) {
    config.group_size = static_cast<std::uint32_t>(directory.voters(*group).size());
    for (const HostId voter : directory.voters(*group)) config.voters.push_back(directory.identity(voter).name);
  }
  config.version.minor = birth.minor_version;
  plant(bug, config.mutations);
  return config;
}

}  // namespace hyperscale::sim
