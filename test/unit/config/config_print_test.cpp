#include "runtime/config/config_print.h"

#include "random_config.h"
#include "runtime/config/config_fields.h"
#include "runtime/config/config_loader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace hyperscale::runtime {
namespace {

using testing::HasSubstr;

TEST(ConfigPrint, ShowsValuesWithTheirOrigin) {
  const ConfigLoad load = load_config({.file_path = "node.toml",
                                       .file_text = "[api]\nbody_bytes_max = 1048576\n",
                                       .environment = {{"HYPERSCALE_API_DEADLINE", "1500ms"}},
                                       .flags = {{"node.name", "edge"}}});
  const std::string toml = print_config(load.config, load.origins);
  EXPECT_THAT(toml, testing::StartsWith("[node]\nname = \"edge\"                            # flag\n"));
  EXPECT_THAT(toml, HasSubstr("deadline = \"1s500ms\"                     # HYPERSCALE_API_DEADLINE\n"));
  EXPECT_THAT(toml, HasSubstr("body_bytes_max = \"1MiB\"                  # node.toml:2\n"));
  EXPECT_THAT(toml, HasSubstr("max_conns = 1024                         # default\n"));
}

TEST(ConfigPrint, WithoutOriginsThereAreNoComments) {
  EXPECT_EQ(print_config(NodeConfig()).find('#'), std::string::npos);
}

TEST(ConfigPrint, PrintingAndLoadingIsTheIdentity) {
  rc::check("what is printed loads back", [](std::uint64_t seed) {
    const NodeConfig config = random_config(seed);
    const ConfigLoad again = load_config({.file_text = print_config(config)});
    RC_ASSERT(render_errors(again.errors) == "");
    RC_ASSERT(again.config == config);
  });
}

TEST(ConfigPrint, EveryFieldAsTextIsTheIdentity) {
  rc::check("set_field undoes field_text", [](std::uint64_t seed) {
    const NodeConfig config = random_config(seed);
    NodeConfig copy;
    for (const FieldInfo& field : config_fields()) RC_ASSERT(!set_field(copy, field, field_text(config, field)));
    RC_ASSERT(copy == config);
  });
}

TEST(ConfigPrint, AnOriginCannotEndItsComment) {
  const ConfigLoad load = load_config({.file_path = "a\nlog.level = \"x\"", .file_text = "api.deadline = \"3s\"\n"});
  const ConfigLoad again = load_config({.file_text = print_config(load.config, load.origins)});
  EXPECT_TRUE(again.ok()) << render_errors(again.errors);
  EXPECT_EQ(again.config, load.config);
}

}  // namespace
}  // namespace hyperscale::runtime
