#include "apps/hyperscale/check/check_work.h"

#include "apps/hyperscale/check/checked_file.h"
#include "intake/describe_work.h"
#include "intake/thresholds_from_description.h"
#include "plan/option_values.h"

#include <utility>

namespace hyperscale::app {
namespace {

Result<std::vector<std::uint8_t>> check(const std::string& path, bool json, std::uint32_t cores,
                                        const intake::ScriptVariables& variables) {
  auto described = intake::describe_file(path, variables, 0, intake::open_in_parent);
  if (!described) return fail(described.error());
  if (const auto thresholds = intake::thresholds_of(described->description); !thresholds)
    return fail(thresholds.error());
  const auto file = checked_file(path, std::move(described->description), cores);
  if (!file) return fail(file.error());
  const std::string text = json ? checked_json(*file) : checked_text(*file);
  return std::vector<std::uint8_t>(text.begin(), text.end());
}

}  // namespace

std::vector<std::string> check_words(const std::string& file, bool json, std::uint32_t cores) {
  return {"check", file, json ? "json" : "text", std::to_string(cores)};
}

Result<intake::GuardedWork> prepare_check(std::span<const std::string> words, std::vector<std::uint8_t> request) {
  if (words.size() != 3) return fail(ErrorCode::kInvalidArgument, "check is told a path, a format and cores");
  const auto cores = plan::read_count("cores", words[2], 1, UINT32_MAX);
  if (!cores) return fail(cores.error());
  auto asked = intake::decode_describing(request);
  if (!asked) return fail(asked.error());
  return intake::GuardedWork{intake::rights_to_describe(),
                             [path = words[0], json = words[1] == "json", cores = static_cast<std::uint32_t>(*cores),
                              variables = std::move(asked->variables)] { return check(path, json, cores, variables); }};
}

}  // namespace hyperscale::app
