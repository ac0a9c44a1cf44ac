// InflateGuard: decompresses gzip or deflate of a body in memory, never producing more than the limits allow
// (NODE-IO-3). Sans-IO; the caller inflates in steps, so that a large body does not block an event-loop thread.
//
// Invariant: the output never exceeds min(ratio_max * input size, output_bytes_max); the step that would pass it fails
// with TooLarge and the rest of the input is not read. Malformed or truncated input fails with InvalidArgument. Thread
// rule: one owner. After a failure the guard can only be destroyed.
#pragma once

#include "base/bytes.h"
#include "base/result.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace hyperscale::runtime {

enum class ContentCoding : std::uint8_t { kIdentity, kGzip, kDeflate };

// The coding a Content-Encoding value names; nothing for one that is not supported (also for a list of several).
std::optional<ContentCoding> parse_content_coding(std::string_view value);

struct InflateLimits {
  std::uint64_t ratio_max = 10;
  std::uint64_t output_bytes_max = 32 << 20;
};

class InflateGuard {
 public:
  // REQUIRES: coding is kGzip or kDeflate; `input` outlives the guard.
  InflateGuard(ContentCoding coding, ByteView input, InflateLimits limits);
  ~InflateGuard();
  InflateGuard(InflateGuard&&) noexcept;
  InflateGuard& operator=(InflateGuard&&) noexcept;

  // Inflates up to `bytes_max` more bytes; true at the end of the input.
  Result<bool> step(std::size_t bytes_max);
  std::string take_output();

 private:
  struct Stream;
  std::unique_ptr<Stream> stream_;
};

}  // namespace hyperscale::runtime
