#include "base/errno_text.h"

#include <array>

#include <string.h>  // NOLINT(modernize-deprecated-headers): strerror_r is POSIX, <cstring> does not promise it

namespace hyperscale {
namespace {

constexpr std::size_t kTextBytesMax = 256;  // the longest text of the C library has about 50

}  // namespace

std::string errno_text(int error) {
  std::array<char, kTextBytesMax> own{};
  // The GNU form: it may ignore the buffer and return a constant, which is as safe.
  return ::strerror_r(error, own.data(), own.size());
}

}  // namespace hyperscale
