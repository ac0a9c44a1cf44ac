#include "results/http_versions.h"

#include "results/saturating.h"

namespace hyperscale::results {

void add(HttpVersions& to, const HttpVersions& more) {
  to.http1 = saturating_add(to.http1, more.http1);
  to.http2 = saturating_add(to.http2, more.http2);
}

std::string spoken_text(const HttpVersions& versions, const std::string& scheme) {
  std::string text = versions.http1 > 0 ? scheme + "/1.1" : "";
  if (versions.http2 > 0) text += (text.empty() ? "" : " and ") + scheme + "/2";
  return text;
}

}  // namespace hyperscale::results
