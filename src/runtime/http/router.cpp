#include "runtime/http/router.h"

#include "base/check.h"

#include <utility>

namespace hyperscale::runtime {
namespace {

constexpr std::string_view kPrefixMark = "/*";

bool is_prefix_pattern(std::string_view pattern) {
  return pattern.ends_with(kPrefixMark);
}

bool path_matches(std::string_view pattern, std::string_view path) {
  if (!is_prefix_pattern(pattern)) return pattern == path;
  pattern.remove_suffix(1);  // keeps the slash: "/jobs/*" is for what is below /jobs, not for /jobs itself
  return path.starts_with(pattern) && path.size() > pattern.size();
}

bool method_matches(std::string_view route_method, std::string_view method) {
  return route_method == method || (method == "HEAD" && route_method == "GET");
}

// Exact patterns beat prefixes; among prefixes the longest wins.
std::size_t specificity(std::string_view pattern) {
  return is_prefix_pattern(pattern) ? pattern.size() : SIZE_MAX;
}

void append_method(std::string& allow, std::string_view method) {
  if (!allow.empty()) allow += ", ";
  allow += method;
}

}  // namespace

void Router::add(Route route) {
  CHECK(route.handler != nullptr, "route {} {} has no handler", route.method, route.path);
  CHECK(route.path.starts_with('/'), "route path '{}' does not begin with '/'", route.path);
  for (const Route& other : routes_) {
    CHECK(other.method != route.method || other.path != route.path, "route {} {} exists", route.method, route.path);
  }
  routes_.push_back(std::move(route));
}

Router::Match Router::match(std::string_view method, std::string_view path) const {
  std::size_t best = 0;
  for (const Route& route : routes_) {
    if (path_matches(route.path, path)) best = std::max(best, specificity(route.path));
  }
  Match match;
  if (best == 0) return match;
  for (std::size_t i = 0; i < routes_.size(); ++i) {
    const Route& route = routes_[i];
    if (specificity(route.path) != best || !path_matches(route.path, path)) continue;
    append_method(match.allow, route.method);
    if (route.method == "GET") append_method(match.allow, "HEAD");
    // A route for HEAD takes precedence over the GET route.
    if (route.method == method || (!match.route && method_matches(route.method, method))) match.route = i;
  }
  if (match.route) match.allow.clear();
  return match;
}

}  // namespace hyperscale::runtime
