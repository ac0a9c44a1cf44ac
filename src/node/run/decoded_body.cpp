#include "node/run/decoded_body.h"

#include "report/number_text.h"

#include <algorithm>

#include <fmt/format.h>
#include <zlib.h>

namespace hyperscale::node {
namespace {

constexpr int kAnyZlibWrapping = 15 + 32;  // zlib looks whether it is gzip or zlib
constexpr int kRawDeflate = -15;           // what some servers send as "deflate"

// False when the bytes are not of that format; a result that is too long or cut short is kept as far as it goes.
bool inflate_into(std::string_view packed, int wrapping, std::string& out) {
  z_stream stream{};
  if (inflateInit2(&stream, wrapping) != Z_OK) return false;
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  out.resize(kDecodedBytesMax);
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  const int end = inflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  inflateEnd(&stream);
  return end == Z_STREAM_END || end == Z_BUF_ERROR || end == Z_OK;
}

bool looks_like_text(std::string_view bytes) {
  return std::ranges::none_of(bytes, [](unsigned char c) { return c < 0x20 && c != '\n' && c != '\r' && c != '\t'; });
}

}  // namespace

DecodedBody decode_body(std::string_view body, std::string_view content_encoding) {
  DecodedBody out{.bytes = std::string(body), .note = {}};
  const bool packed = content_encoding == "gzip" || content_encoding == "x-gzip" || content_encoding == "deflate";
  if (packed && !body.empty()) {
    std::string plain;
    if (inflate_into(body, kAnyZlibWrapping, plain) || inflate_into(body, kRawDeflate, plain)) {
      out.bytes = std::move(plain);
      out.note = fmt::format("{}, {} unpacked{}", content_encoding, report::bytes_text(out.bytes.size()),
                             out.bytes.size() == kDecodedBytesMax ? " so far" : "");
    } else {
      out.note = fmt::format("says {}, but is not", content_encoding);
    }
  } else if (!content_encoding.empty() && content_encoding != "identity") {
    out.note = fmt::format("{}, not unpacked", content_encoding);
  }
  out.is_text = looks_like_text(out.bytes);
  return out;
}

}  // namespace hyperscale::node
