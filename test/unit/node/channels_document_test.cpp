#include "node/compute/compute_role.h"
#include "node/process/node_parts.h"

#include <fstream>
#include <iterator>
#include <string>

#include <gmock/gmock.h>

namespace hyperscale::node {
namespace {

constexpr std::string_view kBegin = "<!-- channels: begin -->\n";
constexpr std::string_view kEnd = "<!-- channels: end -->";

class ChannelsTest : public ::testing::Test {
 protected:
  ChannelsTest() {
    runtime::LogOptions options;
    options.capture = std::make_shared<runtime::LogCapture>();
    parts = std::make_unique<NodeParts>(runtime::NodeConfig{}, runtime::ConfigInputs{},
                                        std::move(*runtime::Log::open(options)));
    compute = std::make_unique<ComputeRole>(*parts);
  }
  ~ChannelsTest() override {
    parts->blocking.shutdown(20s);
    parts->loops.stop_and_join(20s);
  }
  std::unique_ptr<NodeParts> parts;
  std::unique_ptr<ComputeRole> compute;
};

// proves part: NODE-TEST-10 (the table of channels; not that of locks)
TEST_F(ChannelsTest, TheDocumentedTableIsTheOneInTheCode) {
  std::ifstream file(HYPERSCALE_SOURCE_DIR "/docs/channels.md");
  ASSERT_TRUE(file.is_open());
  const std::string page{std::istreambuf_iterator<char>(file), {}};
  const auto begin = page.find(kBegin);
  const auto end = page.find(kEnd);
  ASSERT_TRUE(begin != std::string::npos && end != std::string::npos);
  EXPECT_EQ(page.substr(begin + kBegin.size(), end - begin - kBegin.size()), parts->channels.markdown());
}

struct Expected {
  const char* name;
  const char* kind;
  std::size_t capacity;
  const char* when_full;
};

// proves: NODE-CH-1
// proves part: NODE-INV-3 (the channels that a node registers; not that there are no others)
TEST_F(ChannelsTest, CapacitiesAndPoliciesAreTheRequiredOnes) {
  constexpr Expected kRequired[] = {
      {"bus", "fan-out", 1024, "oldest lost to the slow receiver"},
      {"work", "queue", 512, "reject new"},
      {"shutdown", "last value", 1, "overwritten"},
      {"cfg_updates", "queue", 64, "coalesce to newest"},
      {"telemetry", "queue", 512, "drop oldest"},
      {"index_updates", "queue", 256, "coalesce to newest"},
  };
  for (const Expected& required : kRequired) {
    const auto& all = parts->channels.channels();
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const auto& channel) { return channel.name == required.name; });
    ASSERT_NE(found, all.end()) << required.name;
    EXPECT_EQ(found->kind, required.kind);
    EXPECT_EQ(found->capacity, required.capacity) << required.name;
    EXPECT_EQ(found->when_full, required.when_full) << required.name;
  }
  for (const auto& channel : parts->channels.channels()) {
    EXPECT_GT(channel.capacity, 0u) << channel.name;
    EXPECT_NE(channel.when_full, "") << channel.name;
  }
}

// proves: NODE-GATE-4, NODE-CH-1
// proves part: NODE-CH-6 (work rejects, telemetry drops its oldest; the log drops its oldest lines too)
TEST_F(ChannelsTest, TelemetryDropsOldestAndWorkRejects) {
  for (int i = 0; i < 1000; ++i) {
    compute->parts().telemetry.try_push({"echo", true, 1ms});
    compute->parts().work.try_push(runtime::WorkItem({}, MonoTime::max(), {}, std::make_shared<runtime::WorkAnswer>()));
  }
  EXPECT_EQ(compute->parts().telemetry.counts().dropped, 1000u - 512);
  EXPECT_EQ(compute->parts().work.counts().dropped, 0u);
  EXPECT_EQ(compute->parts().work.counts().rejected, 1000u - 512);
  for (const auto& channel : parts->channels.channels()) {
    if (channel.name == "telemetry" || channel.name == "log") continue;
    EXPECT_NE(channel.when_full, "drop oldest") << channel.name;
  }
}

}  // namespace
}  // namespace hyperscale::node
