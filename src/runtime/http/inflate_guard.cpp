#include "runtime/http/inflate_guard.h"

#include "base/check.h"
#include "base/trimmed.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <zlib.h>

namespace hyperscale::runtime {
namespace {

constexpr int kGzipWindowBits = 15 + 16;  // zlib's code for the gzip wrapper
constexpr int kZlibWindowBits = 15;

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + ('a' - 'A'));
  }
  return result;
}

}  // namespace

std::optional<ContentCoding> parse_content_coding(std::string_view value) {
  const std::string name = lower(trimmed(value));
  if (name.empty() || name == "identity") return ContentCoding::kIdentity;
  if (name == "gzip" || name == "x-gzip") return ContentCoding::kGzip;
  if (name == "deflate") return ContentCoding::kDeflate;
  return std::nullopt;
}

struct InflateGuard::Stream {
  z_stream z{};
  ContentCoding coding;
  std::uint64_t output_bytes_max;
  std::string limit_text;
  std::string output;
  bool done = false;

  Stream(ContentCoding coding_in, ByteView input, InflateLimits limits)
      : coding(coding_in), output_bytes_max(std::min(limits.ratio_max * input.size(), limits.output_bytes_max)) {
    CHECK(coding != ContentCoding::kIdentity);
    CHECK(input.size() <= UINT32_MAX, "compressed body of {} bytes", input.size());
    limit_text = output_bytes_max == limits.output_bytes_max
                     ? fmt::format("body inflates to more than {} bytes", limits.output_bytes_max)
                     : fmt::format("body inflates to more than {} times its size", limits.ratio_max);
    z.next_in = const_cast<Bytef*>(input.data());  // zlib does not write to its input
    z.avail_in = static_cast<uInt>(input.size());
    const int code = inflateInit2(&z, coding == ContentCoding::kGzip ? kGzipWindowBits : kZlibWindowBits);
    CHECK(code == Z_OK, "inflateInit2 says {}", code);
  }
  ~Stream() { inflateEnd(&z); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  // One call of inflate() into `room` more bytes of output.
  int inflate_into(std::size_t room) {
    const std::size_t before = output.size();
    output.resize(before + room);
    z.next_out = reinterpret_cast<Bytef*>(output.data() + before);
    z.avail_out = static_cast<uInt>(room);
    const int code = inflate(&z, Z_NO_FLUSH);
    output.resize(before + room - z.avail_out);
    return code;
  }

  // RFC 1952 allows several gzip members in a row; nothing may follow a deflate stream.
  Status end_of_member() {
    if (z.avail_in == 0) {
      done = true;
      return {};
    }
    if (coding != ContentCoding::kGzip || inflateReset(&z) != Z_OK) {
      return fail(ErrorCode::kInvalidArgument, "bytes follow the end of the compressed body");
    }
    return {};
  }
};

InflateGuard::InflateGuard(ContentCoding coding, ByteView input, InflateLimits limits)
    : stream_(std::make_unique<Stream>(coding, input, limits)) {}
InflateGuard::~InflateGuard() = default;
InflateGuard::InflateGuard(InflateGuard&&) noexcept = default;
InflateGuard& InflateGuard::operator=(InflateGuard&&) noexcept = default;

Result<bool> InflateGuard::step(std::size_t bytes_max) {
  Stream& stream = *stream_;
  const std::size_t target = stream.output.size() + std::max<std::size_t>(bytes_max, 1);
  while (!stream.done && stream.output.size() < target) {
    // One byte above the limit distinguishes "at the limit" from "above it"; that byte is never returned.
    const std::uint64_t left = stream.output_bytes_max - stream.output.size() + 1;
    const auto room = static_cast<std::size_t>(std::min<std::uint64_t>(left, target - stream.output.size()));
    const int code = stream.inflate_into(room);
    if (stream.output.size() > stream.output_bytes_max) return fail(ErrorCode::kTooLarge, stream.limit_text);
    if (code == Z_STREAM_END) {
      if (Status ended = stream.end_of_member(); !ended) return fail(ended.error());
    } else if (code != Z_OK) {
      return fail(ErrorCode::kInvalidArgument,
                  code == Z_BUF_ERROR ? "compressed body is cut short" : "compressed body is malformed");
    }
  }
  return stream.done;
}

std::string InflateGuard::take_output() {
  return std::move(stream_->output);
}

}  // namespace hyperscale::runtime
