#include "plan/idna.h"

#include <algorithm>
#include <cstdint>

#include <dlfcn.h>
#include <fmt/format.h>
#include <unicode/uidna.h>

namespace hyperscale::plan {
namespace {

constexpr std::uint32_t kOptions =
    UIDNA_CHECK_BIDI | UIDNA_CHECK_CONTEXTJ | UIDNA_NONTRANSITIONAL_TO_ASCII | UIDNA_NONTRANSITIONAL_TO_UNICODE;
// What the parameters above leave unchecked is reported all the same.
constexpr std::uint32_t kAllowed = UIDNA_ERROR_EMPTY_LABEL | UIDNA_ERROR_LABEL_TOO_LONG |
                                   UIDNA_ERROR_DOMAIN_NAME_TOO_LONG | UIDNA_ERROR_LEADING_HYPHEN |
                                   UIDNA_ERROR_TRAILING_HYPHEN | UIDNA_ERROR_HYPHEN_3_4;
constexpr std::size_t kNameBytesMax = 64 << 10;  // far above any host; bounds the conversion

// ICU's functions have its version in their names, by macros.
#define HYPERSCALE_ICU_TEXT(name) #name
#define HYPERSCALE_ICU_NAME(function) HYPERSCALE_ICU_TEXT(function)

struct Icu {
  decltype(&::uidna_nameToASCII_UTF8) convert = nullptr;
  UIDNA* idna = nullptr;
  std::string problem;  // why the conversion failed
};

Icu load() {
  Icu icu;
  void* const library = ::dlopen(HYPERSCALE_ICU_SONAME, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    icu.problem = "host names beyond ASCII need the Debian package libicu72";
    return icu;
  }
  const auto open =
      reinterpret_cast<decltype(&::uidna_openUTS46)>(::dlsym(library, HYPERSCALE_ICU_NAME(uidna_openUTS46)));
  icu.convert = reinterpret_cast<decltype(&::uidna_nameToASCII_UTF8)>(
      ::dlsym(library, HYPERSCALE_ICU_NAME(uidna_nameToASCII_UTF8)));
  UErrorCode error = U_ZERO_ERROR;
  if (open != nullptr) icu.idna = open(kOptions, &error);
  if (icu.convert == nullptr || icu.idna == nullptr || U_FAILURE(error))
    icu.problem =
        fmt::format("host names beyond ASCII cannot be converted: {} is not as expected", HYPERSCALE_ICU_SONAME);
  return icu;
}

const Icu& icu() {
  static const Icu loaded = load();
  return loaded;
}

}  // namespace

Result<std::string> domain_to_ascii(std::string_view name) {
  if (!icu().problem.empty()) return fail(ErrorCode::kInternal, icu().problem);
  const auto refused = [&](std::string_view why) {
    return fail(ErrorCode::kInvalidArgument, fmt::format("host \"{}\" {}", name.substr(0, 100), why));
  };
  if (name.size() > kNameBytesMax) return refused("is too long");
  std::string ascii(std::max<std::size_t>(4 * name.size(), 64), '\0');
  for (;;) {
    UIDNAInfo info = UIDNA_INFO_INITIALIZER;
    UErrorCode error = U_ZERO_ERROR;
    const std::int32_t size = icu().convert(icu().idna, name.data(), static_cast<std::int32_t>(name.size()),
                                            ascii.data(), static_cast<std::int32_t>(ascii.size()), &info, &error);
    if (error == U_BUFFER_OVERFLOW_ERROR) {
      ascii.resize(static_cast<std::size_t>(size));
      continue;
    }
    if (U_FAILURE(error) || (info.errors & ~kAllowed) != 0)
      return refused("has characters that a host name cannot have (UTS 46)");
    ascii.resize(static_cast<std::size_t>(size));
    return ascii;
  }
}

}  // namespace hyperscale::plan
