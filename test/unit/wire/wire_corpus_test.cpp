// Replays the seeds of the cluster fuzzers, with every truncation and a few mutations of each, in an ordinary test run.
#include "base/prng.h"
#include "cluster_properties.h"

#include <filesystem>
#include <fstream>
#include <iterator>

#include <gtest/gtest.h>

namespace hyperscale::wire {
namespace {

using Bytes = std::vector<std::uint8_t>;

void replay(const char* name, void (*property)(ByteView)) {
  std::size_t seeds = 0;
  Prng prng(2024);
  for (const auto& entry : std::filesystem::directory_iterator(std::string(FUZZ_DIR "/cluster/corpus/") + name)) {
    std::ifstream file(entry.path(), std::ios::binary);
    const Bytes seed{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    for (std::size_t kept = 0; kept <= seed.size(); ++kept) property(ByteView(seed).first(kept));
    for (int round = 0; round < 200 && !seed.empty(); ++round) {
      Bytes mutated = seed;
      mutated[prng.below(mutated.size())] = static_cast<std::uint8_t>(prng.next());
      property(mutated);
    }
    ++seeds;
  }
  EXPECT_GE(seeds, 3u) << name;
}

TEST(WireCorpus, ClusterMessages) {
  replay("cluster_codec", fuzz::check_cluster_codec);
}
TEST(WireCorpus, Heartbeats) {
  replay("heartbeat", fuzz::check_heartbeat);
}
TEST(WireCorpus, StateSyncs) {
  replay("state_sync", fuzz::check_state_sync);
}
TEST(WireCorpus, SealedDatagrams) {
  replay("sealed_datagram", fuzz::check_sealed_datagram);
}
TEST(WireCorpus, CompressedPayloads) {
  replay("compressed_payload", fuzz::check_compressed_payload);
}

}  // namespace
}  // namespace hyperscale::wire
