// Access of functions to the cookies of their user: read them, set one, remove them.
//
// Single-threaded, the executor's loop; may be called while a function runs.
#pragma once

#include "base/result.h"
#include "base/time.h"

#include <cstdint>
#include <string>
#include <vector>

namespace hyperscale::load {

class HttpClient;

struct CookieRequest {
  enum class What : std::uint8_t { kRead, kSet, kClear };
  What what = What::kRead;
  std::string url;    // where the cookies would be sent; empty with kClear: all cookies
  std::string field;  // kSet: as in a Set-Cookie header
};

struct ScriptCookie {
  std::string name, value, domain, path;
  bool secure = false;
  bool http_only = false;
  WallTime expires = WallTime::max();  // max(): kept as long as the user
};

// kRead: the cookies in the order in which they would be sent; otherwise empty. Fails with one sentence when the URL is
// invalid, the jar refuses the cookie, or kSet is used in a run that keeps no cookies.
Result<std::vector<ScriptCookie>> use_cookies(HttpClient& client, const CookieRequest& request);

}  // namespace hyperscale::load
