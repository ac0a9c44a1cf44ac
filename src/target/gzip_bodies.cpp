#include "target/gzip_bodies.h"

#include "base/check.h"
#include "target/filler.h"
#include "target/limits.h"

#include <algorithm>

#include <zlib.h>

namespace hyperscale::target {
namespace {

std::string gzip(std::string text) {
  z_stream stream{};
  constexpr int kGzipFormat = 15 + 16;
  constexpr int kMemoryLevel = 8;
  CHECK(deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, kGzipFormat, kMemoryLevel, Z_DEFAULT_STRATEGY) == Z_OK);
  std::string compressed(deflateBound(&stream, text.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(text.data());
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(compressed.data());
  stream.avail_out = static_cast<uInt>(compressed.size());
  CHECK(deflate(&stream, Z_FINISH) == Z_STREAM_END);
  compressed.resize(stream.total_out);
  deflateEnd(&stream);
  return compressed;
}

}  // namespace

const std::string& GzipBodies::of_size(std::uint64_t size_bytes) {
  CHECK(size_bytes <= kGzipBytesMax, "{} bytes", size_bytes);
  const auto found =
      std::find_if(kept_.begin(), kept_.end(), [&](const Kept& kept) { return kept.size_bytes == size_bytes; });
  if (found != kept_.end()) {
    kept_.splice(kept_.begin(), kept_, found);
  } else {
    std::string text;
    append_filler(text, 0, size_bytes);
    kept_.push_front({size_bytes, gzip(std::move(text))});
    if (kept_.size() > kKeptMax) kept_.pop_back();
  }
  return kept_.front().compressed;
}

}  // namespace hyperscale::target
