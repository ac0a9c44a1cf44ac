#include "load/protocols/http/content_decoding.h"

#include <algorithm>

#include <zlib.h>

namespace hyperscale::load {
namespace {

constexpr int kAnyZlibWrapping = 15 + 32;  // zlib looks whether it is gzip or zlib
constexpr int kRawDeflate = -15;           // what some servers send as "deflate"
constexpr std::size_t kStep = 64 << 10;

std::optional<std::string> inflated(std::string_view packed, int wrapping, std::size_t bytes_max) {
  z_stream stream{};
  if (inflateInit2(&stream, wrapping) != Z_OK) return std::nullopt;
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  std::string out;
  int end = Z_OK;
  while (end == Z_OK && out.size() < bytes_max) {
    const std::size_t done = out.size();
    out.resize(std::min(done + kStep, bytes_max));
    stream.next_out = reinterpret_cast<Bytef*>(out.data() + done);
    stream.avail_out = static_cast<uInt>(out.size() - done);
    end = inflate(&stream, Z_NO_FLUSH);
    out.resize(out.size() - stream.avail_out);
  }
  inflateEnd(&stream);
  const bool understood = end == Z_STREAM_END || end == Z_OK || end == Z_BUF_ERROR;
  return understood ? std::optional(std::move(out)) : std::nullopt;
}

}  // namespace

std::optional<std::string> decode_content(std::string_view body, std::string_view encoding, std::size_t bytes_max) {
  if (encoding != "gzip" && encoding != "x-gzip" && encoding != "deflate") return std::nullopt;
  if (body.empty()) return std::string();
  if (auto out = inflated(body, kAnyZlibWrapping, bytes_max)) return out;
  return encoding == "deflate" ? inflated(body, kRawDeflate, bytes_max) : std::nullopt;
}

}  // namespace hyperscale::load
