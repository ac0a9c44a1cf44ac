#include "load/protocols/http/cookie_jar.h"

#include "base/trimmed.h"
#include "load/protocols/http/cookie_date.h"
#include "load/protocols/http/public_suffixes.h"
#include "plan/ascii.h"
#include "plan/host.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace hyperscale::load {
namespace {

constexpr Duration kAgeMax = 24h * 400;  // RFC 6265bis 5.5: upper limit

// Removes the part up to `mark` from the front of `rest` and returns it.
std::string_view cut(std::string_view& rest, char mark) {
  const std::size_t end = std::min(rest.find(mark), rest.size());
  const std::string_view part = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return trimmed(part);
}

std::string default_path(std::string_view request_path) {
  request_path = request_path.substr(0, request_path.find('?'));
  const std::size_t slash = request_path.rfind('/');
  const bool none = !request_path.starts_with('/') || slash == 0;
  return none ? "/" : std::string(request_path.substr(0, slash));
}

bool is_address(const std::string& host) {
  return plan::is_ipv4_address(host) || plan::is_ipv6_address(host);
}

// RFC 6265 5.1.3; an address matches only itself.
bool domain_matches(std::string_view host, std::string_view domain) {
  if (host == domain) return true;
  if (host.size() <= domain.size() || !host.ends_with(domain) || host[host.size() - domain.size() - 1] != '.')
    return false;
  return !is_address(std::string(host));
}

int hex_value(char c) {
  return plan::is_digit(c) ? c - '0' : plan::to_lower(c) - 'a' + 10;
}

// Decodes escaped letters, digits and "-._~": both forms are the same URL (RFC 3986 6.2.2.2).
std::string with_plain_letters(std::string_view path) {
  std::string out;
  for (std::size_t i = 0; i < path.size(); ++i) {
    if (path[i] == '%' && i + 2 < path.size() && plan::is_hex_digit(path[i + 1]) && plan::is_hex_digit(path[i + 2])) {
      const char meant = static_cast<char>(hex_value(path[i + 1]) * 16 + hex_value(path[i + 2]));
      if (plan::is_letter(meant) || plan::is_digit(meant) || std::string_view("-._~").find(meant) < 4) {
        out += meant;
        i += 2;
        continue;
      }
    }
    out += path[i];
  }
  return out;
}

bool path_matches(std::string_view path, std::string_view cookie_path) {
  path = path.substr(0, path.find('?'));
  if (path.find('%') != std::string_view::npos && !path.starts_with(cookie_path)) {
    const std::string plain = with_plain_letters(path);
    return plain != path && path_matches(plain, cookie_path);
  }
  if (!path.starts_with(cookie_path)) return false;
  return path.size() == cookie_path.size() || cookie_path.ends_with('/') || path[cookie_path.size()] == '/';
}

bool belongs_to(const Cookie& cookie, const CookieScope& to) {
  if (cookie.host_only ? to.host != cookie.domain : !domain_matches(to.host, cookie.domain)) return false;
  return path_matches(to.path, cookie.path);
}

bool is_sent(const Cookie& cookie, const CookieScope& to, WallTime now) {
  return cookie.expires > now && (!cookie.secure || to.secure) && belongs_to(cookie, to);
}

// Empty when it is not a number: the attribute is then ignored.
std::optional<WallTime> end_of_age(std::string_view text, WallTime now) {
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  if (text.empty() || !std::ranges::all_of(text, plan::is_digit)) return std::nullopt;
  if (negative) return WallTime::from_ns(INT64_MIN);
  std::int64_t seconds = 0;
  for (const char digit : text)
    seconds = std::min<std::int64_t>(seconds * 10 + (digit - '0'), kAgeMax / std::chrono::seconds(1));
  return seconds == 0 ? WallTime::from_ns(INT64_MIN) : now + std::chrono::seconds(seconds);
}

// The attributes of RFC 6265 5.2. If a name occurs several times, the last one counts.
struct Attributes {
  std::optional<WallTime> expires, end_of_age;
  std::string domain;  // empty: no Domain attribute
  std::string_view path;
  bool secure = false;
  bool http_only = false;

  Attributes(std::string_view rest, WallTime now) {
    while (!rest.empty()) {
      std::string_view value = cut(rest, ';');
      const std::string name = plan::lower_case(cut(value, '='));
      value = trimmed(value);
      if (name == "secure") secure = true;
      if (name == "httponly") http_only = true;
      if (name == "path") path = value;
      if (name == "max-age")
        if (const auto end = load::end_of_age(value, now)) end_of_age = end;
      if (name == "expires")
        if (const auto date = parse_cookie_date(value)) expires = date;
      if (name == "domain" && !value.empty()) domain = plan::lower_case(value.substr(value.starts_with('.') ? 1 : 0));
    }
  }
};

// Empty: the domain may be used.
std::string_view refusal_of(const std::string& domain, std::string_view host, const PublicSuffixes* suffixes) {
  if (!domain_matches(host, domain)) return "its domain is not the host's";
  if (domain == host) return {};
  const bool is_public = domain.find('.') == std::string::npos || suffixes == nullptr || suffixes->contains(domain);
  return is_public ? "its domain is a public suffix" : std::string_view();
}

}  // namespace

std::string_view CookieJar::store(std::string_view field, const CookieScope& from, WallTime now,
                                  const PublicSuffixes* suffixes) {
  field = field.substr(0, field.find_first_of(std::string_view("\0\r\n", 3)));
  if (field.size() > kCookieBytesMax) return "it is too long";
  if (std::ranges::any_of(field, [](char c) { return plan::is_control(c) && c != '\t'; }))
    return "it has a control character";
  std::string_view rest = field;
  std::string_view pair = cut(rest, ';');
  if (pair.find('=') == std::string_view::npos) return "it has no \"=\"";
  const std::string_view name = cut(pair, '=');
  if (name.empty()) return "it has no name";
  const Attributes attributes(rest, now);
  Kept cookie;
  cookie.text = std::string(name).append("=").append(trimmed(pair));
  cookie.name_bytes = static_cast<std::uint16_t>(name.size());
  cookie.secure = attributes.secure;
  cookie.http_only = attributes.http_only;
  if (attributes.end_of_age) {
    cookie.expires = *attributes.end_of_age;
  } else if (attributes.expires) {
    cookie.expires = *attributes.expires;
  }
  cookie.domain = from.host;
  if (!attributes.domain.empty()) {
    if (const auto why = refusal_of(attributes.domain, from.host, suffixes); !why.empty()) return why;
    // A host that is a public suffix itself, such as "localhost", sets cookies for itself alone.
    cookie.host_only = attributes.domain == from.host && (from.host.find('.') == std::string_view::npos ||
                                                          suffixes == nullptr || suffixes->contains(attributes.domain));
    cookie.domain = attributes.domain;
  }
  cookie.path = attributes.path.starts_with('/') ? std::string(attributes.path) : default_path(from.path);
  insert(std::move(cookie), now);
  return {};
}

void CookieJar::insert(Kept cookie, WallTime now) {
  std::erase_if(cookies_, [now](const Kept& old) { return old.expires <= now; });
  const auto same = std::ranges::find_if(cookies_, [&](const Kept& old) {
    return old.name() == cookie.name() && old.domain == cookie.domain && old.path == cookie.path;
  });
  cookie.number = ++created_;
  if (same != cookies_.end()) {
    cookie.number = same->number;
    cookies_.erase(same);
  }
  if (cookie.expires <= now) return;
  while (!cookies_.empty() && (cookies_.size() >= kCookiesMax || bytes() + cookie.bytes() > kJarBytesMax))
    cookies_.erase(std::ranges::min_element(cookies_, {}, &Kept::number));
  const auto before = [](const Kept& a, const Kept& b) {
    return a.path.size() != b.path.size() ? a.path.size() > b.path.size() : a.number < b.number;
  };
  cookies_.insert(std::ranges::upper_bound(cookies_, cookie, before), std::move(cookie));
}

std::size_t CookieJar::bytes() const {
  std::size_t bytes = 0;
  for (const Kept& cookie : cookies_) bytes += cookie.bytes();
  return bytes;
}

std::string CookieJar::header_for(const CookieScope& to, WallTime now) const {
  std::string out;
  for (const Kept& cookie : cookies_) {
    if (!is_sent(cookie, to, now)) continue;
    if (!out.empty()) out += "; ";
    out += cookie.text;
  }
  return out;
}

std::vector<const Cookie*> CookieJar::cookies_for(const CookieScope& to, WallTime now) const {
  std::vector<const Cookie*> out;
  for (const Kept& cookie : cookies_)
    if (is_sent(cookie, to, now)) out.push_back(&cookie);
  return out;
}

void CookieJar::clear(const CookieScope& to) {
  std::erase_if(cookies_, [&](const Kept& cookie) { return belongs_to(cookie, to); });
}

}  // namespace hyperscale::load
