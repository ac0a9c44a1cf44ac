#include "stream/policy/driver_policies.h"

#include <map>

#include <gtest/gtest.h>

namespace hyperscale::stream {
namespace {

// proves part: SHM-CFG-1 (names, and a driver's own defaults; a run's collects at its start unless told)
// proves part: SHM-SAFE-2 (the key)
TEST(DriverPolicies, KeysHaveTheirNamesAndDefaults) {
  DriverPolicies policies;
  EXPECT_TRUE(policies.epoch_gc_enabled);
  EXPECT_EQ(policies.epoch_gc_keep, 2U);
  EXPECT_FALSE(policies.epoch_gc_min_age_ns);
  EXPECT_FALSE(policies.epoch_gc_on_startup);
  ASSERT_TRUE(set_policy(policies, "policies.epoch_gc_enabled", "false"));
  ASSERT_TRUE(set_policy(policies, "policies.epoch_gc_keep", "5"));
  ASSERT_TRUE(set_policy(policies, "policies.epoch_gc_min_age_ns", "70"));
  ASSERT_TRUE(set_policy(policies, "policies.epoch_gc_on_startup", "true"));
  EXPECT_FALSE(policies.epoch_gc_enabled);
  EXPECT_EQ(policies.epoch_gc_keep, 5U);
  EXPECT_EQ(policies.min_age(), 70ns);
  EXPECT_TRUE(policies.epoch_gc_on_startup);
}

// proves part: SHM-CFG-1 (the derived window)
// proves part: SHM-SAFE-2 (the default)
TEST(DriverPolicies, FreshnessWindowIsThreeAnnouncePeriods) {
  DriverPolicies policies;
  EXPECT_EQ(policies.min_age(), 3s);
  ASSERT_TRUE(set_policy(policies, "policies.announce_period_ms", "200"));
  EXPECT_EQ(policies.min_age(), 600ms);
}

// proves: SHM-POL-1
TEST(DriverPolicies, WrongValuesAreRefusedWithTheKey) {
  DriverPolicies policies;
  for (const auto& [key, value] : std::map<std::string, std::string>{{"policies.epoch_gc_keep", "1"},
                                                                     {"policies.epoch_gc_enabled", "yes"},
                                                                     {"policies.epoch_gc_min_age_ns", "-1"},
                                                                     {"policies.announce_period_ms", "0"},
                                                                     {"policies.lease_keepalive_interval_ms", "1s"},
                                                                     {"epoch_gc_keep", "3"},
                                                                     {"policies.unknown", "1"}}) {
    const Status set = set_policy(policies, key, value);
    ASSERT_FALSE(set) << key;
    EXPECT_NE(set.error().context.find(key), std::string::npos) << set.error().context;
  }
  EXPECT_EQ(policies.epoch_gc_keep, 2U);
}

TEST(DriverPolicies, VariablesAreTheKeysInUpperCase) {
  EXPECT_EQ(policy_variable("policies.epoch_gc_keep"), "HYPERSCALE_POLICIES_EPOCH_GC_KEEP");
  const std::map<std::string, std::string> variables{{"HYPERSCALE_POLICIES_EPOCH_GC_KEEP", "4"}};
  const auto look_up = [&](const std::string& name) {
    const auto found = variables.find(name);
    return found == variables.end() ? std::nullopt : std::optional(found->second);
  };
  DriverPolicies policies;
  ASSERT_TRUE(apply_policy_variables(policies, look_up));
  EXPECT_EQ(policies.epoch_gc_keep, 4U);
}

}  // namespace
}  // namespace hyperscale::stream
