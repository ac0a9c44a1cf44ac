#include "runtime/config/config_fields.h"
#include "runtime/config/config_loader.h"
#include "runtime/config/config_print.h"

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hyperscale::runtime {
namespace {

constexpr const char* kPage = HYPERSCALE_SOURCE_DIR "/docs/configuration.md";
constexpr std::string_view kBegin = "<!-- begin generated reference -->\n";
constexpr std::string_view kEnd = "<!-- end generated reference -->";

std::string page() {
  std::ifstream file(kPage);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

// UPDATE_DOCS=1 rewrites the table instead of comparing it.
// proves: NODE-CFG-1, NODE-FACET-5
TEST(ConfigReference, TheDocumentedSchemaIsTheOneThatIsLoaded) {
  const std::string text = page();
  const std::size_t begin = text.find(kBegin);
  const std::size_t end = text.find(kEnd);
  ASSERT_NE(begin, std::string::npos);
  ASSERT_NE(end, std::string::npos);
  const std::string generated = "\n" + reference_markdown() + "\n";
  const std::size_t table_at = begin + kBegin.size();
  if (std::getenv("UPDATE_DOCS") != nullptr) {
    std::ofstream(kPage) << text.substr(0, table_at) << generated << text.substr(end);
    return;
  }
  EXPECT_EQ(text.substr(table_at, end - table_at), generated)
      << "docs/configuration.md is stale: run this test once with UPDATE_DOCS=1";
}

TEST(ConfigReference, EveryExampleOfThePageLoads) {
  const std::string text = page();
  constexpr std::string_view kFence = "```toml\n";
  int examples = 0;
  for (std::size_t at = text.find(kFence); at != std::string::npos; at = text.find(kFence, at + 1)) {
    const std::size_t begin = at + kFence.size();
    const ConfigLoad load =
        load_config({.file_path = "example", .file_text = text.substr(begin, text.find("```", begin) - begin)});
    EXPECT_TRUE(load.ok()) << render_errors(load.errors);
    ++examples;
  }
  EXPECT_GE(examples, 2);
}

// proves: NODE-CFG-1
TEST(ConfigReference, EveryKeyHasItsRow) {
  const std::string table = reference_markdown();
  for (const FieldInfo& field : config_fields()) {
    EXPECT_THAT(table, testing::HasSubstr("| `" + field.path + "` |"));
    EXPECT_THAT(table, testing::HasSubstr("`" + field.environment + "`"));
  }
}

}  // namespace
}  // namespace hyperscale::runtime
