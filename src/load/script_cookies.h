// What functions do with the cookies of their user: look at them, set one, remove them.
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
  std::string url;    // where the cookies would be sent; empty with kClear: all of them
  std::string field;  // kSet: as in a Set-Cookie header
};

struct ScriptCookie {
  std::string name, value, domain, path;
  bool secure = false;
  bool http_only = false;
  WallTime expires = WallTime::max();  // max(): with the user
};

// The cookies of kRead in the order in which they would be sent, nothing for the others. Fails with one sentence when
// the URL is none, the jar refuses the cookie, or the run keeps no cookies and one is to be set.
Result<std::vector<ScriptCookie>> use_cookies(HttpClient& client, const CookieRequest& request);

}  // namespace hyperscale::load
