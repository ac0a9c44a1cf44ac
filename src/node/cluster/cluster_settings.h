// Converts a node's configuration to its ClusterConfig: parses addresses, reads and checks secrets.
//
// cluster_settings() removes the secrets from the environment, so it is called once, before other threads exist.
// Failure: one sentence that names the key and what to write.
#pragma once

#include "base/result.h"
#include "cluster/cluster_config.h"
#include "runtime/config/node_config.h"

namespace hyperscale::node {

inline constexpr const char* kAuthSecretVariable = "HYPERSCALE_AUTH_SECRET";
inline constexpr const char* kPreviousAuthSecretVariable = "HYPERSCALE_AUTH_SECRET_PREVIOUS";
inline constexpr const char* kWorkerSecretVariable = "HYPERSCALE_AUTH_WORKER_SECRET";
inline constexpr const char* kPreviousWorkerSecretVariable = "HYPERSCALE_AUTH_WORKER_SECRET_PREVIOUS";

bool is_in_cluster(const runtime::NodeConfig& config);

// REQUIRES: is_in_cluster(config). `self.address` may have port 0: ClusterService::bind() fills in the port.
Result<cluster::ClusterConfig> cluster_settings(const runtime::NodeConfig& config);

// The secrets from files only, for a rotation while the node runs (SIGHUP).
Result<wire::Keyring> read_keyring(const runtime::NodeConfig::Cluster& config);

}  // namespace hyperscale::node
