#include "load/protocols/http/public_suffixes.h"

#include "plan/host.h"

#include <dlfcn.h>
#include <fmt/format.h>

namespace hyperscale::load {
namespace {

tl::unexpected<Error> no_library(const char* why) {
  return fail(
      ErrorCode::kUnavailable,
      fmt::format("cookies need libpsl, which cannot be loaded ({}); install the Debian package libpsl5, or run "
                  "with --no-cookies",
                  why == nullptr ? HYPERSCALE_PSL_SONAME : why));
}

}  // namespace

Result<PublicSuffixes> PublicSuffixes::open() {
  void* const library = ::dlopen(HYPERSCALE_PSL_SONAME, RTLD_LAZY | RTLD_LOCAL);
  if (library == nullptr) return no_library(::dlerror());  // NOLINT(concurrency-mt-unsafe): one per thread in glibc
  const auto built_in = reinterpret_cast<const void* (*)()>(::dlsym(library, "psl_builtin"));
  const auto is_suffix = reinterpret_cast<IsSuffix>(::dlsym(library, "psl_is_public_suffix"));
  if (built_in == nullptr || is_suffix == nullptr) return no_library("it lacks psl_builtin or psl_is_public_suffix");
  const void* const list = built_in();
  if (list == nullptr) return no_library("it was built without a list");
  return PublicSuffixes(list, is_suffix);
}

Result<const PublicSuffixes*> PublicSuffixes::load() {
  static const Result<PublicSuffixes> loaded = open();
  if (!loaded) return fail(loaded.error());
  return &*loaded;
}

bool PublicSuffixes::contains(const std::string& domain) const {
  return is_suffix_(list_, domain.c_str()) != 0;
}

bool needs_public_suffixes(const std::string& host) {
  return host.find('.') != std::string::npos && !plan::is_ipv4_address(host) && !plan::is_ipv6_address(host);
}

}  // namespace hyperscale::load
