// The body of an answer for display: decompressed if it was compressed, and whether it is text.
//
// Pure; any thread. Expansion is bounded: output above kDecodedBytesMax is cut.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace hyperscale::app {

inline constexpr std::size_t kDecodedBytesMax = 1 << 20;

struct DecodedBody {
  std::string bytes;
  std::string note;  // "gzip, 64.0 kB unpacked"; empty if not compressed
  bool is_text = true;
};

// `content_encoding`: value of that header; empty if missing.
DecodedBody decode_body(std::string_view body, std::string_view content_encoding);

}  // namespace hyperscale::app
