// Whole screens against files in golden/. HYPERSCALE_UPDATE_GOLDEN=1 writes them anew; look at them before committing.
#include "sample_views.h"
#include "tui/cells/frame_writer.h"

#include <cstdlib>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

namespace hyperscale::tui {
namespace {

bool is_updating() {
  return std::getenv("HYPERSCALE_UPDATE_GOLDEN") != nullptr;  // NOLINT(concurrency-mt-unsafe)
}

void expect_golden(const std::string& file, const std::string& text) {
  const std::string path = std::string(TUI_GOLDEN_DIR "/") + file;
  if (is_updating()) std::ofstream(path) << text;
  std::ostringstream kept;
  kept << std::ifstream(path).rdbuf();
  EXPECT_EQ(text, kept.str()) << path;
}

class GoldenScreens : public testing::TestWithParam<GoldenScreen> {};

// proves: UI-3
// proves part: UI-1 (progress, rates, latencies and outcomes; not the values of metric hooks)
TEST_P(GoldenScreens, AreAsKept) {
  expect_golden(std::string(GetParam().name) + ".txt", drawn(GetParam()).text());
}

INSTANTIATE_TEST_SUITE_P(Tui, GoldenScreens, testing::ValuesIn(golden_screens()),
                         [](const auto& info) { return std::string(info.param.name); });

// Colours too, for the screens that documentation shows.
// proves: UI-3
TEST(GoldenColours, AreAsKept) {
  for (const std::string name : {"running_120x40", "failing_120x40", "running_80x24", "running_200x60"}) {
    expect_golden(name + ".ansi", coloured_text(drawn(golden_screen(name)), Theme(Colours::k256)));
  }
}

}  // namespace
}  // namespace hyperscale::tui
