#include "node/cluster/cluster_settings.h"

#include "base/endian.h"
#include "node/cluster/system_entropy.h"
#include "runtime/config/listen_address.h"
#include "runtime/secret/secret_source.h"

#include <array>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace hyperscale::node {
namespace {

using runtime::SecretHandle;

std::vector<std::string> items_of(std::string_view list) {
  std::vector<std::string> items;
  while (!list.empty()) {
    const std::size_t comma = std::min(list.find(','), list.size());
    if (comma > 0) items.emplace_back(list.substr(0, comma));
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
  return items;
}

tl::unexpected<Error> wrong(std::string_view key, std::string_view why) {
  return fail(ErrorCode::kInvalidArgument, fmt::format("{}: {}", key, why));
}

// A literal address, since names would have to be resolved again and again.
Result<wire::NodeAddress> address_of(std::string_view key, const std::string& text) {
  const bool local = text.starts_with("localhost:");
  auto address = wire::parse_node_address(local ? "127.0.0.1" + text.substr(text.find(':')) : text);
  if (!address) return wrong(key, address.error().context);
  return *address;
}

Result<wire::Keyring> keyring_of(const SecretHandle& current, const SecretHandle& previous) {
  return current->with_bytes([&](std::string_view now) -> Result<wire::Keyring> {
    if (!previous) return wire::Keyring::make(now);
    return previous->with_bytes([&](std::string_view before) { return wire::Keyring::make(now, before); });
  });
}

Result<SecretHandle> secret(const std::string& file, const char* variable) {
  if (!file.empty()) return runtime::read_secret_file(file);
  return runtime::take_secret_from_environment(variable);
}

Result<wire::Keyring> first_keyring(const runtime::NodeConfig::Cluster& config) {
  const auto current = secret(config.secret_file, kAuthSecretVariable);
  if (!current) return wrong("cluster.secret_file", current.error().context);
  const auto previous = secret(config.previous_secret_file, kPreviousAuthSecretVariable);
  if (!previous) return wrong("cluster.previous_secret_file", previous.error().context);
  if (!*current) {
    return wrong("cluster.secret_file",
                 fmt::format("a node of a cluster needs a secret of at least {} characters; name a file that only its "
                             "owner may read, or set {}",
                             wire::kClusterSecretBytesMin, kAuthSecretVariable));
  }
  return keyring_of(*current, *previous);
}

}  // namespace

bool is_in_cluster(const runtime::NodeConfig& config) {
  return config.cluster.role != "none";
}

Result<wire::Keyring> read_keyring(const runtime::NodeConfig::Cluster& config) {
  if (config.secret_file.empty()) return wrong("cluster.secret_file", "only a secret in a file can be changed");
  const auto current = runtime::read_secret_file(config.secret_file);
  if (!current) return wrong("cluster.secret_file", current.error().context);
  SecretHandle previous;
  if (!config.previous_secret_file.empty()) {
    auto read = runtime::read_secret_file(config.previous_secret_file);
    if (!read) return wrong("cluster.previous_secret_file", read.error().context);
    previous = std::move(*read);
  }
  return keyring_of(*current, previous);
}

Result<cluster::ClusterConfig> cluster_settings(const runtime::NodeConfig& config) {
  const runtime::NodeConfig::Cluster& told = config.cluster;
  auto keys = first_keyring(told);
  if (!keys) return fail(keys.error());
  const auto role = wire::parse_node_role(told.role);
  if (!role) return wrong("cluster.role", role.error().context);
  const auto address = address_of("cluster.listen", told.listen);
  if (!address) return fail(address.error());
  cluster::ClusterConfig made{.self = {}, .seeds = {}, .keys = std::move(*keys)};
  made.self = {.name = config.node.name, .role = *role, .datacenter = told.datacenter, .address = *address};
  made.cluster = told.name;
  made.environment = told.environment;
  for (const std::string& seed : items_of(told.seeds)) {
    const auto at = address_of("cluster.seeds", seed);
    if (!at) return fail(at.error());
    made.seeds.push_back(*at);
  }
  if (*role != wire::NodeRole::kWorker) {
    made.group_size = told.group_size;
    made.voters = items_of(told.voters);
    if (!made.voters.empty() && made.voters.size() != made.group_size) {
      return wrong("cluster.voters",
                   fmt::format("{} names for a cluster.group_size of {}", made.voters.size(), made.group_size));
    }
  }
  made.priority = told.priority;
  made.probe_interval = told.probe_interval;
  made.entropy = std::make_shared<SystemEntropy>();
  std::array<std::uint8_t, 8> seed{};
  made.entropy->fill(seed);
  made.seed = load_le64(seed.data());
  return made;
}

}  // namespace hyperscale::node
