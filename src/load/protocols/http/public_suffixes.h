// PublicSuffixes: the domains under which the public can register names ("com", "co.uk", "github.io"), for which no
// host may set a cookie (RFC 6265 5.3 step 5). The list is libpsl's.
//
// The library is loaded when a run first needs it, as JavaScriptCore is: most runs use addresses or names without a
// dot, which need no list, and loading would slow down their start.
//
// Immutable; any thread.
#pragma once

#include "base/result.h"

#include <string>

namespace hyperscale::load {

class PublicSuffixes {
 public:
  // Once per process; the result is kept. Without the library fails with one sentence that names the package.
  static Result<const PublicSuffixes*> load();

  // `domain` is in lower case. A name without a dot is a public suffix even if the list has no entry for it.
  bool contains(const std::string& domain) const;

 private:
  using IsSuffix = int (*)(const void*, const char*);
  PublicSuffixes(const void* list, IsSuffix is_suffix) : list_(list), is_suffix_(is_suffix) {}
  static Result<PublicSuffixes> open();

  const void* list_;
  IsSuffix is_suffix_;
};

// Whether cookies of this host can have a domain of several hosts: it is a name with a dot, not an address.
bool needs_public_suffixes(const std::string& host);

}  // namespace hyperscale::load
