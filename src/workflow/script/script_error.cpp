#include "workflow/script/script_error.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace hyperscale::workflow {
namespace {

// A minified file has lines of megabytes: only this much is shown around the location.
constexpr std::size_t kShownBefore = 80;
constexpr std::size_t kShownColumnsMax = 160;

// The caret is under its character only if every blank before it is as wide as the character above it.
std::string caret_line(std::string_view before) {
  std::string blanks;
  for (const char c : before)
    if ((static_cast<unsigned char>(c) & 0xC0) != 0x80) blanks += c == '\t' ? '\t' : ' ';
  return blanks + "^";
}

std::string excerpt(const ScriptError& error) {
  const std::size_t column = std::max<std::size_t>(error.place.column, 1);
  const std::size_t at = std::min(column - 1, error.source_line.size());
  const std::size_t from = at > kShownColumnsMax - kShownBefore ? at - kShownBefore : 0;
  const std::string shown = error.source_line.substr(from, kShownColumnsMax);
  const std::string number = std::to_string(error.place.line);
  std::string text = fmt::format("\n  {} | {}", number, shown);
  if (error.place.column == 0) return text;
  return text +
         fmt::format("\n  {:{}} | {}", "", number.size(), caret_line(std::string_view(shown).substr(0, at - from)));
}

}  // namespace

tl::unexpected<ScriptError> script_fail(ScriptError error) {
  return tl::unexpected<ScriptError>(std::move(error));
}

std::string place_text(const Location& place) {
  if (place.file.empty() || place.line == 0) return place.file;
  if (place.column == 0) return fmt::format("{}:{}", place.file, place.line);
  return fmt::format("{}:{}:{}", place.file, place.line, place.column);
}

std::string format_error(const ScriptError& error) {
  const std::string place = place_text(error.place);
  std::string text = place.empty() ? error.message : fmt::format("{}: {}", place, error.message);
  if (!error.source_line.empty() && error.place.line > 0) text += excerpt(error);
  return text;
}

std::string format_errors(const std::vector<ScriptError>& errors) {
  std::string text;
  for (const ScriptError& error : errors) text += format_error(error) + "\n";
  return text;
}

}  // namespace hyperscale::workflow
