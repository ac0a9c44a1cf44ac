#include "load/script_cookies.h"

#include "load/protocols/http/http_client.h"
#include "plan/url.h"

#include <fmt/format.h>

namespace hyperscale::load {

Result<std::vector<ScriptCookie>> use_cookies(HttpClient& client, const CookieRequest& request) {
  std::vector<ScriptCookie> found;
  CookieJar* const jar = client.cookies();
  if (jar == nullptr) {
    if (request.what == CookieRequest::What::kSet)
      return fail(ErrorCode::kInvalidArgument, "the run keeps no cookies (--no-cookies)");
    return found;
  }
  if (request.what == CookieRequest::What::kClear && request.url.empty()) {
    jar->clear();
    return found;
  }
  const auto url = plan::parse_url(request.url);
  if (!url) return fail(url.error());
  const CookieScope scope{.host = url->host, .path = url->target, .secure = url->secure()};
  const HttpEnvironment& environment = client.environment();
  const WallTime now = environment.wall_at(EventLoop::now());
  switch (request.what) {
    case CookieRequest::What::kClear:
      jar->clear(scope);
      break;
    case CookieRequest::What::kSet:
      if (const auto why = jar->store(request.field, scope, now, environment.suffixes); !why.empty())
        return fail(ErrorCode::kInvalidArgument, fmt::format("the cookie is refused: {}", why));
      break;
    case CookieRequest::What::kRead:
      for (const Cookie* cookie : jar->cookies_for(scope, now))
        found.push_back({.name = std::string(cookie->name()),
                         .value = std::string(cookie->value()),
                         .domain = cookie->domain,
                         .path = cookie->path,
                         .secure = cookie->secure,
                         .http_only = cookie->http_only,
                         .expires = cookie->expires});
  }
  return found;
}

}  // namespace hyperscale::load
