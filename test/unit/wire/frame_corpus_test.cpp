// Replays the seeds of the frame fuzzer, with every truncation of each, in an ordinary test run.
#include "base/endian.h"
#include "base/prng.h"
#include "frame_properties.h"

#include <filesystem>
#include <fstream>
#include <iterator>

#include <gtest/gtest.h>

namespace hyperscale::wire {
namespace {

using Bytes = std::vector<std::uint8_t>;

std::vector<Bytes> corpus() {
  std::vector<Bytes> seeds;
  for (const auto& entry : std::filesystem::directory_iterator(FRAME_CORPUS_DIR)) {
    std::ifstream file(entry.path(), std::ios::binary);
    seeds.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  return seeds;
}

// proves: NODE-TEST-5
TEST(FrameCorpus, EverySeedAndPrefixKeepsTheProperties) {
  const std::vector<Bytes> seeds = corpus();
  ASSERT_GE(seeds.size(), 10u);
  for (const Bytes& seed : seeds) {
    for (std::size_t kept = 0; kept <= seed.size(); ++kept) fuzz::check_frame_decoder(ByteView(seed).first(kept));
  }
}

// proves: NODE-TEST-5
TEST(FrameCorpus, SeedsWithAMutatedByteKeepTheProperties) {
  Prng prng(2024);
  for (const Bytes& seed : corpus()) {
    for (int round = 0; round < 200 && !seed.empty(); ++round) {
      Bytes mutated = seed;
      mutated[prng.below(mutated.size())] = static_cast<std::uint8_t>(prng.next());
      fuzz::check_frame_decoder(mutated);
    }
  }
}

// proves: NODE-TEST-5
TEST(FrameCorpus, BoundarySizesOfTheLengthField) {
  for (const std::uint32_t length : {0u, 1u, 15u, 16u, 17u, 63u, 64u, 65u, (1u << 20) - 1, 1u << 20, (1u << 20) + 1,
                                     0x7fffffffu, 0x80000000u, 0xffffffffu}) {
    for (const std::uint8_t flags : {0, 1, 2, 3}) {
      Bytes input{1, flags, 0, 0, 0, 0, 1, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9, 0, 0, 0, 0};
      store_be32(input.data() + fuzz::kControlBytes, length);
      // Enough payload for every length that any limit accepts, and none at all.
      fuzz::check_frame_decoder(input);
      input.resize(input.size() + (1u << 20) - 16, 'p');
      fuzz::check_frame_decoder(input);
    }
  }
}

}  // namespace
}  // namespace hyperscale::wire
