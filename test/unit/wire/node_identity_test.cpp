#include "wire/node_identity.h"

#include "arbitrary_message.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace hyperscale::wire {
namespace {

TEST(NodeAddress, ReadsAndPrintsBothFamilies) {
  EXPECT_EQ(parse_node_address("127.0.0.1:7100"), address_v4(127, 0, 0, 1, 7100));
  EXPECT_EQ(to_string(address_v4(127, 0, 0, 1, 7100)), "127.0.0.1:7100");
  // Left: what is read; right: what it prints as (RFC 5952).
  const std::vector<std::pair<std::string_view, std::string_view>> texts{
      {"[::1]:7100", "[::1]:7100"},
      {"[::]:1", "[::]:1"},
      {"[2001:DB8:0:0:1:0:0:1]:65535", "[2001:db8::1:0:0:1]:65535"},
      {"[2001:db8:0:1:1:1:1:1]:9", "[2001:db8:0:1:1:1:1:1]:9"},
      {"[fe80:1:2:3:4:5:6::]:9", "[fe80:1:2:3:4:5:6:0]:9"},
      {"[1::]:9", "[1::]:9"},
      {"[64:ff9b::192.0.2.33]:9", "[64:ff9b::c000:221]:9"},
      {"[::ffff:10.1.2.3]:80", "10.1.2.3:80"},
      {"10.0.0.1:0", "10.0.0.1:0"},
  };
  for (const auto& [text, printed] : texts) {
    const Result<NodeAddress> address = parse_node_address(text);
    ASSERT_TRUE(address) << text;
    EXPECT_EQ(to_string(*address), printed);
  }
}

TEST(NodeAddress, RefusesEverythingElseAndSaysHowToWriteOne) {
  for (const std::string_view text : {"",
                                      ":",
                                      "127.0.0.1",
                                      "127.0.0.1:",
                                      ":7100",
                                      "localhost:7100",
                                      "127.0.0:1",
                                      "127.0.0.1.1:1",
                                      "256.0.0.1:1",
                                      "01.2.3.4:1",
                                      "1.2.3.4:65536",
                                      "1.2.3.4:-1",
                                      "1.2.3.4:+1",
                                      "1.2.3.4: 1",
                                      "1.2.3.4:007",
                                      "::1:7100",
                                      "[::1]",
                                      "[::1]7100",
                                      "[::1:7100",
                                      "[]:1",
                                      "[:]:1",
                                      "[:::]:1",
                                      "[1::2::3]:1",
                                      "[1:2:3:4:5:6:7]:1",
                                      "[1:2:3:4:5:6:7:8:9]:1",
                                      "[1:2:3:4:5:6:7:8::]:1",
                                      "[12345::]:1",
                                      "[g::]:1",
                                      "[1:2:3:4:5:6:7:1.2.3.4]:1",
                                      "[1.2.3.4::]:1",
                                      "[::1.2.3]:1",
                                      "[1:]:1",
                                      "[::1%eth0]:1"}) {
    const Result<NodeAddress> address = parse_node_address(text);
    ASSERT_FALSE(address) << text;
    EXPECT_EQ(address.error().code, ErrorCode::kInvalidArgument);
    EXPECT_NE(address.error().context.find("[fd00::1]:7100"), std::string::npos);
  }
}

TEST(NodeAddress, WhatIsPrintedReadsBack) {
  EXPECT_TRUE(rc::check("printing and reading", [](std::uint64_t seed) {
    Prng prng(seed);
    NodeAddress address{.ip = {}, .port = static_cast<std::uint16_t>(prng.next())};
    // Zeroes in random places make the runs that "::" stands for.
    for (std::uint8_t& byte : address.ip) byte = static_cast<std::uint8_t>(prng.below(3) == 0 ? prng.next() : 0);
    RC_ASSERT(parse_node_address(to_string(address)) == address);
  }));
}

TEST(NodeRole, HasANameThatReadsBack) {
  for (const NodeRole role : {NodeRole::kGate, NodeRole::kManager, NodeRole::kWorker}) {
    EXPECT_EQ(parse_node_role(name(role)), role);
  }
  EXPECT_FALSE(parse_node_role("Gate"));
  EXPECT_FALSE(parse_node_role(""));
}

NodeIdentity node(NodeRole role, std::string datacenter) {
  return {.name = "n", .role = role, .datacenter = std::move(datacenter), .address = {}, .tcp_port = 0};
}

TEST(Related, FollowsRolesAndDatacenters) {
  const NodeIdentity gate = node(NodeRole::kGate, "");
  const NodeIdentity manager = node(NodeRole::kManager, "a");
  const NodeIdentity other_manager = node(NodeRole::kManager, "b");
  const NodeIdentity worker = node(NodeRole::kWorker, "a");
  const NodeIdentity other_worker = node(NodeRole::kWorker, "b");
  const auto both = [](const NodeIdentity& a, const NodeIdentity& b) {
    EXPECT_EQ(related(a, b), related(b, a));
    return related(a, b);
  };
  EXPECT_TRUE(both(gate, node(NodeRole::kGate, "b")));
  EXPECT_TRUE(both(gate, manager));
  EXPECT_FALSE(both(gate, worker));
  EXPECT_TRUE(both(manager, node(NodeRole::kManager, "a")));
  EXPECT_FALSE(both(manager, other_manager));
  EXPECT_TRUE(both(manager, worker));
  EXPECT_FALSE(both(manager, other_worker));
  EXPECT_TRUE(both(worker, node(NodeRole::kWorker, "a")));
  EXPECT_FALSE(both(worker, other_worker));
}

}  // namespace
}  // namespace hyperscale::wire
