// DriverPolicies: settings of a driver. The fields have the names of their configuration keys, which are
// `policies.NAME` in a file and HYPERSCALE_POLICIES_NAME in the environment. Pure; any thread.
#pragma once

#include "base/result.h"
#include "base/time.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hyperscale::stream {

// An epoch is fresh for this many announce periods unless epoch_gc_min_age_ns is set.
inline constexpr std::uint32_t kFreshPeriods = 3;
// The current epoch and the one before it: a consumer that is about to remap finds both.
inline constexpr std::uint32_t kEpochsKeptMin = 2;

struct DriverPolicies {
  bool epoch_gc_enabled = true;
  std::uint32_t epoch_gc_keep = kEpochsKeptMin;        // the current epoch and those before it
  std::optional<std::uint64_t> epoch_gc_min_age_ns{};  // unset: kFreshPeriods announce periods
  bool epoch_gc_on_startup = false;
  std::uint64_t announce_period_ms = 1000;
  std::uint64_t lease_keepalive_interval_ms = 1000;
  std::uint64_t lease_expiry_grace_intervals = 3;
  bool cleanup_shm_on_exit = false;  // remove the namespace with its driver

  Duration announce_period() const { return std::chrono::milliseconds(announce_period_ms); }
  Duration keepalive_interval() const { return std::chrono::milliseconds(lease_keepalive_interval_ms); }
  Duration lease_time() const { return keepalive_interval() * static_cast<std::int64_t>(lease_expiry_grace_intervals); }
  Duration min_age() const;
};

// The keys, in the order of the fields, with their prefix.
const std::vector<std::string>& policy_keys();
// "HYPERSCALE_POLICIES_EPOCH_GC_KEEP" for "policies.epoch_gc_keep".
std::string policy_variable(std::string_view key);
// Fails with kInvalidArgument for an unknown key, and for an invalid value or one beyond its limits. Keeping fewer than
// kEpochsKeptMin is refused.
Status set_policy(DriverPolicies& policies, std::string_view key, std::string_view value);
// Applies every variable that `look_up` finds.
Status apply_policy_variables(DriverPolicies& policies,
                              const std::function<std::optional<std::string>(const std::string&)>& look_up);

}  // namespace hyperscale::stream
