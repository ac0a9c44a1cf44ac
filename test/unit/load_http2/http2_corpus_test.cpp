#include "base/prng.h"
#include "conversation.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include <gtest/gtest.h>

namespace hyperscale::load::fuzz {
namespace {

using Bytes = std::vector<std::uint8_t>;

std::vector<Bytes> corpus() {
  std::vector<Bytes> seeds;
  for (const auto& entry : std::filesystem::directory_iterator(CONVERSATION_CORPUS_DIR)) {
    std::ifstream file(entry.path(), std::ios::binary);
    seeds.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  return seeds;
}

TEST(Http2Corpus, EverySeedIsReadAsNghttp2ReadsIt) {
  const std::vector<Bytes> seeds = corpus();
  EXPECT_GT(seeds.size(), 20u);
  for (const Bytes& seed : seeds) check_conversation(seed);
}

TEST(Http2Corpus, SoIsEverySeedWithAFewBytesChanged) {
  Prng prng(7);
  for (const Bytes& seed : corpus()) {
    for (int round = 0; round < 30; ++round) {
      Bytes changed = seed;
      for (std::uint64_t changes = 1 + prng.below(3); changes > 0; --changes)
        changed[prng.below(changed.size())] = static_cast<std::uint8_t>(prng.next());
      check_conversation(changed);
    }
  }
}

}  // namespace
}  // namespace hyperscale::load::fuzz
