// Any bytes as a compressed body: the output never exceeds the limits, and the verdict does not depend on the step
// size.
#include "base/check.h"
#include "runtime/http/inflate_guard.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace {

using hyperscale::ByteView;
using hyperscale::Result;
using namespace hyperscale::runtime;

constexpr InflateLimits kLimits{.ratio_max = 10, .output_bytes_max = 64 << 10};

Result<std::string> inflate_in_steps(ContentCoding coding, ByteView input, std::size_t step) {
  InflateGuard guard(coding, input, kLimits);
  while (true) {
    const Result<bool> done = guard.step(step);
    if (!done) return hyperscale::fail(done.error());
    if (*done) return guard.take_output();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const ContentCoding coding = (data[0] & 1) != 0 ? ContentCoding::kGzip : ContentCoding::kDeflate;
  const std::size_t step = 1 + (data[0] >> 1);
  const ByteView input(data + 1, size - 1);
  const auto whole = inflate_in_steps(coding, input, 1 << 20);
  const auto stepped = inflate_in_steps(coding, input, step);
  CHECK(whole.has_value() == stepped.has_value());
  if (!whole) {
    CHECK(whole.error().code == stepped.error().code);
    return 0;
  }
  CHECK(*whole == *stepped);
  CHECK(whole->size() <= kLimits.ratio_max * input.size() && whole->size() <= kLimits.output_bytes_max);
  return 0;
}
