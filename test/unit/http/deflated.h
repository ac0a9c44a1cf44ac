// Makes compressed bodies for tests.
#pragma once

#include <string>
#include <string_view>

#include <zlib.h>

namespace hyperscale::runtime {

inline std::string deflated(std::string_view text, bool gzip) {
  z_stream z{};
  deflateInit2(&z, Z_BEST_COMPRESSION, Z_DEFLATED, gzip ? 15 + 16 : 15, 9, Z_DEFAULT_STRATEGY);
  std::string out(deflateBound(&z, text.size()) + 64, '\0');
  z.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  z.avail_in = static_cast<uInt>(text.size());
  z.next_out = reinterpret_cast<Bytef*>(out.data());
  z.avail_out = static_cast<uInt>(out.size());
  deflate(&z, Z_FINISH);
  out.resize(z.total_out);
  deflateEnd(&z);
  return out;
}

// Text that does not compress well: digits of a simple generator.
inline std::string noise(std::size_t bytes) {
  std::string text;
  for (std::uint32_t state = 1; text.size() < bytes; state = state * 1664525u + 1013904223u) {
    text.push_back(static_cast<char>('0' + (state >> 24) % 64));
  }
  return text;
}

}  // namespace hyperscale::runtime
