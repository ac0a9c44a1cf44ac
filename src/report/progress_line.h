// The one line that tells how a run is getting on: redrawn on a terminal, or logged now and then in CI.
//
// Pure functions, any thread. The line for a terminal is at most `width` cells of plain text without control
// characters; whoever draws it moves the cursor. Narrow screens lose the least telling parts first.
#pragma once

#include "base/glyphs.h"
#include "base/time.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace hyperscale::report {

struct ProgressView {
  Duration elapsed{}, planned{};  // planned is zero when the run is bounded by count
  std::uint64_t requests = 0, errors = 0;
  double rate_per_s = 0;  // now
  Duration p50{}, p99{};  // of the last second; zero when it had no answer
  std::uint32_t vus = 0;  // busy
  std::uint64_t iterations_planned = 0, iterations = 0;
  bool stopping = false;
};

std::string progress_line(const ProgressView& view, std::size_t width, Glyphs glyphs = Glyphs::kUnicode);

// "progress 12.0s/30.0s 40% requests=1,200,000 rate=100,330/s errors=12 (<0.01%) p50=471us p99=1.24ms users=50
// left=18.0s"
std::string ci_line(const ProgressView& view);

}  // namespace hyperscale::report
