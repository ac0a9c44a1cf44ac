#include "runtime/sandbox/environment.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <system_error>

#include <string.h>  // NOLINT(modernize-deprecated-headers): explicit_bzero is not in <cstring>
#include <unistd.h>

namespace hyperscale::runtime {
namespace {

// The last ones are read by compilers' run-time libraries in test builds.
constexpr std::array<std::string_view, 14> kKept = {"TZ",
                                                    "LANG",
                                                    "LANGUAGE",
                                                    "SSL_CERT_FILE",
                                                    "SSL_CERT_DIR",
                                                    "OPENSSL_CONF",
                                                    "LD_LIBRARY_PATH",
                                                    "LD_PRELOAD",
                                                    "ASAN_OPTIONS",
                                                    "LSAN_OPTIONS",
                                                    "TSAN_OPTIONS",
                                                    "UBSAN_OPTIONS",
                                                    "GLIBC_TUNABLES",
                                                    "LLVM_PROFILE_FILE"};
// Of the locale, and options of the script engine.
constexpr std::array<std::string_view, 2> kKeptFamilies = {"LC_", "JSC_"};

bool is_kept(std::string_view variable) {
  const std::string_view name = variable.substr(0, variable.find('='));
  return std::ranges::find(kKept, name) != kKept.end() ||
         std::ranges::any_of(kKeptFamilies, [&](std::string_view family) { return name.starts_with(family); });
}

// "Europe/Berlin"; empty when the machine's zone has no name.
std::string zone_name() {
  std::error_code unknown;
  const std::string path = std::filesystem::canonical("/etc/localtime", unknown).string();
  constexpr std::string_view kFolder = "/zoneinfo/";
  const std::size_t at = path.find(kFolder);
  return at == std::string::npos ? std::string() : path.substr(at + kFolder.size());
}

}  // namespace

std::vector<std::string> kept_environment() {
  std::vector<std::string> kept;
  for (char** each = environ; each != nullptr && *each != nullptr; ++each)
    if (is_kept(*each)) kept.emplace_back(*each);
  if (std::ranges::none_of(kept, [](const std::string& each) { return each.starts_with("TZ="); }))
    if (const std::string zone = zone_name(); !zone.empty()) kept.push_back("TZ=" + zone);
  return kept;
}

void clear_environment() {
  static std::vector<std::string> kept;  // what the table points to from now on
  static std::vector<char*> table;
  kept = kept_environment();
  for (char** each = environ; each != nullptr && *each != nullptr; ++each) ::explicit_bzero(*each, ::strlen(*each));
  table.clear();
  for (std::string& each : kept) table.push_back(each.data());
  table.push_back(nullptr);
  environ = table.data();
}

}  // namespace hyperscale::runtime
