#include "plan/arguments/glob_pattern.h"

#include <algorithm>
#include <cstdint>

#include <fmt/format.h>

namespace hyperscale::plan {
namespace {

tl::unexpected<Error> bad(std::string_view pattern, std::string_view why) {
  constexpr std::size_t kShownMax = 80;
  return fail(ErrorCode::kInvalidArgument, fmt::format("pattern {:?}: {}", pattern.substr(0, kShownMax), why));
}

std::vector<std::string> parts_of(std::string_view path) {
  std::vector<std::string> parts;
  for (std::size_t start = 0; start <= path.size();) {
    const std::size_t end = std::min(path.find('/', start), path.size());
    parts.emplace_back(path.substr(start, end - start));
    start = end + 1;
  }
  return parts;
}

// One character of UTF-8, or one byte of invalid UTF-8.
std::string_view first_character(std::string_view text) {
  std::size_t size = 1;
  while (size < std::min<std::size_t>(text.size(), 4) && (static_cast<std::uint8_t>(text[0]) & 0xc0) == 0xc0 &&
         (static_cast<std::uint8_t>(text[size]) & 0xc0) == 0x80) {
    ++size;
  }
  return text.substr(0, size);
}

std::string_view take_character(std::string_view& text) {
  const std::string_view character = first_character(text);
  text.remove_prefix(character.size());
  return character;
}

// The inside of "[...]" at the start of `pattern`; npos without an end. A "]" in first place belongs to the set.
std::size_t set_end(std::string_view pattern) {
  std::size_t first = 1;
  if (first < pattern.size() && (pattern[first] == '!' || pattern[first] == '^')) ++first;
  return pattern.find(']', first + 1);
}

struct Range {
  std::string_view low, high;
};

Range take_range(std::string_view& set) {
  const std::string_view low = take_character(set);
  if (set.size() < 2 || set[0] != '-') return {low, low};
  set.remove_prefix(1);
  return {low, take_character(set)};
}

bool set_contains(std::string_view set, std::string_view character) {
  const bool inverted = set.starts_with('!') || set.starts_with('^');
  if (inverted) set.remove_prefix(1);
  bool found = false;
  while (!set.empty()) {
    const Range range = take_range(set);
    found = found || (character >= range.low && character <= range.high);  // bytes of UTF-8 sort like its characters
  }
  return found != inverted;
}

// True if the first item of `pattern`, not a star, matches `character`; removes the item.
bool take_item(std::string_view& pattern, std::string_view character) {
  if (pattern[0] == '[') {
    const std::size_t end = set_end(pattern);
    const std::string_view set = pattern.substr(1, end - 1);
    pattern.remove_prefix(end + 1);
    return set_contains(set, character);
  }
  if (pattern[0] == '?') {
    pattern.remove_prefix(1);
    return true;
  }
  if (pattern[0] == '\\') pattern.remove_prefix(1);
  return take_character(pattern) == character;
}

// Only the last star is ever extended: extending an earlier one cannot help.
bool part_matches(std::string_view pattern, std::string_view text) {
  if (text.starts_with('.') && !pattern.starts_with('.') && !pattern.starts_with("\\.")) return false;
  bool starred = false;
  std::string_view star_pattern, star_text;
  while (!text.empty()) {
    if (pattern.starts_with('*')) {
      pattern.remove_prefix(1);
      starred = true;
      star_pattern = pattern;
      star_text = text;
      continue;
    }
    std::string_view rest = text;
    const std::string_view character = take_character(rest);
    if (!pattern.empty() && take_item(pattern, character)) {
      text = rest;
    } else if (starred) {
      take_character(star_text);
      pattern = star_pattern;
      text = star_text;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*') == std::string_view::npos;
}

Status check_part(std::string_view whole, std::string_view part) {
  if (part.empty() || part == "." || part == "..")
    return bad(whole, fmt::format("the part {:?} is not possible", part));
  while (!part.empty()) {
    if (part[0] == '[') {
      const std::size_t end = set_end(part);
      if (end == std::string_view::npos) return bad(whole, "a [ has no ]");
      std::string_view set = part.substr(1, end - 1);
      if (set.starts_with('!') || set.starts_with('^')) set.remove_prefix(1);
      while (!set.empty()) {
        if (const Range range = take_range(set); range.low > range.high) return bad(whole, "a range is reversed");
      }
      part.remove_prefix(end + 1);
      continue;
    }
    if (part[0] == '\\' && part.size() == 1) return bad(whole, "a \\ stands at the end");
    part.remove_prefix(part[0] == '\\' ? 2 : 1);
  }
  return {};
}

}  // namespace

Result<GlobPattern> GlobPattern::parse(std::string_view pattern) {
  if (pattern.empty()) return bad(pattern, "it is empty");
  if (pattern.size() > kGlobBytesMax) return bad(pattern, fmt::format("more than {} bytes", kGlobBytesMax));
  if (pattern.front() == '/') return bad(pattern, "it is absolute");
  GlobPattern parsed;
  parsed.parts_ = parts_of(pattern);
  for (const std::string& part : parsed.parts_) {
    if (Status checked = check_part(pattern, part); !checked) return fail(checked.error());
  }
  return parsed;
}

bool GlobPattern::has_wildcard(std::string_view text) {
  return text.find_first_of("*?[") != std::string_view::npos;
}

// The same walk as inside a part: parts are the characters and "**" is the star.
bool GlobPattern::matches(std::string_view path) const {
  const std::vector<std::string> parts = parts_of(path);
  std::size_t at = 0;
  std::size_t wanted = 0;
  bool starred = false;
  std::size_t star_at = 0;
  std::size_t star_wanted = 0;
  while (at < parts.size()) {
    // "**" matches folders; the rest of the pattern matches the file, or "**" itself if it comes last.
    if (wanted < parts_.size() && parts_[wanted] == "**") {
      if (wanted + 1 == parts_.size()) {
        return std::none_of(parts.begin() + static_cast<std::ptrdiff_t>(at), parts.end(),
                            [](const std::string& part) { return part.starts_with('.'); });
      }
      starred = true;
      star_wanted = ++wanted;
      star_at = at;
    } else if (wanted < parts_.size() && part_matches(parts_[wanted], parts[at])) {
      ++at;
      ++wanted;
    } else if (starred && !parts[star_at].starts_with('.')) {
      at = ++star_at;
      wanted = star_wanted;
    } else {
      return false;
    }
  }
  return wanted == parts_.size();
}

std::size_t GlobPattern::parts_max() const {
  return std::ranges::find(parts_, "**") == parts_.end() ? parts_.size() : 0;
}

}  // namespace hyperscale::plan
