// Settings of name resolution: timeout and name servers. Plain value.
#pragma once

#include "base/time.h"

#include <string>

namespace hyperscale::node {

inline constexpr Duration kLookupTimeout = 5s;

struct ResolverSettings {
  Duration timeout = kLookupTimeout;
  std::string servers;  // "127.0.0.1:5353,..."; empty: the system's
};

}  // namespace hyperscale::node
