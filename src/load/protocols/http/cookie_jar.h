// CookieJar: the cookies of one virtual user, by RFC 6265: dates and ages, domains that are not public suffixes, paths,
// Secure; longest path first.
//
// Single-threaded. Bounded in number and bytes: expired cookies are evicted first, then the oldest. The time is an
// argument: wall-clock time of the answer or request.
#pragma once

#include "base/time.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hyperscale::load {

class PublicSuffixes;

inline constexpr std::size_t kCookiesMax = 128;        // of one user
inline constexpr std::size_t kCookieBytesMax = 4096;   // of one, attributes included
inline constexpr std::size_t kJarBytesMax = 64 << 10;  // of one user: names, values, domains, paths

// The parts of a request that select cookies. `path` may have a query, which is ignored.
struct CookieScope {
  std::string_view host;  // lower case, without brackets
  std::string_view path;
  bool secure = false;
};

struct Cookie {
  std::string text;  // "name=value", as it is sent
  std::uint16_t name_bytes = 0;
  bool host_only = true;
  bool secure = false;
  bool http_only = false;
  WallTime expires = WallTime::max();  // max(): kept as long as the user
  std::string domain;
  std::string path;

  std::string_view name() const { return std::string_view(text).substr(0, name_bytes); }
  std::string_view value() const { return std::string_view(text).substr(name_bytes + 1U); }
  std::size_t bytes() const { return text.size() + domain.size() + path.size(); }
};

class CookieJar {
 public:
  // `field` is the value of a Set-Cookie header of an answer to a request of this scope. Returns why it was refused;
  // empty when the cookie was stored or removed. Without `suffixes` every domain but the host's own is refused.
  std::string_view store(std::string_view field, const CookieScope& from, WallTime now, const PublicSuffixes* suffixes);
  // The value of the Cookie header for a request; empty when no cookie matches.
  std::string header_for(const CookieScope& to, WallTime now) const;
  // The cookies of header_for(), in its order.
  std::vector<const Cookie*> cookies_for(const CookieScope& to, WallTime now) const;
  void clear() { cookies_.clear(); }
  void clear(const CookieScope& to);
  bool empty() const { return cookies_.empty(); }
  std::size_t size() const { return cookies_.size(); }
  std::size_t bytes() const;

 private:
  // By length of path, the longest first; at equal length by age, the oldest first.
  struct Kept : Cookie {
    std::uint64_t number = 0;  // order of creation: a later value of the same cookie keeps it
  };
  void insert(Kept cookie, WallTime now);

  std::vector<Kept> cookies_;
  std::uint64_t created_ = 0;
};

}  // namespace hyperscale::load
