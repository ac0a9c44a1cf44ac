// PublicSuffixes: the domains under which anybody can register ("com", "co.uk", "github.io"), for which no host may set
// a cookie (RFC 6265 5.3 step 5). The list is libpsl's.
//
// The library is loaded when a run first needs it, as JavaScriptCore is: most runs go to addresses or to names without
// a dot, which need no list, and a start should not pay for it.
//
// Immutable; any thread.
#pragma once

#include "base/result.h"

#include <string>

namespace hyperscale::load {

class PublicSuffixes {
 public:
  // Once per process; the result stays. Fails with one sentence that names the package when there is no library.
  static Result<const PublicSuffixes*> load();

  // `domain` is in lower case. A name without a dot is a public suffix whatever the list says.
  bool contains(const std::string& domain) const;

 private:
  using IsSuffix = int (*)(const void*, const char*);
  PublicSuffixes(const void* list, IsSuffix is_suffix) : list_(list), is_suffix_(is_suffix) {}
  static Result<PublicSuffixes> open();

  const void* list_;
  IsSuffix is_suffix_;
};

// Whether cookies of this host could be meant for more hosts than one: it is a name with a dot, and no address.
bool needs_public_suffixes(const std::string& host);

}  // namespace hyperscale::load
