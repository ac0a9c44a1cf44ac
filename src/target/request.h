// Request: a complete request as the routes see it, of either HTTP version. Views only; the function that makes it
// documents their lifetime.
#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <string_view>

namespace hyperscale::target {

struct Field {
  std::string_view name;
  std::string_view value;
};

struct Request {
  std::string_view method;
  std::string_view target;  // as sent: "/size/64KiB?x=1"
  std::span<const Field> fields;
  std::string_view body;  // only for routes that return it
  bool body_cut = false;  // the body was longer than what is kept
};

inline char ascii_lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
}

inline bool same_ignoring_case(std::string_view left, std::string_view right) {
  return left.size() == right.size() && std::equal(left.begin(), left.end(), right.begin(),
                                                   [](char a, char b) { return ascii_lower(a) == ascii_lower(b); });
}

// Whether a comma-separated list, as in Connection or Accept-Encoding, names the token; parameters are ignored.
inline bool lists_token(std::string_view list, std::string_view token) {
  while (!list.empty()) {
    std::string_view item = list.substr(0, list.find(','));
    list.remove_prefix(std::min(list.size(), item.size() + 1));
    item = item.substr(0, item.find(';'));
    while (!item.empty() && (item.front() == ' ' || item.front() == '\t')) item.remove_prefix(1);
    while (!item.empty() && (item.back() == ' ' || item.back() == '\t')) item.remove_suffix(1);
    if (same_ignoring_case(item, token)) return true;
  }
  return false;
}

}  // namespace hyperscale::target
