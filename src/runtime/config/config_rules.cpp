#include "runtime/config/config_rules.h"

#include "base/duration_text.h"
#include "base/size_text.h"
#include "runtime/config/listen_address.h"

#include <fmt/format.h>

namespace hyperscale::runtime {
namespace {

using Problem = std::optional<FieldProblem>;

Problem ordered(std::string_view small_path, Duration small, std::string_view large_path, Duration large) {
  if (small <= large) return std::nullopt;
  return FieldProblem{fmt::format("{} ({}) is longer than {} ({})", small_path, format_duration(small), large_path,
                                  format_duration(large)),
                      fmt::format("raise {} or lower {}", large_path, small_path)};
}

Problem restart_delays(const NodeConfig& c) {
  return ordered("restart.first_delay_min", c.restart.first_delay_min, "restart.first_delay_max",
                 c.restart.first_delay_max);
}

Problem restart_cap(const NodeConfig& c) {
  return ordered("restart.first_delay_max", c.restart.first_delay_max, "restart.delay_cap", c.restart.delay_cap);
}

Problem retry_delays(const NodeConfig& c) {
  return ordered("retry.initial_min", c.retry.initial_min, "retry.initial_max", c.retry.initial_max);
}

Problem retry_cap(const NodeConfig& c) {
  return ordered("retry.initial_max", c.retry.initial_max, "retry.cap", c.retry.cap);
}

Problem amnesia_writes_no_log(const NodeConfig& c) {
  if (!c.node.amnesia || c.log.file.empty()) return std::nullopt;
  return FieldProblem{"log.file is set although node.amnesia forbids writing to disk",
                      "remove log.file to log to standard error, or turn node.amnesia off"};
}

Problem tls_has_files(const NodeConfig& c) {
  if (!c.tls.enabled || (!c.tls.cert_file.empty() && !c.tls.key_file.empty())) return std::nullopt;
  const std::string_view missing = c.tls.cert_file.empty() ? "tls.cert_file" : "tls.key_file";
  return FieldProblem{fmt::format("tls.enabled is true but {} is empty", missing),
                      "set tls.cert_file and tls.key_file, or turn tls.enabled off"};
}

Problem token_is_not_sent_in_clear(const NodeConfig& c) {
  const auto address = parse_listen_address(c.api.listen);
  if (c.tls.enabled || !address || is_loopback(*address)) return std::nullopt;
  return FieldProblem{fmt::format("others can reach api.listen {} and tls.enabled is false: the API's token would "
                                  "travel in clear text",
                                  c.api.listen),
                      "set tls.enabled, tls.cert_file and tls.key_file, or listen on 127.0.0.1"};
}

Problem body_fits_its_expansion(const NodeConfig& c) {
  if (c.api.body_bytes_max <= c.api.decompressed_bytes_max) return std::nullopt;
  return FieldProblem{fmt::format("api.body_bytes_max ({}) is larger than api.decompressed_bytes_max ({})",
                                  format_size(c.api.body_bytes_max), format_size(c.api.decompressed_bytes_max)),
                      "raise api.decompressed_bytes_max or lower api.body_bytes_max"};
}

Problem one_thread_is_one(const NodeConfig& c) {
  if (!c.node.single_thread || c.node.threads <= 1) return std::nullopt;
  return FieldProblem{fmt::format("node.single_thread is true but node.threads is {}", c.node.threads),
                      "remove node.threads or turn node.single_thread off"};
}

Problem apart(std::string_view path_a, const std::string& a, std::string_view path_b, const std::string& b) {
  const auto address_a = parse_listen_address(a);
  const auto address_b = parse_listen_address(b);
  if (!address_a || !address_b || *address_a != *address_b || address_a->port == 0) return std::nullopt;
  return FieldProblem{fmt::format("{} and {} are both {}", path_a, path_b, a), "give each listener its own port"};
}

Problem api_and_metrics_apart(const NodeConfig& c) {
  return apart("api.listen", c.api.listen, "metrics.listen", c.metrics.listen);
}

Problem api_and_transport_apart(const NodeConfig& c) {
  return apart("api.listen", c.api.listen, "transport.listen", c.transport.listen);
}

Problem metrics_and_transport_apart(const NodeConfig& c) {
  return apart("metrics.listen", c.metrics.listen, "transport.listen", c.transport.listen);
}

bool votes(const NodeConfig& c) {
  return c.cluster.role == "gate" || c.cluster.role == "manager";
}

Problem voter_knows_its_group(const NodeConfig& c) {
  if (!votes(c) || c.cluster.group_size > 0) return std::nullopt;
  return FieldProblem{fmt::format("cluster.group_size is not set, and a {} votes for its leader", c.cluster.role),
                      "set it to the number of " + c.cluster.role + "s of the group, however many are up"};
}

Problem voter_remembers(const NodeConfig& c) {
  if (!votes(c)) return std::nullopt;
  if (c.node.amnesia) {
    return FieldProblem{fmt::format("a {} with node.amnesia could vote twice", c.cluster.role),
                        "turn node.amnesia off, or run a worker"};
  }
  if (!c.cluster.state_dir.empty()) return std::nullopt;
  return FieldProblem{fmt::format("cluster.state_dir is not set, and a {} must not forget its votes", c.cluster.role),
                      "set it to a folder that only this node uses"};
}

Problem cluster_tls_is_whole(const NodeConfig& c) {
  const bool cert = !c.cluster.tls_cert_file.empty();
  const bool key = !c.cluster.tls_key_file.empty();
  const bool authority = !c.cluster.tls_ca_file.empty();
  if (cert == key && key == authority) return std::nullopt;
  const std::string_view missing = !cert  ? "cluster.tls_cert_file"
                                   : !key ? "cluster.tls_key_file"
                                          : "cluster.tls_ca_file";
  return FieldProblem{fmt::format("TLS between nodes needs three files and {} is empty", missing),
                      "set cluster.tls_cert_file, cluster.tls_key_file and cluster.tls_ca_file, or none of them"};
}

}  // namespace

std::span<const ConfigRule> config_rules() {
  static const std::vector<ConfigRule> rules{
      {{"restart.first_delay_min", "restart.first_delay_max"}, restart_delays},
      {{"restart.first_delay_max", "restart.delay_cap"}, restart_cap},
      {{"retry.initial_min", "retry.initial_max"}, retry_delays},
      {{"retry.initial_max", "retry.cap"}, retry_cap},
      {{"log.file", "node.amnesia"}, amnesia_writes_no_log},
      {{"tls.enabled", "tls.cert_file", "tls.key_file"}, tls_has_files},
      {{"api.listen", "tls.enabled"}, token_is_not_sent_in_clear},
      {{"api.body_bytes_max", "api.decompressed_bytes_max"}, body_fits_its_expansion},
      {{"node.threads", "node.single_thread"}, one_thread_is_one},
      {{"api.listen", "metrics.listen"}, api_and_metrics_apart},
      {{"api.listen", "transport.listen"}, api_and_transport_apart},
      {{"metrics.listen", "transport.listen"}, metrics_and_transport_apart},
      {{"cluster.role", "cluster.group_size"}, voter_knows_its_group},
      {{"cluster.role", "cluster.state_dir", "node.amnesia"}, voter_remembers},
      {{"cluster.tls_cert_file", "cluster.tls_key_file", "cluster.tls_ca_file"}, cluster_tls_is_whole},
  };
  return rules;
}

}  // namespace hyperscale::runtime
