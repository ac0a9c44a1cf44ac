#include "base/crc32c.h"

#include "base/check.h"
#include "base/endian.h"

#include <array>

#if defined(__x86_64__)
#include <nmmintrin.h>
#endif

namespace hyperscale {
namespace {

constexpr std::uint32_t kPolynomial = 0x82f63b78;  // bits reversed
constexpr std::size_t kWord = 8;

// Slicing by 8: tables[k][b] is the effect of byte b that k further bytes follow.
using Tables = std::array<std::array<std::uint32_t, 256>, kWord>;

constexpr Tables make_tables() {
  Tables tables{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t crc = byte;
    for (int bit = 0; bit < 8; ++bit) crc = crc & 1 ? crc >> 1 ^ kPolynomial : crc >> 1;
    tables[0][byte] = crc;
  }
  for (std::size_t k = 1; k < kWord; ++k) {
    for (std::size_t byte = 0; byte < 256; ++byte) {
      const std::uint32_t before = tables[k - 1][byte];
      tables[k][byte] = before >> 8 ^ tables[0][before & 0xff];
    }
  }
  return tables;
}

constexpr Tables kTables = make_tables();

}  // namespace

std::uint32_t crc32c_table(ByteView bytes, std::uint32_t seed) {
  std::uint32_t crc = ~seed;
  const std::uint8_t* at = bytes.data();
  std::size_t left = bytes.size();
  for (; left >= kWord; left -= kWord, at += kWord) {
    const std::uint64_t word = load_le64(at) ^ crc;
    crc = 0;
    for (std::size_t i = 0; i < kWord; ++i) crc ^= kTables[kWord - 1 - i][word >> 8 * i & 0xff];
  }
  for (; left > 0; --left, ++at) crc = crc >> 8 ^ kTables[0][(crc ^ *at) & 0xff];
  return ~crc;
}

#if defined(__x86_64__)

bool crc32c_hardware_available() {
  return __builtin_cpu_supports("sse4.2");
}

__attribute__((target("sse4.2"))) std::uint32_t crc32c_hardware(ByteView bytes, std::uint32_t seed) {
  std::uint64_t crc = static_cast<std::uint32_t>(~seed);
  const std::uint8_t* at = bytes.data();
  std::size_t left = bytes.size();
  for (; left >= kWord; left -= kWord, at += kWord) crc = _mm_crc32_u64(crc, load_le64(at));
  for (; left > 0; --left, ++at) crc = _mm_crc32_u8(static_cast<std::uint32_t>(crc), *at);
  return ~static_cast<std::uint32_t>(crc);
}

#else

bool crc32c_hardware_available() {
  return false;
}

std::uint32_t crc32c_hardware(ByteView, std::uint32_t) {
  UNREACHABLE("no CRC instruction is built in");
}

#endif

std::uint32_t crc32c(ByteView bytes, std::uint32_t seed) {
  static const bool hardware = crc32c_hardware_available();
  return hardware ? crc32c_hardware(bytes, seed) : crc32c_table(bytes, seed);
}

}  // namespace hyperscale
