// NodeConfig: the configuration of a node, as plain values with their defaults.
//
// Thread rule: a value type. A node shares one as an immutable snapshot (std::shared_ptr<const NodeConfig>) and
// replaces the snapshot on a reload. Invariants: a default-constructed NodeConfig is valid; one that came out of
// load_config without errors keeps every range and rule. Failure: none.
//
// A new key needs a member here and a row in config_fields.cpp; loader, printer, diff and the reference table follow
// from the row. Counts that say "0 = ..." are resolved against the machine by resolve_capacity (config_capacity.h).
#pragma once

#include "base/time.h"

#include <cstdint>
#include <string>

namespace hyperscale::runtime {

struct NodeConfig {
  struct Node {
    std::string name = "node";
    bool single_thread = false;
    std::uint32_t threads = 0;  // 0 = one per CPU
    bool amnesia = false;
    std::uint32_t workers = 0;  // 0 = one per CPU
    bool operator==(const Node&) const = default;
  };
  struct Api {
    std::string listen = "127.0.0.1:8080";
    std::string hosts;  // names separated by commas
    Duration deadline = 2s;
    std::uint64_t body_bytes_max = 4 * 1024 * 1024;
    std::uint32_t concurrency_per_route = 512;
    std::uint32_t accept_rate_per_ip = 500;  // connections per second
    std::uint32_t accept_burst_per_ip = 1000;
    std::uint32_t max_conns = 1024;
    std::uint32_t conns_per_ip = 512;
    std::uint32_t decompression_ratio_max = 10;
    std::uint64_t decompressed_bytes_max = 32 * 1024 * 1024;
    bool operator==(const Api&) const = default;
  };
  struct Metrics {
    std::string listen = "127.0.0.1:9600";
    bool operator==(const Metrics&) const = default;
  };
  struct Transport {
    std::string listen = "127.0.0.1:7600";
    std::uint64_t max_frame_bytes = 1024 * 1024;
    std::uint32_t max_conns = 1024;
    Duration read_timeout = 5s;
    Duration write_timeout = 5s;
    Duration idle_timeout = 60s;
    std::uint32_t accept_rate_per_ip = 500;  // connections per second
    std::uint32_t accept_burst_per_ip = 1000;
    bool operator==(const Transport&) const = default;
  };
  struct Tls {
    bool enabled = false;
    std::string cert_file;
    std::string key_file;
    std::string groups;  // empty = the choice of the TLS library
    Duration handshake_timeout = 2s;
    bool operator==(const Tls&) const = default;
  };
  struct Queues {
    std::uint32_t work = 512;
    std::uint32_t telemetry = 512;
    std::uint32_t bus = 1024;
    std::uint32_t config_updates = 64;
    std::uint32_t index_updates = 256;
    bool operator==(const Queues&) const = default;
  };
  struct Drain {
    Duration deadline = 3s;
    Duration pre_drain_deadline = 0s;
    bool operator==(const Drain&) const = default;
  };
  struct Restart {
    Duration first_delay_min = 100ms;
    Duration first_delay_max = 500ms;
    Duration delay_cap = 5s;
    std::uint32_t restarts_max = 5;
    Duration window = 60s;
    Duration recovery_hysteresis = 5s;
    Duration backoff_reset_after = 60s;
    bool operator==(const Restart&) const = default;
  };
  struct Retry {
    Duration initial_min = 50ms;
    Duration initial_max = 100ms;
    Duration cap = 2s;
    std::uint32_t tries_max = 3;
    bool operator==(const Retry&) const = default;
  };
  struct Breaker {
    Duration window = 10s;
    std::uint32_t min_samples = 20;
    std::uint32_t error_rate_percent = 50;
    Duration cool_down = 5s;
    bool operator==(const Breaker&) const = default;
  };
  // The first six are permits; 0 = a multiple of the CPUs: 4, 2, 4, 1, 4, 4.
  struct Facets {
    std::uint32_t feed_fanout = 0;
    std::uint32_t graph_expand = 0;
    std::uint32_t search_qps = 0;
    std::uint32_t index_ingest = 0;
    std::uint32_t mailbox_ops = 0;
    std::uint32_t compute = 0;
    std::uint32_t tenant_rate = 100;  // per second
    std::uint32_t tenant_burst = 200;
    std::uint32_t tenant_queue_max = 64;
    Duration deadline = 2s;
    bool operator==(const Facets&) const = default;
  };
  // Identity of this node in a cluster; without a role it joins none.
  struct Cluster {
    std::string role = "none";  // none, gate, manager, worker
    std::string name = "default";
    std::string environment = "default";
    std::string datacenter = "dc1";
    std::string listen = "127.0.0.1:7700";  // UDP
    std::string seeds;                      // addresses separated by commas
    std::uint32_t group_size = 0;           // voters of this node's group with itself; 0 = not set
    std::string voters;                     // their names separated by commas; empty = the first names seen
    std::uint32_t priority = 0;
    Duration probe_interval = 1s;
    std::string secret_file;
    std::string previous_secret_file;
    std::string worker_secret_file;  // of a manager: the secret of its workers
    std::string previous_worker_secret_file;
    std::string state_dir;
    // TLS between nodes on the framed transport; all three or none.
    std::string tls_cert_file;
    std::string tls_key_file;
    std::string tls_ca_file;
    bool tls_verify_hostname = true;
    bool operator==(const Cluster&) const = default;
  };
  struct Admin {
    std::string token_file;
    bool fault_injection = false;
    bool operator==(const Admin&) const = default;
  };
  struct Log {
    std::string level = "info";   // trace, debug, info, warn, error
    std::string format = "text";  // text, json
    std::string file;             // empty = standard error
    bool operator==(const Log&) const = default;
  };
  struct Health {
    Duration period = 1s;
    bool operator==(const Health&) const = default;
  };
  struct ConfigWatch {
    bool enabled = true;
    Duration stat_interval = 5s;
    bool operator==(const ConfigWatch&) const = default;
  };
  struct BlockingPool {
    std::uint32_t threads = 0;  // 0 = one per CPU, at least 2
    std::uint32_t queue = 256;
    bool operator==(const BlockingPool&) const = default;
  };

  Node node;
  Api api;
  Metrics metrics;
  Transport transport;
  Tls tls;
  Queues queues;
  Drain drain;
  Restart restart;
  Retry retry;
  Breaker breaker;
  Facets facets;
  Cluster cluster;
  Admin admin;
  Log log;
  Health health;
  ConfigWatch config_watch;
  BlockingPool blocking_pool;
  bool operator==(const NodeConfig&) const = default;
};

}  // namespace hyperscale::runtime
