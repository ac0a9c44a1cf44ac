#include "target/filler.h"

#include <algorithm>
#include <cstring>
#include <string_view>

namespace hyperscale::target {
namespace {

constexpr std::string_view kLine = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-\n";
static_assert(kLine.size() == 64);
constexpr std::size_t kBlockBytes = 16 << 10;

// Any 64-byte phase of the pattern is a substring of this, for a whole block.
const std::string& lines() {
  static const std::string text = [] {
    std::string made;
    while (made.size() < kBlockBytes + kLine.size()) made += kLine;
    return made;
  }();
  return text;
}

}  // namespace

char filler_byte(std::uint64_t at) {
  return kLine[at % kLine.size()];
}

void append_filler(std::string& out, std::uint64_t at, std::size_t count) {
  while (count > 0) {
    const std::size_t part = std::min(count, kBlockBytes);
    out.append(lines(), at % kLine.size(), part);
    at += part;
    count -= part;
  }
}

void copy_filler(std::uint8_t* out, std::uint64_t at, std::size_t count) {
  while (count > 0) {
    const std::size_t part = std::min(count, kBlockBytes);
    std::memcpy(out, lines().data() + at % kLine.size(), part);
    out += part;
    at += part;
    count -= part;
  }
}

}  // namespace hyperscale::target
