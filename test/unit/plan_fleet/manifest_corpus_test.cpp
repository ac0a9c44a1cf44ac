// Replays the seeds of fuzz/job_manifest, with every truncation and a few mutations of each, in an ordinary test run.
#include "base/prng.h"
#include "job_manifest_properties.h"

#include <filesystem>
#include <fstream>
#include <iterator>

#include <gtest/gtest.h>

namespace hyperscale::plan {
namespace {

// A seed whose name begins with "bad" is refused as what it is a seed of.
TEST(ManifestCorpus, PropertiesHold) {
  std::size_t seeds = 0;
  Prng prng(2024);
  for (const auto& entry : std::filesystem::directory_iterator(JOB_MANIFEST_CORPUS_DIR)) {
    const std::string name = entry.path().filename();
    std::ifstream file(entry.path(), std::ios::binary);
    const std::vector<std::uint8_t> seed{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    const bool is_job = name.find("job_") != std::string::npos;
    EXPECT_EQ(is_job ? fuzz::check_split(seed) : fuzz::check_manifest(seed), !name.starts_with("bad_")) << name;
    for (std::size_t kept = 0; kept < seed.size(); ++kept) fuzz::check_manifest(ByteView(seed).first(kept));
    for (int round = 0; round < 200; ++round) {
      std::vector<std::uint8_t> mutated = seed;
      mutated[prng.below(mutated.size())] = static_cast<std::uint8_t>(prng.next());
      fuzz::check_manifest(mutated);
      fuzz::check_split(mutated);
    }
    ++seeds;
  }
  EXPECT_GE(seeds, 8U);
}

}  // namespace
}  // namespace hyperscale::plan
