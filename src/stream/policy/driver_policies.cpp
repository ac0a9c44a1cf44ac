#include "stream/policy/driver_policies.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>

#include <fmt/format.h>

namespace hyperscale::stream {
namespace {

constexpr std::string_view kPrefix = "policies.";
constexpr std::uint64_t kPeriodMsMax = 3'600'000;

Status refused(std::string_view key, std::string_view value, std::string_view wanted) {
  return fail(ErrorCode::kInvalidArgument, fmt::format("{} = '{}': {}", key, value, wanted));
}

struct Field {
  std::string_view name;
  Status (*set)(DriverPolicies& policies, std::string_view key, std::string_view value);
};

template <bool DriverPolicies::* Member>
Status set_flag(DriverPolicies& policies, std::string_view key, std::string_view value) {
  if (value != "true" && value != "false") return refused(key, value, "write true or false");
  policies.*Member = value == "true";
  return {};
}

template <auto Member, std::uint64_t Least, std::uint64_t Most>
Status set_number(DriverPolicies& policies, std::string_view key, std::string_view value) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (error != std::errc() || end != value.data() + value.size() || number < Least || number > Most)
    return refused(key, value, fmt::format("write a number from {} to {}", Least, Most));
  using Number = std::remove_reference_t<decltype(policies.*Member)>;
  if constexpr (std::is_integral_v<Number>) {
    policies.*Member = static_cast<Number>(number);
  } else {
    policies.*Member = number;
  }
  return {};
}

constexpr std::array kFields = {
    Field{"epoch_gc_enabled", &set_flag<&DriverPolicies::epoch_gc_enabled>},
    Field{"epoch_gc_keep", &set_number<&DriverPolicies::epoch_gc_keep, kEpochsKeptMin, 1000>},
    Field{"epoch_gc_min_age_ns", &set_number<&DriverPolicies::epoch_gc_min_age_ns, 1, std::uint64_t{INT64_MAX}>},
    Field{"epoch_gc_on_startup", &set_flag<&DriverPolicies::epoch_gc_on_startup>},
    Field{"announce_period_ms", &set_number<&DriverPolicies::announce_period_ms, 1, kPeriodMsMax>},
    Field{"lease_keepalive_interval_ms", &set_number<&DriverPolicies::lease_keepalive_interval_ms, 1, kPeriodMsMax>},
    Field{"lease_expiry_grace_intervals", &set_number<&DriverPolicies::lease_expiry_grace_intervals, 1, 1000>},
    Field{"cleanup_shm_on_exit", &set_flag<&DriverPolicies::cleanup_shm_on_exit>},
};

}  // namespace

Duration DriverPolicies::min_age() const {
  if (epoch_gc_min_age_ns) {
    constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    return Duration(static_cast<std::int64_t>(std::min(*epoch_gc_min_age_ns, kMost)));
  }
  return announce_period() * kFreshPeriods;
}

const std::vector<std::string>& policy_keys() {
  static const std::vector<std::string> keys = [] {
    std::vector<std::string> made;
    made.reserve(std::size(kFields));
    for (const Field& field : kFields) made.push_back(fmt::format("{}{}", kPrefix, field.name));
    return made;
  }();
  return keys;
}

std::string policy_variable(std::string_view key) {
  std::string name = "HYPERSCALE_";
  for (const char letter : key) {
    const bool lower = letter >= 'a' && letter <= 'z';
    name += letter == '.' ? '_' : lower ? static_cast<char>(letter - 'a' + 'A') : letter;
  }
  return name;
}

Status set_policy(DriverPolicies& policies, std::string_view key, std::string_view value) {
  const std::string_view name = key.starts_with(kPrefix) ? key.substr(kPrefix.size()) : std::string_view();
  const auto field = std::ranges::find(kFields, name, &Field::name);
  if (field == kFields.end())
    return fail(ErrorCode::kInvalidArgument, fmt::format("{} is no setting of a stream driver", key));
  return field->set(policies, key, value);
}

Status apply_policy_variables(DriverPolicies& policies,
                              const std::function<std::optional<std::string>(const std::string&)>& look_up) {
  for (const std::string& key : policy_keys()) {
    const auto value = look_up(policy_variable(key));
    if (!value) continue;
    if (Status set = set_policy(policies, key, *value); !set) return set;
  }
  return {};
}

}  // namespace hyperscale::stream
