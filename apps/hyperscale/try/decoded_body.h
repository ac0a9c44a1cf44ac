// The body of an answer as a person wants to see it: decompressed when it was compressed, in text when it is text.
//
// Pure; any thread. Expansion is bounded: a small body that claims to be huge is cut, not unpacked.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace hyperscale::app {

inline constexpr std::size_t kDecodedBytesMax = 1 << 20;

struct DecodedBody {
  std::string bytes;
  std::string note;  // "gzip, 64.0 kB unpacked"; empty when nothing was done
  bool is_text = true;
};

// `content_encoding` is the value of that header, empty when there was none.
DecodedBody decode_body(std::string_view body, std::string_view content_encoding);

}  // namespace hyperscale::app
