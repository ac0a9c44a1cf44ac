#include "runtime/config/config_fields.h"
#include "runtime/config/config_loader.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace hyperscale::runtime {
namespace {

using Kind = ConfigOrigin::Kind;

// Three values of a field, each unlike its neighbours and unlike the default.
std::vector<std::string> sample_values(const FieldInfo& field) {
  std::vector<std::string> samples;
  for (int i = 1; i <= 3; ++i) {
    switch (field.kind) {
      case FieldKind::kSwitch:
        samples.push_back((i % 2 == 1) != (field.default_text == "true") ? "true" : "false");
        break;
      case FieldKind::kCount:
        samples.push_back(fmt::format("{}", std::stol(field.default_text) + i));
        break;
      case FieldKind::kSize:
        samples.push_back(fmt::format("{}KiB", 1000 + i));
        break;
      case FieldKind::kDuration:
        samples.push_back(fmt::format("{}ms", 110 + i));
        break;
      case FieldKind::kText:
        samples.push_back(fmt::format("name{}", i));
        break;
      case FieldKind::kChoice:
        samples.push_back(field.choices[(i % 2 == 1) == (field.choices[0] == field.default_text) ? 1 : 0]);
        break;
      case FieldKind::kAddress:
        samples.push_back(fmt::format("127.0.0.1:{}", i));
        break;
      case FieldKind::kList:
        samples.push_back(fmt::format("P-256:X{}", i));
        break;
      case FieldKind::kItems:
        samples.push_back(fmt::format("10.0.0.{}:7700,[::1]:7700", i));
        break;
      case FieldKind::kPath:
        samples.push_back(fmt::format("/etc/file{}", i));
        break;
    }
  }
  return samples;
}

std::string toml_line(const FieldInfo& field, const std::string& text) {
  const bool bare = field.kind == FieldKind::kSwitch || field.kind == FieldKind::kCount;
  return bare ? fmt::format("{} = {}\n", field.path, text) : fmt::format("{} = \"{}\"\n", field.path, text);
}

// What a rule needs so that changing the field alone is valid.
std::string companions(const FieldInfo& field) {
  if (field.path == "cluster.role") return "cluster.group_size = 3\ncluster.state_dir = \"s\"\n";
  if (field.path == "tls.enabled") return "tls.cert_file = \"c\"\ntls.key_file = \"k\"\n";
  if (field.path == "cluster.tls_cert_file") return "cluster.tls_key_file = \"k\"\ncluster.tls_ca_file = \"a\"\n";
  if (field.path == "cluster.tls_key_file") return "cluster.tls_cert_file = \"c\"\ncluster.tls_ca_file = \"a\"\n";
  if (field.path == "cluster.tls_ca_file") return "cluster.tls_cert_file = \"c\"\ncluster.tls_key_file = \"k\"\n";
  if (field.path == "restart.first_delay_max") return "restart.first_delay_min = \"1ms\"\n";
  if (field.path == "restart.delay_cap")
    return "restart.first_delay_min = \"1ms\"\nrestart.first_delay_max = \"2ms\"\n";
  if (field.path == "api.decompressed_bytes_max") return "api.body_bytes_max = 1\n";
  if (field.path == "retry.initial_min") return "retry.initial_max = \"1s\"\n";
  return "";
}

void expect_value(const ConfigInputs& inputs, const FieldInfo& field, const std::string& text, Kind kind) {
  const ConfigLoad load = load_config(inputs);
  EXPECT_TRUE(load.ok()) << render_errors(load.errors);
  NodeConfig expected = load.config;
  EXPECT_EQ(set_field(expected, field, text), std::nullopt);
  EXPECT_EQ(field_text(load.config, field), field_text(expected, field));
  EXPECT_EQ(load.origins.at(field.path).kind, kind);
}

TEST(ConfigSources, WithoutAnySourceEverythingIsDefault) {
  const ConfigLoad load = load_config({});
  EXPECT_TRUE(load.ok()) << render_errors(load.errors);
  EXPECT_EQ(load.config, NodeConfig());
  EXPECT_EQ(load.origins.size(), config_fields().size());
  for (const auto& [path, origin] : load.origins) EXPECT_EQ(origin, ConfigOrigin()) << path;
}

// proves part: SEC-9 (the switch by its environment variable)
// proves: NODE-CFG-1
TEST(ConfigSources, EveryKeyTakesFlagOverEnvironmentOverFile) {
  for (const FieldInfo& field : config_fields()) {
    SCOPED_TRACE(field.path);
    const std::vector<std::string> values = sample_values(field);
    ASSERT_NE(values[0], field.default_text);
    ConfigInputs inputs{.file_path = "node.toml", .file_text = toml_line(field, values[0]) + companions(field)};
    expect_value(inputs, field, values[0], Kind::kFile);
    ASSERT_NE(values[1], values[0]);
    inputs.environment[field.environment] = values[1];
    expect_value(inputs, field, values[1], Kind::kEnvironment);
    ASSERT_NE(values[2], values[1]);
    inputs.flags.emplace_back(field.path, values[2]);
    expect_value(inputs, field, values[2], Kind::kFlag);
  }
}

TEST(ConfigSources, TheLastFlagWins) {
  const ConfigLoad load = load_config({.flags = {{"api.deadline", "3s"}, {"api.deadline", "4s"}}});
  EXPECT_EQ(load.config.api.deadline, 4s);
}

TEST(ConfigSources, OriginsNameTheirPlace) {
  const ConfigLoad load = load_config({.file_path = "node.toml",
                                       .file_text = "[api]\n\ndeadline = \"3s\"\n",
                                       .environment = {{"HYPERSCALE_LOG_LEVEL", "debug"}},
                                       .flags = {{"node.name", "a"}}});
  EXPECT_EQ(load.origins.at("api.deadline").to_string(), "node.toml:3");
  EXPECT_EQ(load.origins.at("log.level").to_string(), "HYPERSCALE_LOG_LEVEL");
  EXPECT_EQ(load.origins.at("node.name").to_string(), "flag");
  EXPECT_EQ(load.origins.at("api.listen").to_string(), "default");
}

// proves part: NODE-GATE-9 (a node outside of a cluster; not a worker that has a state_dir)
TEST(ConfigSources, AmnesiaHasAShortName) {
  EXPECT_TRUE(load_config({.environment = {{"AMNESIA", "1"}}}).config.node.amnesia);
  EXPECT_FALSE(load_config({.environment = {{"AMNESIA", "0"}}}).config.node.amnesia);
  EXPECT_FALSE(load_config({.environment = {{"AMNESIA", ""}}}).config.node.amnesia);
  const ConfigLoad both = load_config({.environment = {{"AMNESIA", "1"}, {"HYPERSCALE_NODE_AMNESIA", "false"}}});
  EXPECT_FALSE(both.config.node.amnesia);
  EXPECT_EQ(both.origins.at("node.amnesia").to_string(), "HYPERSCALE_NODE_AMNESIA");
  const ConfigLoad over_file = load_config({.file_text = "node.amnesia = false\n", .environment = {{"AMNESIA", "1"}}});
  EXPECT_TRUE(over_file.config.node.amnesia);
}

TEST(ConfigSources, ReservedAndForeignVariablesAreLeftAlone) {
  const ConfigLoad load = load_config({.environment = {{"HYPERSCALE_ADMIN_TOKEN", "t"},
                                                       {"HYPERSCALE_CONFIG", "node.toml"},
                                                       {"PATH", "/bin"},
                                                       {"hyperscale_api_deadline", "x"}}});
  EXPECT_TRUE(load.ok()) << render_errors(load.errors);
  EXPECT_EQ(load.config, NodeConfig());
}

// proves part: NODE-TIME-1 (listeners of a node; the link between nodes has fixed times)
TEST(ConfigSources, IoTimeoutsHaveDefaultsAndCanBeSet) {
  const NodeConfig::Transport defaults = load_config({}).config.transport;
  EXPECT_EQ(defaults.read_timeout, 5s);
  EXPECT_EQ(defaults.write_timeout, 5s);
  EXPECT_EQ(defaults.idle_timeout, 60s);
  const NodeConfig::Transport set =
      load_config({.file_text = "[transport]\nread_timeout = \"1s\"\nwrite_timeout = \"2s\"\nidle_timeout = \"3m\"\n"})
          .config.transport;
  EXPECT_EQ(set.read_timeout, 1s);
  EXPECT_EQ(set.write_timeout, 2s);
  EXPECT_EQ(set.idle_timeout, 180s);
}

TEST(ConfigSources, DottedKeysAndInlineTablesAreSectionsToo) {
  const ConfigLoad load =
      load_config({.file_text = "api.deadline = \"3s\"\nqueues = { work = 7 }\n\"log\".level = 'debug'\n"});
  EXPECT_TRUE(load.ok()) << render_errors(load.errors);
  EXPECT_EQ(load.config.api.deadline, 3s);
  EXPECT_EQ(load.config.queues.work, 7u);
  EXPECT_EQ(load.config.log.level, "debug");
}

}  // namespace
}  // namespace hyperscale::runtime
