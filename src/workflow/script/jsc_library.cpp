#include "workflow/script/jsc_library.h"

#include "workflow/script/jsc_functions.h"

#include <array>
#include <cstddef>

#include <dlfcn.h>
#include <fmt/format.h>

namespace hyperscale::workflow {
namespace {

constexpr std::string_view kPackage = "libjavascriptcoregtk-4.1-0";

#define HYPERSCALE_JSC_NAME(function) #function,
constexpr std::array kNames = {HYPERSCALE_JSC_FUNCTIONS(HYPERSCALE_JSC_NAME)};
#undef HYPERSCALE_JSC_NAME

using Symbols = std::array<void*, kNames.size()>;

void set_pointers(const Symbols& symbols) {
  std::size_t next = 0;
#define HYPERSCALE_JSC_SET(function) function = reinterpret_cast<decltype(function)>(symbols[next++]);
  HYPERSCALE_JSC_FUNCTIONS(HYPERSCALE_JSC_SET)
#undef HYPERSCALE_JSC_SET
}

}  // namespace

Status load_jsc_from(const std::string& library) {
  // RTLD_NOW: a missing function is detected here and not in the middle of a run. RTLD_LOCAL: exports of the library
  // replace none of ours.
  void* const opened = ::dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (opened == nullptr) {
    const char* const why = ::dlerror();  // NOLINT(concurrency-mt-unsafe): one per thread in glibc
    return fail(ErrorCode::kInternal,
                fmt::format("workflow files need JavaScriptCore, which cannot be loaded ({}); install the Debian "
                            "package {}",
                            why == nullptr ? library.c_str() : why, kPackage));
  }
  Symbols symbols{};
  std::string missing;
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    symbols[i] = ::dlsym(opened, kNames[i]);
    if (symbols[i] == nullptr) missing += fmt::format("{}{}", missing.empty() ? "" : ", ", kNames[i]);
  }
  if (!missing.empty()) {
    ::dlclose(opened);
    return fail(ErrorCode::kInternal,
                fmt::format("the installed JavaScriptCore library cannot run scripts safely, it lacks {}; install the "
                            "Debian package {} of version 2.50 or one that exports them",
                            missing, kPackage));
  }
  set_pointers(symbols);
  return {};
}

Status load_jsc() {
  static const Status loaded = load_jsc_from(HYPERSCALE_JSC_SONAME);
  return loaded;
}

}  // namespace hyperscale::workflow
