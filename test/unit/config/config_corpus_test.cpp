#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <gtest/gtest.h>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace hyperscale::runtime {
namespace {

TEST(ConfigCorpus, EveryInputOfTheFuzzerStillHolds) {
  std::size_t replayed = 0;
  for (const auto& entry : std::filesystem::directory_iterator(HYPERSCALE_SOURCE_DIR "/fuzz/config/corpus")) {
    SCOPED_TRACE(entry.path().filename().string());
    std::ifstream file(entry.path(), std::ios::binary);
    const std::string text(std::istreambuf_iterator<char>(file), {});
    EXPECT_EQ(LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(text.data()), text.size()), 0);
    ++replayed;
  }
  EXPECT_GE(replayed, 10u);
}

}  // namespace
}  // namespace hyperscale::runtime
