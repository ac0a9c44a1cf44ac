// Replays the seeds of the response fuzzers, with every truncation of each, in an ordinary test run.
#include "response_properties.h"

#include <filesystem>
#include <fstream>
#include <iterator>

#include <gtest/gtest.h>

namespace hyperscale::load {
namespace {

TEST(ResponseCorpus, EverySeedAndPrefixKeepsTheProperties) {
  std::size_t seeds = 0;
  for (const auto& entry : std::filesystem::directory_iterator(RESPONSE_CORPUS_DIR)) {
    std::ifstream file(entry.path(), std::ios::binary);
    const std::vector<std::uint8_t> seed{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    for (std::size_t kept = 0; kept <= seed.size(); ++kept) fuzz::check_response_parser(ByteView(seed).first(kept));
    ++seeds;
  }
  EXPECT_GE(seeds, 40u);
}

}  // namespace
}  // namespace hyperscale::load
