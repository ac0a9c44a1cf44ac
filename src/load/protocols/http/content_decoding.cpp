#include "load/protocols/http/content_decoding.h"

#include "plan/ascii.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include <brotli/decode.h>
#include <zlib.h>
#include <zstd.h>

namespace hyperscale::load {
namespace {

enum class Coding : std::uint8_t { kGzip, kDeflate, kBrotli, kZstd };

constexpr int kAnyZlibWrapping = 15 + 32;  // zlib detects gzip or zlib
constexpr int kRawDeflate = -15;           // what some servers send as "deflate"
constexpr int kZstdWindowLogMax = 23;      // RFC 9659: at most 8 MiB in HTTP
constexpr std::size_t kStep = 64 << 10;

// Adds room for the next piece of output, within the bound.
std::size_t grow(std::string& out, std::size_t bytes_max) {
  const std::size_t done = out.size();
  out.resize(std::min(done + kStep, bytes_max));
  return done;
}

// Continues with the next member of a gzip file (RFC 1952 2.2); other bytes after the last one are ignored, as by gzip.
bool next_member(z_stream& stream) {
  return stream.avail_in >= 2 && stream.next_in[0] == 0x1f && stream.next_in[1] == 0x8b &&
         inflateReset(&stream) == Z_OK;
}

std::optional<std::string> inflated(std::string_view packed, int wrapping, std::size_t bytes_max) {
  z_stream stream{};
  if (inflateInit2(&stream, wrapping) != Z_OK) return std::nullopt;
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  std::string out;
  int end = Z_OK;
  while (end == Z_OK && out.size() < bytes_max) {
    const std::size_t done = grow(out, bytes_max);
    stream.next_out = reinterpret_cast<Bytef*>(out.data() + done);
    stream.avail_out = static_cast<uInt>(out.size() - done);
    end = inflate(&stream, Z_NO_FLUSH);
    out.resize(out.size() - stream.avail_out);
    if (end == Z_STREAM_END && next_member(stream)) end = Z_OK;
  }
  inflateEnd(&stream);
  const bool understood = end == Z_STREAM_END || end == Z_OK || end == Z_BUF_ERROR;
  return understood ? std::optional(std::move(out)) : std::nullopt;
}

std::optional<std::string> of_brotli(std::string_view packed, std::size_t bytes_max) {
  const std::unique_ptr<BrotliDecoderState, decltype(&BrotliDecoderDestroyInstance)> decoder(
      BrotliDecoderCreateInstance(nullptr, nullptr, nullptr), &BrotliDecoderDestroyInstance);
  if (!decoder) return std::nullopt;
  const auto* in = reinterpret_cast<const std::uint8_t*>(packed.data());
  std::size_t in_left = packed.size();
  std::string out;
  auto end = BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT;
  while (end == BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT && out.size() < bytes_max) {
    const std::size_t done = grow(out, bytes_max);
    auto* next = reinterpret_cast<std::uint8_t*>(out.data() + done);
    std::size_t room = out.size() - done;
    end = BrotliDecoderDecompressStream(decoder.get(), &in_left, &in, &room, &next, nullptr);
    out.resize(out.size() - room);
  }
  return end == BROTLI_DECODER_RESULT_ERROR ? std::nullopt : std::optional(std::move(out));
}

// Frames follow each other without a separator (RFC 8878 3): the loop ends with the input.
std::optional<std::string> of_zstd(std::string_view packed, std::size_t bytes_max) {
  const std::unique_ptr<ZSTD_DCtx, decltype(&ZSTD_freeDCtx)> decoder(ZSTD_createDCtx(), &ZSTD_freeDCtx);
  if (!decoder || ZSTD_isError(ZSTD_DCtx_setParameter(decoder.get(), ZSTD_d_windowLogMax, kZstdWindowLogMax)) != 0)
    return std::nullopt;
  ZSTD_inBuffer in{packed.data(), packed.size(), 0};
  std::string out;
  bool full = true;  // the last piece filled its room: more output may come without further input
  while ((in.pos < in.size || full) && out.size() < bytes_max) {
    const std::size_t done = grow(out, bytes_max);
    ZSTD_outBuffer piece{out.data() + done, out.size() - done, 0};
    const std::size_t left = ZSTD_decompressStream(decoder.get(), &piece, &in);
    out.resize(done + piece.pos);
    if (ZSTD_isError(left) != 0) return std::nullopt;
    full = piece.pos == piece.size;
  }
  return out;
}

std::optional<std::string> decoded(std::string_view body, Coding coding, std::size_t bytes_max) {
  if (body.empty()) return std::string();
  switch (coding) {
    case Coding::kBrotli:
      return of_brotli(body, bytes_max);
    case Coding::kZstd:
      return of_zstd(body, bytes_max);
    case Coding::kGzip:
      return inflated(body, kAnyZlibWrapping, bytes_max);
    case Coding::kDeflate:
      break;
  }
  auto out = inflated(body, kAnyZlibWrapping, bytes_max);
  return out ? out : inflated(body, kRawDeflate, bytes_max);
}

std::optional<Coding> coding_of(std::string_view name) {
  if (name == "gzip" || name == "x-gzip") return Coding::kGzip;
  if (name == "deflate") return Coding::kDeflate;
  if (name == "br") return Coding::kBrotli;
  if (name == "zstd") return Coding::kZstd;
  return std::nullopt;
}

// In the order in which they were applied. Empty when one is unknown, or there are too many.
std::optional<std::vector<Coding>> codings_of(std::string_view text) {
  std::vector<Coding> codings;
  const std::string lower = plan::lower_case(text);
  for (std::string_view rest = lower; !rest.empty();) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    std::string_view name = rest.substr(0, comma);
    rest.remove_prefix(std::min(comma + 1, rest.size()));
    while (!name.empty() && (name.front() == ' ' || name.front() == '\t')) name.remove_prefix(1);
    while (!name.empty() && (name.back() == ' ' || name.back() == '\t')) name.remove_suffix(1);
    if (name.empty() || name == "identity") continue;
    const auto coding = coding_of(name);
    if (!coding || codings.size() == kEncodingsMax) return std::nullopt;
    codings.push_back(*coding);
  }
  return codings;
}

}  // namespace

bool is_decodable(std::string_view encoding) {
  const auto codings = codings_of(encoding);
  return codings && !codings->empty();
}

std::optional<std::string> decode_content(std::string_view body, std::string_view encoding, std::size_t bytes_max) {
  const auto codings = codings_of(encoding);
  if (!codings || codings->empty()) return std::nullopt;
  std::optional<std::string> out;
  for (auto coding = codings->rbegin(); coding != codings->rend(); ++coding) {
    out = decoded(out ? std::string_view(*out) : body, *coding, bytes_max);
    if (!out) return std::nullopt;
  }
  return out;
}

}  // namespace hyperscale::load
