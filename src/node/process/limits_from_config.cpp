#include "node/process/limits_from_config.h"

#include <algorithm>

namespace hyperscale::node {
namespace {

constexpr std::uint64_t kMetricsBodyBytesMax = 64 * 1024;
constexpr std::uint32_t kMetricsConnectionsMax = 256;
constexpr std::uint32_t kMetricsConnectionsPerIp = 128;

}  // namespace

runtime::HttpLimits api_limits(const runtime::NodeConfig& config) {
  runtime::HttpLimits limits;
  limits.deadline = config.api.deadline;
  limits.read_timeout = config.transport.read_timeout;
  limits.write_timeout = config.transport.write_timeout;
  limits.idle_timeout = config.transport.idle_timeout;
  limits.handshake_timeout = config.tls.handshake_timeout;
  limits.body_bytes_max = config.api.body_bytes_max;
  limits.concurrency_per_route = config.api.concurrency_per_route;
  limits.max_conns = config.api.max_conns;
  limits.conns_per_ip = config.api.conns_per_ip;
  limits.accept_rate_per_ip = config.api.accept_rate_per_ip;
  limits.accept_burst_per_ip = config.api.accept_burst_per_ip;
  limits.decompression_ratio_max = config.api.decompression_ratio_max;
  limits.decompressed_bytes_max = config.api.decompressed_bytes_max;
  return limits;
}

runtime::HttpLimits metrics_limits(const runtime::NodeConfig& config) {
  runtime::HttpLimits limits = api_limits(config);
  limits.body_bytes_max = kMetricsBodyBytesMax;
  limits.max_conns = kMetricsConnectionsMax;
  limits.conns_per_ip = kMetricsConnectionsPerIp;
  return limits;
}

runtime::FramedLimits framed_limits(const runtime::NodeConfig& config) {
  runtime::FramedLimits limits;
  limits.max_frame_bytes = config.transport.max_frame_bytes;
  limits.max_conns = config.transport.max_conns;
  limits.read_timeout = config.transport.read_timeout;
  limits.write_timeout = config.transport.write_timeout;
  limits.idle_timeout = config.transport.idle_timeout;
  limits.handshake_timeout = config.tls.handshake_timeout;
  limits.accept_rate_per_ip = config.transport.accept_rate_per_ip;
  limits.accept_burst_per_ip = config.transport.accept_burst_per_ip;
  return limits;
}

runtime::RestartLimits restart_limits(const runtime::NodeConfig& config) {
  runtime::RestartLimits limits;
  limits.first_delay_min = config.restart.first_delay_min;
  limits.first_delay_max = config.restart.first_delay_max;
  limits.delay_cap = config.restart.delay_cap;
  limits.restarts_max = static_cast<int>(config.restart.restarts_max);
  limits.window = config.restart.window;
  limits.backoff_reset_after = config.restart.backoff_reset_after;
  limits.recovery_hysteresis = config.restart.recovery_hysteresis;
  return limits;
}

runtime::RetryLimits retry_limits(const runtime::NodeConfig& config) {
  return {config.retry.initial_min, config.retry.initial_max, config.retry.cap,
          static_cast<int>(config.retry.tries_max)};
}

runtime::BreakerLimits breaker_limits(const runtime::NodeConfig& config) {
  runtime::BreakerLimits limits;
  limits.window = config.breaker.window;
  limits.min_samples = static_cast<int>(config.breaker.min_samples);
  limits.error_rate = config.breaker.error_rate_percent / 100.0;
  limits.cool_down = config.breaker.cool_down;
  return limits;
}

runtime::DrainLimits drain_limits(const runtime::NodeConfig& config, Duration pre_drain_min) {
  runtime::DrainLimits limits;
  limits.drain_deadline = config.drain.deadline;
  limits.pre_drain_deadline = std::max(config.drain.pre_drain_deadline, pre_drain_min);
  return limits;
}

}  // namespace hyperscale::node
