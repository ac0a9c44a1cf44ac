#include "apps/hyperscale/try/tried_request.h"

#include "plan/byte_escapes.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <strings.h>

namespace hyperscale::app {
namespace {

constexpr std::array kSecretHeaders = {"authorization", "proxy-authorization", "cookie"};

bool is_secret(std::string_view line) {
  const std::string name(line.substr(0, line.find(':')));
  return std::ranges::any_of(kSecretHeaders,
                             [&](const char* secret) { return ::strcasecmp(name.c_str(), secret) == 0; });
}

}  // namespace

std::vector<std::string> shown_request(const load::TriedExchange& exchange) {
  std::vector<std::string> lines;
  std::string_view left = exchange.details.request_head;
  while (!left.empty()) {
    const std::size_t end = left.find('\n');
    std::string_view line = left.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    left = end == std::string_view::npos ? std::string_view() : left.substr(end + 1);
    if (line.empty()) continue;
    lines.push_back(is_secret(line) ? fmt::format("{}: (not shown)", line.substr(0, line.find(':')))
                                    : std::string(line));
  }
  return lines;
}

std::vector<std::string> shown_bytes(std::string_view bytes) {
  std::vector<std::string> lines;
  while (!bytes.empty()) {
    const std::size_t end = bytes.find('\n');
    const std::size_t size = end == std::string_view::npos ? bytes.size() : end + 1;
    lines.push_back(plan::escaped(bytes.substr(0, size)));
    bytes.remove_prefix(size);
  }
  return lines;
}

std::string_view answer_header(const load::TriedExchange& exchange, const char* name) {
  for (const auto& [each, value] : exchange.headers) {
    if (::strcasecmp(each.c_str(), name) == 0) return value;
  }
  return {};
}

}  // namespace hyperscale::app
