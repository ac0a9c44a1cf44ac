// Converts the configuration to the limits of each part of a node.
#pragma once

#include "runtime/config/node_config.h"
#include "runtime/http/http_limits.h"
#include "runtime/policy/circuit_breaker.h"
#include "runtime/policy/drain_machine.h"
#include "runtime/policy/restart_policy.h"
#include "runtime/policy/retry_policy.h"
#include "runtime/transport/framed_limits.h"

namespace hyperscale::node {

runtime::HttpLimits api_limits(const runtime::NodeConfig& config);
// The metrics listener serves operators: same timeouts, small bodies, few connections.
runtime::HttpLimits metrics_limits(const runtime::NodeConfig& config);
runtime::FramedLimits framed_limits(const runtime::NodeConfig& config);
runtime::RestartLimits restart_limits(const runtime::NodeConfig& config);
runtime::RetryLimits retry_limits(const runtime::NodeConfig& config);
runtime::BreakerLimits breaker_limits(const runtime::NodeConfig& config);
runtime::DrainLimits drain_limits(const runtime::NodeConfig& config, Duration pre_drain_min = {});

}  // namespace hyperscale::node
