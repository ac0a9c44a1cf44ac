#include "apps/hyperscale/try/decoded_body.h"

#include "base/number_text.h"
#include "load/protocols/http/content_decoding.h"

#include <algorithm>

#include <fmt/format.h>

namespace hyperscale::app {
namespace {

bool looks_like_text(std::string_view bytes) {
  return std::ranges::none_of(bytes, [](unsigned char c) { return c < 0x20 && c != '\n' && c != '\r' && c != '\t'; });
}

}  // namespace

DecodedBody decode_body(std::string_view body, std::string_view content_encoding) {
  DecodedBody out{.bytes = std::string(body), .note = {}};
  if (load::is_decodable(content_encoding) && !body.empty()) {
    if (auto plain = load::decode_content(body, content_encoding, kDecodedBytesMax)) {
      out.bytes = std::move(*plain);
      out.note = fmt::format("{}, {} unpacked{}", content_encoding, bytes_text(out.bytes.size()),
                             out.bytes.size() == kDecodedBytesMax ? " so far" : "");
    } else {
      out.note = fmt::format("says {}, but is not", content_encoding);
    }
  } else if (!content_encoding.empty() && content_encoding != "identity" && !body.empty()) {
    out.note = fmt::format("{}, not unpacked", content_encoding);
  }
  out.is_text = looks_like_text(out.bytes);
  return out;
}

}  // namespace hyperscale::app
