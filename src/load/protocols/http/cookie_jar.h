// CookieJar: the cookies of one virtual user (RFC 6265): by host or domain, path and Secure; Max-Age and Expires are
// obeyed as "gone" or "kept", because a run is shorter than any sensible life time.
//
// Single-threaded. Bounded: the oldest cookie goes when there are too many.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace hyperscale::load {

inline constexpr std::size_t kCookiesMax = 64;
inline constexpr std::size_t kCookieBytesMax = 4096;

class CookieJar {
 public:
  // `field` is the value of a Set-Cookie header that came from this host and path. What is malformed, too long or for
  // another domain is ignored, as browsers do.
  void store(std::string_view field, std::string_view host, std::string_view path);
  // The value of the Cookie header for a request; empty when there is none to send.
  std::string header_for(std::string_view host, std::string_view path, bool secure) const;
  bool empty() const { return cookies_.empty(); }

 private:
  struct Cookie {
    std::string name;
    std::string value;
    std::string domain;
    std::string path;
    bool host_only = true;
    bool secure = false;
  };
  std::vector<Cookie> cookies_;
};

}  // namespace hyperscale::load
