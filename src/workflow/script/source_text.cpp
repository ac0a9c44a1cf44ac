#include "workflow/script/source_text.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include <fmt/format.h>

namespace hyperscale::workflow {
namespace {

constexpr std::size_t kStackFramesMax = 16;

std::string_view line_of(std::string_view text, std::uint32_t line) {
  for (std::uint32_t at = 1; at < line; ++at) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) return {};
    text.remove_prefix(end + 1);
  }
  text = text.substr(0, text.find('\n'));
  if (text.ends_with('\r')) text.remove_suffix(1);
  return text;
}

// The byte offset of UTF-16 unit number `units` (from 0) of a line.
std::size_t byte_of_unit(std::string_view line, std::size_t units) {
  std::size_t at = 0;
  while (at < line.size() && units > 0) {
    const auto lead = static_cast<unsigned char>(line[at]);
    const std::size_t length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    const std::size_t wide = length == 4 ? 2 : 1;
    at += length;
    units -= std::min(units, wide);
  }
  return std::min(at, line.size());
}

bool in_name(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' || c == '.';
}

std::size_t start_of_call(std::string_view line, std::size_t at) {
  std::size_t from = std::min(at, line.size());
  while (from > 0 && in_name(line[from - 1])) --from;
  return from;
}

struct Frame {
  std::string_view name, file;
  std::uint32_t line = 0, column = 0;
};

bool cut_number(std::string_view& text, std::uint32_t& number) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) return false;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data() + colon + 1, end, number);
  if (error != std::errc{} || stop != end) return false;
  text = text.substr(0, colon);
  return true;
}

std::optional<Frame> parse_frame(std::string_view text) {
  Frame frame;
  if (const std::size_t at = text.find('@'); at != std::string_view::npos) {
    frame.name = text.substr(0, at);
    text.remove_prefix(at + 1);
  }
  if (!cut_number(text, frame.column) || !cut_number(text, frame.line)) return std::nullopt;
  frame.file = text;
  return frame;
}

}  // namespace

void SourceBook::add(SourceText source) {
  std::string name = source.file;
  sources_.insert_or_assign(std::move(name), std::move(source));
}

Location SourceBook::in_file(std::string_view file, std::uint32_t line, std::uint32_t linked_column) const {
  Location place{.file = std::string(file), .line = line, .column = 0};
  const auto found = sources_.find(file);
  if (found == sources_.end() || linked_column == 0) return place;
  std::int64_t column = linked_column;
  for (const ColumnEdit& edit : found->second.edits)
    if (edit.line == line && edit.column <= linked_column) column -= edit.shift;
  const std::string_view text = line_of(found->second.text, line);
  const std::size_t byte = byte_of_unit(text, static_cast<std::size_t>(std::max<std::int64_t>(column, 1) - 1));
  place.column = static_cast<std::uint32_t>(start_of_call(text, byte)) + 1;
  return place;
}

std::string SourceBook::line_at(const Location& place) const {
  const auto found = sources_.find(place.file);
  return found == sources_.end() || place.line == 0 ? std::string()
                                                    : std::string(line_of(found->second.text, place.line));
}

std::size_t SourceBook::count_word(std::string_view name) const {
  const auto part_of_name = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$' || c < 0;
  };
  std::size_t count = 0;
  for (const auto& [file, source] : sources_) {
    const std::string_view text = source.text;
    for (std::size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
      const std::size_t end = at + name.size();
      const bool alone = (at == 0 || !part_of_name(text[at - 1])) && (end == text.size() || !part_of_name(text[end]));
      count += alone ? 1 : 0;
    }
  }
  return count;
}

SourceBook::Stack SourceBook::read_stack(std::string_view engine_stack) const {
  Stack stack;
  std::size_t frames = 0;
  while (!engine_stack.empty() && frames < kStackFramesMax) {
    const std::size_t end = engine_stack.find('\n');
    const std::optional<Frame> frame = parse_frame(engine_stack.substr(0, end));
    engine_stack = end == std::string_view::npos ? std::string_view() : engine_stack.substr(end + 1);
    if (!frame || !has(frame->file)) continue;
    const Location place = in_file(frame->file, frame->line, frame->column);
    if (!stack.top) stack.top = place;
    stack.text += fmt::format("{}{} ({})", frames++ == 0 ? "" : "\n", frame->name.empty() ? "(anonymous)" : frame->name,
                              place_text(place));
  }
  return stack;
}

}  // namespace hyperscale::workflow
