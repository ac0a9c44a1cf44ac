#include "node/cluster/cluster_settings.h"

#include <cstdlib>
#include <fstream>
#include <map>
#include <string>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace hyperscale::node {
namespace {

using testing::HasSubstr;

constexpr const char* kSecret = "kT9#vLq2@xRw7!mZ";

// What a node of that role makes of its configuration and of these variables, which it takes out of the environment.
Result<cluster::ClusterConfig> settings(const char* role, const std::map<const char*, const char*>& variables = {}) {
  for (const auto& [name, value] : variables) ::setenv(name, value, 1);
  runtime::NodeConfig config;
  config.cluster.role = role;
  config.cluster.group_size = 3;
  config.cluster.priority = 7;
  return cluster_settings(config);
}

// proves part: LEAD-2 (the core, and a node's priority; not that a node's own health reaches its election)
TEST(ClusterSettings, TheConfiguredPriorityIsThatOfTheNode) {
  for (const char* role : {"gate", "manager"}) {
    const auto made = settings(role, {{kAuthSecretVariable, kSecret}});
    ASSERT_TRUE(made) << made.error().context;
    EXPECT_EQ(made->priority, 7u) << role;
  }
}

// proves: SEC-2
TEST(ClusterSettings, NoRoleStartsWithoutAStrongSecret) {
  for (const char* role : {"gate", "manager", "worker"}) {
    const auto missing = settings(role);
    ASSERT_FALSE(missing) << role;
    EXPECT_THAT(missing.error().context, HasSubstr("needs a secret of at least 16 characters"));
    for (const char* weak : {"kT9#vLq2@xRw7!m", "passwordpassword"}) {
      const auto refused = settings(role, {{kAuthSecretVariable, weak}});
      ASSERT_FALSE(refused) << role << " " << weak;
      EXPECT_THAT(refused.error().context, testing::Not(HasSubstr(weak)));
    }
    EXPECT_TRUE(settings(role, {{kAuthSecretVariable, kSecret}})) << role;
  }
}

// proves: SEC-2
TEST(ClusterSettings, NoOtherSecretMayBeWeakEither) {
  for (const char* other : {kPreviousAuthSecretVariable, kWorkerSecretVariable}) {
    const auto refused = settings("manager", {{kAuthSecretVariable, kSecret}, {other, "passwordpassword"}});
    ASSERT_FALSE(refused) << other;
    EXPECT_THAT(refused.error().context, HasSubstr("too easy to guess"));
  }
}

// At the start, and when a node reads its secrets anew.
// proves: SEC-2
TEST(ClusterSettings, ASecretInAFileHasToBeStrongToo) {
  std::string path = testing::TempDir() + "secret_XXXXXX";
  const int file = ::mkstemp(path.data());  // which only its owner may read
  ASSERT_GE(file, 0);
  ::close(file);
  runtime::NodeConfig config;
  config.cluster.role = "manager";
  config.cluster.group_size = 3;
  config.cluster.secret_file = path;
  for (const auto& [secret, good] :
       {std::pair("kT9#vLq2@xRw7!m", false), {"passwordpassword", false}, {kSecret, true}}) {
    std::ofstream(path, std::ios::trunc) << secret << '\n';
    EXPECT_EQ(cluster_settings(config).has_value(), good) << secret;
    EXPECT_EQ(read_keyring(config.cluster).has_value(), good) << secret;
  }
  ::unlink(path.c_str());
}

// proves: AD3-1
TEST(ClusterSettings, TheGroupHasItsConfiguredSize) {
  for (const char* role : {"gate", "manager"})
    EXPECT_EQ(settings(role, {{kAuthSecretVariable, kSecret}})->group_size, 3u) << role;
  EXPECT_EQ(settings("worker", {{kAuthSecretVariable, kSecret}})->group_size, 0u) << "it does not vote";
}

// proves part: SEC-3 (not datagrams of workers once a node has read its secrets anew)
TEST(ClusterSettings, ThePreviousSecretOfTheEnvironmentIsKept) {
  EXPECT_FALSE(settings("manager", {{kAuthSecretVariable, kSecret}})->keys.has_previous());
  constexpr const char* kBefore = "b64:3oJ9wqYtVn1sXgA8";
  const auto made = settings("manager", {{kAuthSecretVariable, kSecret}, {kPreviousAuthSecretVariable, kBefore}});
  ASSERT_TRUE(made && made->keys.has_previous());
  EXPECT_TRUE(made->keys.with_current([](std::string_view secret) { return secret == kSecret; }));
  EXPECT_TRUE(made->keys.with_previous([](std::string_view secret) { return secret == kBefore; }));
}

}  // namespace
}  // namespace hyperscale::node
