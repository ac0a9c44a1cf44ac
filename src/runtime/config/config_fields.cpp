#include "runtime/config/config_fields.h"

#include "base/check.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

namespace hyperscale::runtime {
namespace {

// The path and the way to the member come from the same tokens, so they cannot disagree.
#define FIELD(path) #path, FieldAccess(+[](NodeConfig& c) -> auto& { return c.path; })

constexpr bool kLive = true;
constexpr bool kRestart = false;
constexpr bool kSecret = true;

constexpr std::int64_t kThreadsMax = 1024;
constexpr std::int64_t kWorkersMax = 4096;
constexpr std::int64_t kCountMax = 1'000'000;
constexpr std::int64_t kPercentMax = 100;
constexpr std::int64_t kRatioMax = 100;
constexpr std::int64_t kTriesMax = 100;
constexpr std::int64_t kRestartsMax = 1000;
constexpr std::int64_t kFrameBytesMin = 64;
constexpr std::int64_t kFrameBytesMax = 64 << 20;
constexpr std::int64_t kBodyBytesMax = 1 << 30;
constexpr Duration kShortest = 1ms;
constexpr Duration kLongest = 1h;
constexpr Duration kDrainMax = 5s;
constexpr Duration kPreDrainMax = 60s;
constexpr Duration kPeriodMin = 10ms;
constexpr Duration kProbeIntervalMax = 60s;
constexpr std::int64_t kVotersMax = 64;

FieldInfo row(std::string path, FieldAccess access, FieldKind kind, bool live, std::string help) {
  FieldInfo info{.path = std::move(path), .kind = kind, .help = std::move(help), .live = live, .access = access};
  info.environment = environment_name(info.path);
  info.default_text = field_text(NodeConfig(), info);
  return info;
}

FieldInfo bounded(FieldInfo info, std::int64_t min, std::int64_t max) {
  info.min = min;
  info.max = max;
  return info;
}

FieldInfo on_off(std::string path, FieldAccess access, bool live, std::string help) {
  return row(std::move(path), access, FieldKind::kSwitch, live, std::move(help));
}

FieldInfo count(std::string path, FieldAccess access, bool live, std::int64_t min, std::int64_t max, std::string help) {
  return bounded(row(std::move(path), access, FieldKind::kCount, live, std::move(help)), min, max);
}

FieldInfo size(std::string path, FieldAccess access, bool live, std::int64_t min, std::int64_t max, std::string help) {
  return bounded(row(std::move(path), access, FieldKind::kSize, live, std::move(help)), min, max);
}

FieldInfo span(std::string path, FieldAccess access, bool live, Duration min, Duration max, std::string help) {
  return bounded(row(std::move(path), access, FieldKind::kDuration, live, std::move(help)), min.count(), max.count());
}

FieldInfo text(std::string path, FieldAccess access, FieldKind kind, std::string help, bool secret = false,
               bool live = kRestart) {
  FieldInfo info = row(std::move(path), access, kind, live, std::move(help));
  info.secret = secret;
  return info;
}

FieldInfo choice(std::string path, FieldAccess access, bool live, std::vector<std::string> choices, std::string help) {
  FieldInfo info = row(std::move(path), access, FieldKind::kChoice, live, std::move(help));
  info.choices = std::move(choices);
  return info;
}

void add_process_fields(std::vector<FieldInfo>& f) {
  f.push_back(text(FIELD(node.name), FieldKind::kText, "name of the node in logs and answers"));
  f.push_back(on_off(FIELD(node.single_thread), kRestart, "run every task on one thread"));
  f.push_back(count(FIELD(node.threads), kRestart, 0, kThreadsMax, "event-loop threads; 0 = one per CPU"));
  f.push_back(on_off(FIELD(node.amnesia), kRestart,
                     "write nothing to disk and wipe memory on release; the variable AMNESIA=1 does the same"));
  f.push_back(count(FIELD(node.workers), kRestart, 0, kWorkersMax, "workers of the job queue; 0 = one per CPU"));
}

void add_network_fields(std::vector<FieldInfo>& f) {
  f.push_back(text(FIELD(api.listen), FieldKind::kAddress, "address of the HTTP API; port 0 = any free port"));
  f.push_back(text(FIELD(api.hosts), FieldKind::kItems,
                   "names under which the API and the metrics are asked for, besides addresses and localhost"));
  f.push_back(span(FIELD(api.deadline), kLive, kShortest, kLongest, "time that a request may take in all"));
  f.push_back(size(FIELD(api.body_bytes_max), kLive, 1, kBodyBytesMax, "largest request body"));
  f.push_back(count(FIELD(api.concurrency_per_route), kLive, 1, kCountMax, "requests in flight on one route"));
  f.push_back(count(FIELD(api.accept_rate_per_ip), kLive, 1, kCountMax, "new connections per second from one address"));
  f.push_back(count(FIELD(api.accept_burst_per_ip), kLive, 1, kCountMax, "new connections at once from one address"));
  f.push_back(count(FIELD(api.max_conns), kLive, 1, kCountMax, "open connections"));
  f.push_back(count(FIELD(api.conns_per_ip), kLive, 1, kCountMax, "open connections of one address"));
  f.push_back(count(FIELD(api.decompression_ratio_max), kLive, 1, kRatioMax, "how far a compressed body may expand"));
  f.push_back(size(FIELD(api.decompressed_bytes_max), kLive, 1, kBodyBytesMax, "largest body after decompression"));

  f.push_back(text(FIELD(metrics.listen), FieldKind::kAddress, "address of /metrics, /healthz and /readyz"));

  f.push_back(
      text(FIELD(transport.listen), FieldKind::kAddress, "address of the framed transport; port 0 = any free port"));
  f.push_back(size(FIELD(transport.max_frame_bytes), kLive, kFrameBytesMin, kFrameBytesMax, "largest frame"));
  f.push_back(count(FIELD(transport.max_conns), kLive, 1, kCountMax, "open connections"));
  f.push_back(span(FIELD(transport.read_timeout), kLive, kShortest, kLongest, "time to read a frame that has begun"));
  f.push_back(span(FIELD(transport.write_timeout), kLive, kShortest, kLongest, "time to write a frame"));
  f.push_back(span(FIELD(transport.idle_timeout), kLive, kShortest, kLongest, "time between frames"));
  f.push_back(
      count(FIELD(transport.accept_rate_per_ip), kLive, 1, kCountMax, "new connections per second from one address"));
  f.push_back(
      count(FIELD(transport.accept_burst_per_ip), kLive, 1, kCountMax, "new connections at once from one address"));

  f.push_back(on_off(FIELD(tls.enabled), kRestart, "encrypt the HTTP API; needs both files"));
  f.push_back(text(FIELD(tls.cert_file), FieldKind::kPath, "certificate chain, PEM"));
  f.push_back(text(FIELD(tls.key_file), FieldKind::kPath, "private key, PEM", kSecret));
  f.push_back(text(FIELD(tls.groups), FieldKind::kList,
                   "key-exchange groups in order of preference, such as X25519MLKEM768:X25519; empty = the library's"));
  f.push_back(span(FIELD(tls.handshake_timeout), kLive, kShortest, kLongest, "time for a handshake"));
}

void add_queue_fields(std::vector<FieldInfo>& f) {
  f.push_back(count(FIELD(queues.work), kRestart, 1, kCountMax, "jobs that wait; further ones are answered Busy"));
  f.push_back(
      count(FIELD(queues.telemetry), kRestart, 1, kCountMax, "telemetry events that wait; the oldest is dropped"));
  f.push_back(count(FIELD(queues.bus), kRestart, 1, kCountMax, "events a slow receiver may be behind"));
  f.push_back(
      count(FIELD(queues.config_updates), kRestart, 1, kCountMax, "configuration updates that wait; they coalesce"));
  f.push_back(count(FIELD(queues.index_updates), kRestart, 1, kCountMax, "index updates that wait; they coalesce"));
}

void add_recovery_fields(std::vector<FieldInfo>& f) {
  f.push_back(span(FIELD(drain.deadline), kLive, kShortest, kDrainMax,
                   "time for work to end after a stop; then it is aborted"));
  f.push_back(span(FIELD(drain.pre_drain_deadline), kLive, 0s, kPreDrainMax,
                   "time between /readyz turning unready and the listeners closing"));

  f.push_back(
      span(FIELD(restart.first_delay_min), kLive, kShortest, kLongest, "shortest wait before the first restart"));
  f.push_back(
      span(FIELD(restart.first_delay_max), kLive, kShortest, kLongest, "longest wait before the first restart"));
  f.push_back(span(FIELD(restart.delay_cap), kLive, kShortest, kLongest, "longest wait before any restart"));
  f.push_back(count(FIELD(restart.restarts_max), kLive, 1, kRestartsMax, "restarts in the window before Degraded"));
  f.push_back(span(FIELD(restart.window), kLive, kShortest, kLongest, "sliding window in which restarts are counted"));
  f.push_back(
      span(FIELD(restart.recovery_hysteresis), kLive, 0s, kLongest, "time a service must stay up to be Ready again"));
  f.push_back(span(FIELD(restart.backoff_reset_after), kLive, kShortest, kLongest,
                   "time without a crash after which the wait starts small again"));

  f.push_back(span(FIELD(retry.initial_min), kLive, kShortest, kLongest, "shortest wait before the first retry"));
  f.push_back(span(FIELD(retry.initial_max), kLive, kShortest, kLongest, "longest wait before the first retry"));
  f.push_back(span(FIELD(retry.cap), kLive, kShortest, kLongest, "longest wait before any retry"));
  f.push_back(
      count(FIELD(retry.tries_max), kLive, 1, kTriesMax, "tries of an idempotent call, the first one included"));

  f.push_back(span(FIELD(breaker.window), kLive, kPeriodMin, kLongest, "rolling window of the error rate"));
  f.push_back(
      count(FIELD(breaker.min_samples), kLive, 1, kCountMax, "calls in the window before the breaker may open"));
  f.push_back(
      count(FIELD(breaker.error_rate_percent), kLive, 1, kPercentMax, "share of failures that opens the breaker"));
  f.push_back(
      span(FIELD(breaker.cool_down), kLive, kShortest, kLongest, "time an open breaker waits before it probes"));
}

void add_facet_fields(std::vector<FieldInfo>& f) {
  f.push_back(count(FIELD(facets.feed_fanout), kLive, 0, kCountMax, "permits of Feed; 0 = 4 per CPU"));
  f.push_back(count(FIELD(facets.graph_expand), kLive, 0, kCountMax, "permits of Graph; 0 = 2 per CPU"));
  f.push_back(count(FIELD(facets.search_qps), kLive, 0, kCountMax, "permits of Search; 0 = 4 per CPU"));
  f.push_back(count(FIELD(facets.index_ingest), kLive, 0, kCountMax, "permits of Index; 0 = 1 per CPU"));
  f.push_back(count(FIELD(facets.mailbox_ops), kLive, 0, kCountMax, "permits of Mailbox; 0 = 4 per CPU"));
  f.push_back(count(FIELD(facets.compute), kLive, 0, kCountMax, "permits of Compute; 0 = 4 per CPU"));
  f.push_back(count(FIELD(facets.tenant_rate), kLive, 1, kCountMax, "calls per second of one tenant"));
  f.push_back(count(FIELD(facets.tenant_burst), kLive, 1, kCountMax, "calls at once of one tenant"));
  f.push_back(count(FIELD(facets.tenant_queue_max), kLive, 1, kCountMax, "work of one tenant that may wait"));
  f.push_back(span(FIELD(facets.deadline), kLive, kShortest, kLongest, "time that a call of a facet may take"));
}

void add_cluster_fields(std::vector<FieldInfo>& f) {
  f.push_back(choice(FIELD(cluster.role), kRestart, {"none", "gate", "manager", "worker"},
                     "what this node is in its cluster; the commands gate, manager and worker set it"));
  f.push_back(text(FIELD(cluster.name), FieldKind::kText, "name of the cluster; nodes of another one are strangers"));
  f.push_back(text(FIELD(cluster.environment), FieldKind::kText, "such as staging or production; part of the keys"));
  f.push_back(text(FIELD(cluster.datacenter), FieldKind::kText, "where this node is"));
  f.push_back(text(FIELD(cluster.listen), FieldKind::kAddress,
                   "UDP address that this node is known by; others must be able to reach it"));
  f.push_back(text(FIELD(cluster.seeds), FieldKind::kItems, "UDP addresses of nodes to contact first"));
  f.push_back(
      count(FIELD(cluster.group_size), kRestart, 0, kVotersMax,
            "voters of this node's group (gates, or managers of a datacenter) with itself; never the live ones"));
  f.push_back(text(FIELD(cluster.voters), FieldKind::kItems, "names of those voters; empty = the first that come"));
  f.push_back(count(FIELD(cluster.priority), kRestart, 0, kCountMax, "who is preferred as leader among the healthy"));
  f.push_back(span(FIELD(cluster.probe_interval), kRestart, kPeriodMin, kProbeIntervalMax,
                   "time between probes; all other timings of the cluster follow from it"));
  f.push_back(text(FIELD(cluster.secret_file), FieldKind::kPath,
                   "file with the secret of gates and managers, or of workers; empty = HYPERSCALE_AUTH_SECRET", kSecret,
                   kLive));
  f.push_back(text(FIELD(cluster.previous_secret_file), FieldKind::kPath,
                   "another secret that is understood, during a rotation", kSecret, kLive));
  f.push_back(text(FIELD(cluster.worker_secret_file), FieldKind::kPath,
                   "of a manager: file with the secret of its workers; empty = HYPERSCALE_AUTH_WORKER_SECRET", kSecret,
                   kLive));
  f.push_back(text(FIELD(cluster.previous_worker_secret_file), FieldKind::kPath,
                   "another secret of workers that is understood, during a rotation", kSecret, kLive));
  f.push_back(text(FIELD(cluster.state_dir), FieldKind::kPath, "folder for what a voter must not forget"));
  f.push_back(text(FIELD(cluster.tls_cert_file), FieldKind::kPath,
                   "certificate chain of this node, PEM; with it nodes speak TLS on the framed transport"));
  f.push_back(text(FIELD(cluster.tls_key_file), FieldKind::kPath, "private key of that certificate, PEM", kSecret));
  f.push_back(text(FIELD(cluster.tls_ca_file), FieldKind::kPath, "who may sign certificates of nodes, PEM"));
  f.push_back(on_off(FIELD(cluster.tls_verify_hostname), kRestart,
                     "a node's certificate must be made out to the address it is reached at"));
}

void add_operation_fields(std::vector<FieldInfo>& f) {
  f.push_back(text(FIELD(admin.token_file), FieldKind::kPath,
                   "file with the API's bearer token; empty = HYPERSCALE_ADMIN_TOKEN, or one that is made at start",
                   kSecret));
  f.push_back(
      on_off(FIELD(admin.fault_injection), kRestart, "allow the routes that crash or stall services, for tests"));

  f.push_back(
      choice(FIELD(log.level), kLive, {"trace", "debug", "info", "warn", "error"}, "least important level logged"));
  f.push_back(choice(FIELD(log.format), kRestart, {"text", "json"}, "form of a log line"));
  f.push_back(text(FIELD(log.file), FieldKind::kPath, "log file; empty = standard error; refused with node.amnesia"));

  f.push_back(span(FIELD(health.period), kRestart, kPeriodMin, kLongest, "time between health reports"));

  f.push_back(on_off(FIELD(config_watch.enabled), kRestart, "reload when the file changes"));
  f.push_back(span(FIELD(config_watch.stat_interval), kRestart, kPeriodMin, kLongest,
                   "time between looks at the file, should notifications fail"));

  f.push_back(count(FIELD(blocking_pool.threads), kRestart, 0, kThreadsMax,
                    "threads for disk and other blocking work; 0 = one per CPU, at least 2"));
  f.push_back(count(FIELD(blocking_pool.queue), kRestart, 1, kCountMax, "blocking work that may wait"));
}

#undef FIELD

struct Table {
  std::vector<FieldInfo> fields;
  std::vector<std::string> paths;
  std::map<std::string, const FieldInfo*, std::less<>> by_path;

  Table() {
    add_process_fields(fields);
    add_network_fields(fields);
    add_queue_fields(fields);
    add_recovery_fields(fields);
    add_facet_fields(fields);
    add_cluster_fields(fields);
    add_operation_fields(fields);
    for (const FieldInfo& field : fields) {
      paths.push_back(field.path);
      CHECK(by_path.emplace(field.path, &field).second, "{} appears twice", field.path);
    }
  }
};

const Table& table() {
  static const Table instance;
  return instance;
}

}  // namespace

std::span<const FieldInfo> config_fields() {
  return table().fields;
}

const FieldInfo* find_field(std::string_view path) {
  const auto found = table().by_path.find(path);
  return found == table().by_path.end() ? nullptr : found->second;
}

std::span<const std::string> field_paths() {
  return table().paths;
}

}  // namespace hyperscale::runtime
