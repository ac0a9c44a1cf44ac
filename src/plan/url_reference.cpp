// resolve_reference of url.h: RFC 3986 5.2 for the two schemes that there are.
#include "plan/ascii.h"
#include "plan/percent.h"
#include "plan/url.h"

#include <fmt/format.h>

namespace hyperscale::plan {
namespace {

struct Target {
  std::string_view path;
  std::string_view query;  // with its "?", or empty
};

Target split_target(std::string_view target) {
  const std::size_t query_at = std::min(target.find('?'), target.size());
  return {.path = target.substr(0, query_at), .query = target.substr(query_at)};
}

// Blanks at the ends are not part of the reference; inside they, and bytes beyond ASCII, become escapes.
std::string clean(std::string_view location) {
  while (!location.empty() && (location.front() == ' ' || location.front() == '\t')) location.remove_prefix(1);
  while (!location.empty() && (location.back() == ' ' || location.back() == '\t')) location.remove_suffix(1);
  std::string cleaned;
  cleaned.reserve(location.size());
  for (const char c : location) {
    if (c == ' ' || (!is_visible(c) && !is_control(c))) {
      append_escape(cleaned, c);
    } else {
      cleaned.push_back(c);
    }
  }
  return cleaned;
}

// RFC 3986 5.2.4 for a path that begins with "/".
std::string without_dot_segments(std::string_view path) {
  std::string result;
  while (!path.empty()) {
    const std::size_t end = std::min(path.find('/', 1), path.size());
    const std::string_view segment = path.substr(1, end - 1);
    const bool last = end == path.size();
    if (segment == "..") result.erase(std::min(result.rfind('/'), result.size()));
    if (segment != "." && segment != "..") {
      result += path.substr(0, end);
    } else if (last) {
      result += '/';
    }
    path.remove_prefix(end);
  }
  return result;
}

std::string normal_target(std::string_view path, std::string_view query) {
  return without_dot_segments(path).append(query);
}

bool has_scheme(std::string_view reference) {
  const std::size_t end = reference.find_first_of(":/?#");
  return end != std::string_view::npos && end > 0 && reference[end] == ':';
}

Result<Url> absolute(std::string_view text) {
  Result<Url> url = parse_url(text);
  if (!url) return url;
  const Target target = split_target(url->target);
  url->target = normal_target(target.path, target.query);
  return url;
}

// The target of a reference that has neither a scheme nor an authority.
std::string relative_target(std::string_view base_target, std::string_view reference) {
  const Target base = split_target(base_target);
  const Target target = split_target(reference);
  if (target.path.empty()) return std::string(base.path).append(target.query.empty() ? base.query : target.query);
  if (target.path.starts_with('/')) return normal_target(target.path, target.query);
  const std::string_view folder = base.path.substr(0, base.path.rfind('/') + 1);
  return normal_target(std::string(folder).append(target.path), target.query);
}

}  // namespace

Result<Url> resolve_reference(const Url& base, std::string_view location) {
  const std::string cleaned = clean(location);
  const std::string_view reference = std::string_view(cleaned).substr(0, cleaned.find('#'));
  if (reference.starts_with("//")) return absolute(fmt::format("{}:{}", base.scheme, reference));
  if (has_scheme(reference)) {
    if (const std::size_t colon = reference.find(':'); !reference.substr(colon).starts_with("://")) {
      return fail(
          ErrorCode::kInvalidArgument,
          fmt::format("the scheme \"{}\" is not supported; use http:// or https://", reference.substr(0, colon)));
    }
    return absolute(reference);
  }
  // Parsed again as a whole so that a bad location is found here and not sent.
  Url whole = base;
  whole.target = relative_target(base.target, reference);
  Result<Url> checked = parse_url(whole.text());
  if (!checked) return checked;
  return whole;
}

}  // namespace hyperscale::plan
