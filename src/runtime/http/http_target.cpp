#include "runtime/http/http_target.h"

#include <algorithm>

namespace hyperscale::runtime {
namespace {

std::optional<int> hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return std::nullopt;
}

std::string_view without_fragment(std::string_view target) {
  return target.substr(0, target.find('#'));
}

bool starts_with_scheme(std::string_view target, std::string_view scheme) {
  return target.size() >= scheme.size() && std::equal(scheme.begin(), scheme.end(), target.begin(), [](char a, char b) {
           return a == (b >= 'A' && b <= 'Z' ? static_cast<char>(b + ('a' - 'A')) : b);
         });
}

}  // namespace

std::optional<std::string_view> path_of_target(std::string_view target) {
  target = without_fragment(target);
  for (const std::string_view scheme : {std::string_view("http://"), std::string_view("https://")}) {
    if (!starts_with_scheme(target, scheme)) continue;
    target.remove_prefix(scheme.size());
    const auto end_of_authority = target.find_first_of("/?");
    if (end_of_authority == 0) return std::nullopt;
    if (end_of_authority == std::string_view::npos || target[end_of_authority] == '?') return "/";
    target.remove_prefix(end_of_authority);
    break;
  }
  if (target.empty() || target.front() != '/') return std::nullopt;
  return target.substr(0, target.find('?'));
}

std::optional<std::string_view> authority_of_target(std::string_view target) {
  for (const std::string_view scheme : {std::string_view("http://"), std::string_view("https://")}) {
    if (!starts_with_scheme(target, scheme)) continue;
    target.remove_prefix(scheme.size());
    return target.substr(0, target.find_first_of("/?#"));
  }
  return std::nullopt;
}

std::optional<std::string> query_parameter(std::string_view target, std::string_view key) {
  target = without_fragment(target);
  const auto mark = target.find('?');
  if (mark == std::string_view::npos) return std::nullopt;
  std::string_view rest = target.substr(mark + 1);
  while (!rest.empty()) {
    const auto end = rest.find('&');
    const std::string_view pair = rest.substr(0, end);
    rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
    const auto equals = pair.find('=');
    if (percent_decoded(pair.substr(0, equals)) != key) continue;
    return equals == std::string_view::npos ? std::string() : percent_decoded(pair.substr(equals + 1));
  }
  return std::nullopt;
}

std::string percent_decoded(std::string_view text) {
  std::string decoded;
  decoded.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%' && i + 2 < text.size()) {
      const auto high = hex_digit(text[i + 1]);
      const auto low = hex_digit(text[i + 2]);
      if (high && low) {
        decoded.push_back(static_cast<char>(*high * 16 + *low));
        i += 2;
        continue;
      }
    }
    decoded.push_back(text[i] == '+' ? ' ' : text[i]);
  }
  return decoded;
}

}  // namespace hyperscale::runtime
