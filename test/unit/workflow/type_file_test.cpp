#include "script_world.h"
#include "workflow/script/embedded.h"

#include <regex>
#include <set>

#include <gmock/gmock.h>

namespace hyperscale::workflow {
namespace {

using TypeFileTest = ScriptWorld;

std::set<std::string> all_matches(const std::string& text, const std::regex& pattern) {
  std::set<std::string> found;
  for (std::sregex_iterator match(text.begin(), text.end(), pattern), end; match != end; ++match)
    found.insert((*match)[1]);
  return found;
}

TEST_F(TypeFileTest, DeclaresExactlyWhatTheModuleExports) {
  ASSERT_EQ(open_shop("a = step(() => 1)"), "");
  const std::string types(embedded::hyperscale_d_ts());
  const std::vector<std::string> exports = runtime_->built_in_exports();
  const std::regex value("\n  export (?:class|function|const) (\\w+)");
  EXPECT_EQ(all_matches(types, value), std::set<std::string>(exports.begin(), exports.end()));
}

// Every attribute that the type file offers is one that the host knows, and none is missing.
TEST_F(TypeFileTest, DeclaresExactlyTheAttributesOfAWorkflow) {
  const std::string types(embedded::hyperscale_d_ts());
  const std::set<std::string> attributes = all_matches(types, std::regex("\n    static (\\w+)\\?:"));
  ASSERT_FALSE(attributes.empty());
  const std::string declare(embedded::declare_js());
  const std::size_t from = declare.find("const ATTRIBUTES = {");
  ASSERT_NE(from, std::string::npos);
  const std::string table = declare.substr(from, declare.find("};", from) - from);
  EXPECT_EQ(attributes, all_matches(table, std::regex("[\\s{](\\w+): (?:is\\.|type\\(|listed\\()")));
}

TEST_F(TypeFileTest, DeclaresExactlyTheOptionsOfARequest) {
  const std::string types(embedded::hyperscale_d_ts());
  const std::size_t from = types.find("interface RequestOptions {");
  const std::string options = types.substr(from, types.find("\n  }", from) - from);
  const std::string declare(embedded::declare_js());
  const std::size_t table_from = declare.find("const REQUEST = {");
  const std::string table = declare.substr(table_from, declare.find("};", table_from) - table_from);
  EXPECT_EQ(all_matches(options, std::regex("\n    (\\w+)\\?:")),
            all_matches(table, std::regex("[\\s{](\\w+): (?:is\\.|type\\()")));
}

}  // namespace
}  // namespace hyperscale::workflow
