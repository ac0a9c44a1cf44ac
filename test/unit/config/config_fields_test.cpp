#include "runtime/config/config_fields.h"

#include "runtime/config/config_rules.h"

#include <set>

#include <gtest/gtest.h>

namespace hyperscale::runtime {
namespace {

struct Anything {
  template <typename T>
  operator T() const;
};

// The number of members of an aggregate: the most values it can be initialised from.
template <typename Aggregate, typename... Values>
consteval std::size_t members() {
  if constexpr (requires { Aggregate{Values{}..., Anything{}}; }) {
    return members<Aggregate, Values..., Anything>();
  } else {
    return sizeof...(Values);
  }
}

template <typename... Aggregates>
consteval std::size_t members_of_all() {
  return (members<Aggregates>() + ...);
}

std::string problem_of(std::string_view path, std::string_view text) {
  NodeConfig config;
  const auto problem = set_field(config, *find_field(path), text);
  EXPECT_TRUE(!problem || config == NodeConfig()) << "a bad value changed the configuration";
  return problem ? problem->message + "; " + problem->hint : "";
}

TEST(ConfigFields, PathsAndVariablesAreUnique) {
  std::set<std::string> names;
  for (const FieldInfo& field : config_fields()) {
    EXPECT_TRUE(names.insert(field.path).second) << field.path;
    EXPECT_TRUE(names.insert(field.environment).second) << field.environment;
    EXPECT_FALSE(field.help.empty()) << field.path;
  }
}

TEST(ConfigFields, EveryMemberHasARow) {
  using C = NodeConfig;
  constexpr std::size_t kMembers =
      members_of_all<C::Node, C::Api, C::Metrics, C::Transport, C::Tls, C::Queues, C::Drain, C::Restart, C::Retry,
                     C::Breaker, C::Facets, C::Cluster, C::Admin, C::Log, C::Health, C::ConfigWatch, C::BlockingPool>();
  EXPECT_EQ(config_fields().size(), kMembers);
}

TEST(ConfigFields, DefaultsAreValid) {
  NodeConfig config;
  for (const FieldInfo& field : config_fields()) {
    EXPECT_EQ(set_field(config, field, field.default_text), std::nullopt) << field.path;
  }
  EXPECT_EQ(config, NodeConfig());
  for (const ConfigRule& rule : config_rules()) EXPECT_EQ(rule.check(config), std::nullopt) << rule.fields.front();
}

TEST(ConfigFields, BoundsAreReachableAndNothingBeyond) {
  for (const FieldInfo& field : config_fields()) {
    const bool number = field.kind == FieldKind::kCount || field.kind == FieldKind::kSize;
    if (!number && field.kind != FieldKind::kDuration) continue;
    const std::string unit = number ? "" : "ns";
    EXPECT_EQ(problem_of(field.path, std::to_string(field.min) + unit), "") << field.path;
    EXPECT_EQ(problem_of(field.path, std::to_string(field.max) + unit), "") << field.path;
    EXPECT_NE(problem_of(field.path, std::to_string(field.max + 1) + unit), "") << field.path;
    EXPECT_NE(problem_of(field.path, std::to_string(field.min - 1) + unit), "") << field.path;
  }
}

TEST(ConfigFields, VariableNamesFollowThePath) {
  EXPECT_EQ(find_field("api.deadline")->environment, "HYPERSCALE_API_DEADLINE");
  EXPECT_EQ(find_field("config_watch.stat_interval")->environment, "HYPERSCALE_CONFIG_WATCH_STAT_INTERVAL");
}

TEST(ConfigFields, WhatNeedsARestart) {
  const std::set<std::string> expected{"node.name",
                                       "node.single_thread",
                                       "node.threads",
                                       "node.amnesia",
                                       "node.workers",
                                       "api.listen",
                                       "api.hosts",
                                       "metrics.listen",
                                       "transport.listen",
                                       "tls.enabled",
                                       "tls.cert_file",
                                       "tls.key_file",
                                       "tls.groups",
                                       "queues.work",
                                       "queues.telemetry",
                                       "queues.bus",
                                       "queues.config_updates",
                                       "queues.index_updates",
                                       "admin.token_file",
                                       "admin.fault_injection",
                                       "log.format",
                                       "log.file",
                                       "health.period",
                                       "cluster.datacenter",
                                       "cluster.environment",
                                       "cluster.group_size",
                                       "cluster.listen",
                                       "cluster.name",
                                       "cluster.priority",
                                       "cluster.probe_interval",
                                       "cluster.role",
                                       "cluster.seeds",
                                       "cluster.state_dir",
                                       "cluster.tls_ca_file",
                                       "cluster.tls_cert_file",
                                       "cluster.tls_key_file",
                                       "cluster.tls_verify_hostname",
                                       "cluster.voters",
                                       "config_watch.enabled",
                                       "config_watch.stat_interval",
                                       "blocking_pool.threads",
                                       "blocking_pool.queue"};
  std::set<std::string> found;
  for (const FieldInfo& field : config_fields()) {
    if (!field.live) found.insert(field.path);
  }
  EXPECT_EQ(found, expected);
}

TEST(ConfigFields, UnknownPathHasNoRow) {
  EXPECT_EQ(find_field("api.dedline"), nullptr);
  EXPECT_EQ(find_field("api"), nullptr);
  EXPECT_EQ(find_field(""), nullptr);
}

TEST(ConfigFields, Switches) {
  NodeConfig config;
  const FieldInfo& field = *find_field("node.amnesia");
  for (const char* on : {"true", "1", "on", "yes"}) {
    config.node.amnesia = false;
    EXPECT_EQ(set_field(config, field, on), std::nullopt);
    EXPECT_TRUE(config.node.amnesia) << on;
  }
  for (const char* off : {"false", "0", "off", "no"}) {
    config.node.amnesia = true;
    EXPECT_EQ(set_field(config, field, off), std::nullopt);
    EXPECT_FALSE(config.node.amnesia) << off;
  }
  EXPECT_EQ(problem_of("node.amnesia", "maybe"),
            "node.amnesia is neither true nor false: \"maybe\"; write true or false");
  EXPECT_NE(problem_of("node.amnesia", ""), "");
}

TEST(ConfigFields, Counts) {
  EXPECT_EQ(problem_of("queues.work", "0"), "queues.work is out of range: 0; write a value from 1 to 1000000");
  EXPECT_EQ(problem_of("queues.work", "many"),
            "queues.work is not a whole number: \"many\"; write a number from 1 to 1000000");
  for (const char* bad : {"", " 5", "5 ", "5.0", "0x5", "+5", "99999999999999999999"}) {
    EXPECT_NE(problem_of("queues.work", bad), "") << bad;
  }
}

// proves: NODE-SHUT-3
TEST(ConfigFields, DurationsNeedAUnit) {
  EXPECT_EQ(problem_of("api.deadline", "2"), "api.deadline: \"2\" is not a duration; add a unit, such as 2s or 2ms");
  EXPECT_EQ(problem_of("drain.deadline", "6s"), "drain.deadline is out of range: 6s; write a value from 1ms to 5s");
  EXPECT_NE(problem_of("drain.deadline", "5001ms"), "");
  EXPECT_EQ(problem_of("drain.deadline", "5s"), "");
}

TEST(ConfigFields, SizesTakeBytesOrUnits) {
  NodeConfig config;
  const FieldInfo& field = *find_field("api.body_bytes_max");
  EXPECT_EQ(set_field(config, field, "1000"), std::nullopt);
  EXPECT_EQ(config.api.body_bytes_max, 1000u);
  EXPECT_EQ(set_field(config, field, "16MiB"), std::nullopt);
  EXPECT_EQ(config.api.body_bytes_max, 16u << 20);
  EXPECT_NE(problem_of("api.body_bytes_max", "-1"), "");
  EXPECT_NE(problem_of("api.body_bytes_max", "18446744073709551615"), "");
}

TEST(ConfigFields, NamesAndPaths) {
  EXPECT_EQ(problem_of("node.name", "eu-west.1_a"), "");
  EXPECT_NE(problem_of("node.name", ""), "");
  EXPECT_NE(problem_of("node.name", "two words"), "");
  EXPECT_NE(problem_of("node.name", std::string(65, 'x')), "");
  EXPECT_EQ(problem_of("log.file", ""), "");
  EXPECT_EQ(problem_of("log.file", "/var/log/caf\u00e9.log"), "");
  EXPECT_NE(problem_of("log.file", "a\nb"), "");
  EXPECT_NE(problem_of("log.file", std::string("a\0b", 3)), "");
  EXPECT_NE(problem_of("log.file", "\xff"), "");
  EXPECT_NE(problem_of("log.file", std::string(4097, 'x')), "");
}

TEST(ConfigFields, ChoicesAreListed) {
  EXPECT_EQ(problem_of("log.level", "loud"),
            "log.level is not one of its values: \"loud\"; write one of trace, debug, info, warn, error");
  EXPECT_NE(problem_of("log.level", "INFO"), "");
}

TEST(ConfigFields, AMessageShowsNoControlCharacters) {
  for (const FieldInfo& field : config_fields()) {
    const std::string message = problem_of(field.path, "\x1b[31m\n\xff");
    EXPECT_NE(message, "") << field.path;
    EXPECT_EQ(message.find_first_of("\x1b\n\xff"), std::string::npos) << message;
  }
}

}  // namespace

}  // namespace hyperscale::runtime
