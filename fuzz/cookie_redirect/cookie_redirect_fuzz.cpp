// Any Set-Cookie and Location fields from several hosts: cookies go only where they belong and within their bounds, a
// redirect is a request that can be sent, and credentials stay with their origin.
#include "cookie_redirect_properties.h"

#include <cstddef>
#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static hyperscale::load::CookieRedirectCheck check;
  check.run({reinterpret_cast<const char*>(data), size});
  return 0;
}
