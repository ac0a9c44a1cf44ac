#include "load/protocols/http/cookie_jar.h"

#include <algorithm>
#include <cctype>
#include <charconv>

namespace hyperscale::load {
namespace {

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

std::string lower(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

// Takes the part up to `mark` off the front of `rest`.
std::string_view cut(std::string_view& rest, char mark) {
  const std::size_t end = std::min(rest.find(mark), rest.size());
  const std::string_view part = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return trimmed(part);
}

std::string default_path(std::string_view request_path) {
  request_path = request_path.substr(0, request_path.find('?'));
  const std::size_t slash = request_path.rfind('/');
  return slash == 0 || slash == std::string_view::npos ? "/" : std::string(request_path.substr(0, slash));
}

bool domain_matches(std::string_view host, std::string_view domain) {
  if (host == domain) return true;
  return host.size() > domain.size() && host.ends_with(domain) && host[host.size() - domain.size() - 1] == '.';
}

bool path_matches(std::string_view path, std::string_view cookie_path) {
  path = path.substr(0, path.find('?'));
  if (!path.starts_with(cookie_path)) return false;
  return path.size() == cookie_path.size() || cookie_path.ends_with('/') || path[cookie_path.size()] == '/';
}

bool is_gone(std::string_view max_age) {
  std::int64_t seconds = 0;
  const auto [end, error] = std::from_chars(max_age.data(), max_age.data() + max_age.size(), seconds);
  return error == std::errc() && seconds <= 0;
}

}  // namespace

void CookieJar::store(std::string_view field, std::string_view host, std::string_view path) {
  if (field.size() > kCookieBytesMax) return;
  std::string_view rest = field;
  std::string_view pair = cut(rest, ';');
  if (pair.find('=') == std::string_view::npos) return;
  Cookie cookie;
  cookie.name = cut(pair, '=');
  cookie.value = trimmed(pair);
  cookie.domain = host;
  if (cookie.name.empty()) return;
  bool gone = false;
  while (!rest.empty()) {
    std::string_view value = cut(rest, ';');
    const std::string name = lower(cut(value, '='));
    value = trimmed(value);
    if (name == "secure") cookie.secure = true;
    if (name == "path" && value.starts_with('/')) cookie.path = value;
    if (name == "max-age") gone = is_gone(value);
    // A date in the past is how servers delete cookies; they write 1970.
    if (name == "expires" && value.find("1970") != std::string_view::npos) gone = true;
    if (name == "domain" && !value.empty()) {
      cookie.domain = lower(value.starts_with('.') ? value.substr(1) : value);
      cookie.host_only = false;
    }
  }
  if (!domain_matches(host, cookie.domain)) return;
  if (cookie.path.empty()) cookie.path = default_path(path);
  std::erase_if(cookies_, [&](const Cookie& old) {
    return old.name == cookie.name && old.domain == cookie.domain && old.path == cookie.path;
  });
  if (gone) return;
  if (cookies_.size() == kCookiesMax) cookies_.erase(cookies_.begin());
  cookies_.push_back(std::move(cookie));
}

std::string CookieJar::header_for(std::string_view host, std::string_view path, bool secure) const {
  std::string out;
  for (const Cookie& cookie : cookies_) {
    const bool same_domain = cookie.host_only ? host == cookie.domain : domain_matches(host, cookie.domain);
    if (!same_domain || !path_matches(path, cookie.path) || (cookie.secure && !secure)) continue;
    if (!out.empty()) out += "; ";
    out += cookie.name;
    out += '=';
    out += cookie.value;
  }
  return out;
}

}  // namespace hyperscale::load
