#include "runtime/config/config_diff.h"

#include "random_config.h"
#include "runtime/config/config_fields.h"
#include "runtime/config/config_rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace hyperscale::runtime {
namespace {

using testing::ElementsAre;

TEST(ConfigDiff, EqualConfigurationsHaveNoDifference) {
  EXPECT_TRUE(diff_configs(NodeConfig(), NodeConfig()).empty());
  EXPECT_EQ(render_diff(diff_configs(NodeConfig(), NodeConfig())), "");
}

TEST(ConfigDiff, NamesEachChangedFieldAndWhetherItIsLive) {
  NodeConfig wanted;
  wanted.api.deadline = 3s;
  wanted.api.listen = "127.0.0.1:9000";
  const ConfigDiff diff = diff_configs(NodeConfig(), wanted);
  EXPECT_THAT(diff.changes, ElementsAre(FieldChange{"api.listen", "127.0.0.1:8080", "127.0.0.1:9000", false},
                                        FieldChange{"api.deadline", "2s", "3s", true}));
  EXPECT_TRUE(diff.needs_restart());
  EXPECT_EQ(render_diff(diff),
            "refused api.listen 127.0.0.1:8080 -> 127.0.0.1:9000, needs a restart\n"
            "applied api.deadline 2s -> 3s\n");
}

TEST(ConfigDiff, LiveChangesAloneNeedNoRestart) {
  NodeConfig wanted;
  wanted.log.level = "debug";
  EXPECT_FALSE(diff_configs(NodeConfig(), wanted).needs_restart());
}

TEST(ConfigDiff, AnEmptyValueIsVisible) {
  NodeConfig wanted;
  wanted.log.file = "node.log";
  EXPECT_EQ(render_diff(diff_configs(NodeConfig(), wanted)), "refused log.file \"\" -> node.log, needs a restart\n");
}

TEST(ConfigDiff, SecretValuesAreRedacted) {
  NodeConfig wanted;
  wanted.admin.token_file = "/run/secrets/token";
  wanted.tls.key_file = "/run/secrets/key";
  const std::string lines = render_diff(diff_configs(NodeConfig(), wanted));
  EXPECT_EQ(lines.find("/run/secrets"), std::string::npos) << lines;
  EXPECT_NE(lines.find("refused admin.token_file (redacted) -> (redacted)"), std::string::npos) << lines;
}

TEST(ConfigDiff, ApplyLiveTakesLiveFieldsAndLeavesTheOthers) {
  rc::check("the rest of the difference is exactly what is not live", [](std::uint64_t seed_a, std::uint64_t seed_b) {
    const NodeConfig running = random_config(seed_a);
    const NodeConfig wanted = random_config(seed_b);
    const NodeConfig applied = apply_live(running, wanted);
    for (const FieldChange& change : diff_configs(running, applied).changes) RC_ASSERT(change.live);
    for (const FieldChange& change : diff_configs(applied, wanted).changes) RC_ASSERT(!change.live);
  });
}

TEST(ConfigDiff, ApplyLiveKeepsEveryRule) {
  rc::check("two valid configurations give a valid one", [](std::uint64_t seed_a, std::uint64_t seed_b) {
    const NodeConfig applied = apply_live(random_config(seed_a), random_config(seed_b));
    for (const ConfigRule& rule : config_rules()) RC_ASSERT(!rule.check(applied));
  });
}

}  // namespace
}  // namespace hyperscale::runtime
