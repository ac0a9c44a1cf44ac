#include "node/cluster/cluster_settings.h"

#include "base/endian.h"
#include "node/cluster/system_entropy.h"
#include "runtime/config/item_list.h"
#include "runtime/config/listen_address.h"
#include "runtime/secret/core_dumps.h"
#include "runtime/secret/secret_source.h"

#include <array>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace hyperscale::node {
namespace {

using runtime::items_of;
using runtime::SecretHandle;

tl::unexpected<Error> wrong(std::string_view key, std::string_view why) {
  return fail(ErrorCode::kInvalidArgument, fmt::format("{}: {}", key, why));
}

// Only literal addresses: names would have to be resolved repeatedly.
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

// The sources of one of a node's two secrets.
struct SecretPlace {
  const char* key;
  const std::string& file;
  const char* variable;
  const char* previous_key;
  const std::string& previous_file;
  const char* previous_variable;
};

SecretPlace own_place(const runtime::NodeConfig::Cluster& config) {
  return {.key = "cluster.secret_file",
          .file = config.secret_file,
          .variable = kAuthSecretVariable,
          .previous_key = "cluster.previous_secret_file",
          .previous_file = config.previous_secret_file,
          .previous_variable = kPreviousAuthSecretVariable};
}

SecretPlace workers_place(const runtime::NodeConfig::Cluster& config) {
  return {.key = "cluster.worker_secret_file",
          .file = config.worker_secret_file,
          .variable = kWorkerSecretVariable,
          .previous_key = "cluster.previous_worker_secret_file",
          .previous_file = config.previous_worker_secret_file,
          .previous_variable = kPreviousWorkerSecretVariable};
}

// Empty if there is no secret.
Result<std::optional<wire::Keyring>> keyring_at(const SecretPlace& place) {
  const auto current = secret(place.file, place.variable);
  if (!current) return wrong(place.key, current.error().context);
  const auto previous = secret(place.previous_file, place.previous_variable);
  if (!previous) return wrong(place.previous_key, previous.error().context);
  if (!*current) return std::nullopt;
  auto keys = keyring_of(*current, *previous);
  if (!keys) return fail(keys.error());
  return std::move(*keys);
}

Result<wire::Keyring> with_workers(wire::Keyring own, const runtime::NodeConfig::Cluster& config) {
  const auto workers = keyring_at(workers_place(config));
  if (!workers) return fail(workers.error());
  if (!*workers) return own;
  if (config.role == "worker") {
    return wrong("cluster.worker_secret_file",
                 "a worker has one secret, cluster.secret_file; only managers have that of their workers as well");
  }
  return own.with_workers(**workers);
}

Result<wire::Keyring> first_keyring(const runtime::NodeConfig::Cluster& config) {
  auto own = keyring_at(own_place(config));
  if (!own) return fail(own.error());
  if (!*own) {
    return wrong("cluster.secret_file",
                 fmt::format("a node of a cluster needs a secret of at least {} characters; name a file that only its "
                             "owner may read, or set {}",
                             wire::kClusterSecretBytesMin, kAuthSecretVariable));
  }
  runtime::leave_no_core_dump();
  return with_workers(std::move(**own), config);
}

}  // namespace

bool is_in_cluster(const runtime::NodeConfig& config) {
  return config.cluster.role != "none";
}

Result<wire::Keyring> read_keyring(const runtime::NodeConfig::Cluster& config) {
  if (config.secret_file.empty()) return wrong("cluster.secret_file", "only a secret in a file can be changed");
  auto own = keyring_at(own_place(config));
  if (!own) return fail(own.error());
  return with_workers(std::move(**own), config);
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
